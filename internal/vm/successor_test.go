package vm_test

import (
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

var inManchester = given{"zone_name": "manchester"}

// TestReplacementIsToldWhatACreationIs: of the second plan of a replacement, the CLI drops the warnings.
func TestReplacementIsToldWhatACreationIs(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config object
		says   []string // of the first plan
	}{
		"the name of another machine": {named("web2", inManchester), []string{"The name of the machine is taken", "All discs will be lost", "If the service refuses the new machine, there is none"}},
		"a group that does not exist": {named("web1", inManchester, given{"group": "prod"}), []string{"The group does not exist yet"}},
		"the address of another machine": {
			named("web1", inManchester, given{"group": "private", "ips.ipv4": "10.64.0.77"}), []string{"The address is in use"},
		},
		"an unlisted hardware profile": {named("web1", inManchester, given{"hardware_profile": "virtio2099"}), []string{"The service does not list a value"}},
		"a name that is no hostname":   {named("web 1", inManchester), []string{"name"}},
		"no login":                     {named("web1", inManchester, given{"reimage.distribution": "bookworm"}), []string{"Nobody can log in"}},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, named("web1", inYork))
			other(e, "default", "web2", "")
			other(e, "private", "web7", "10.64.0.77")
			plan := d.OneRun().RefreshAndPlan(ctx, o, test.config)
			if plan.Action != replace {
				t.Fatalf("plan: %s\n%s", plan.Action, acctest.DiagText(plan.Diagnostics))
			}
			expectSays(t, plan.Warnings(), test.says...)
		})
	}
}

// other adds a machine that no resource has.
func other(e *acctest.Emulator, group, name, address string) int64 {
	m := emulator.Machine{Name: name, ZoneName: "york", Cores: 1, Memory: 1024}
	if address != "" {
		m.Interfaces = []emulator.Interface{{IPs: []string{address}}}
	}
	return e.AddMachine(emulator.DemoAccount, group, m)
}

// TestReplacementThatWouldBeRefusedDoesNotBegin: what the plan could not know, the delete asks before it purges anything.
func TestReplacementThatWouldBeRefusedDoesNotBegin(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config  object
		meddle  func(e *acctest.Emulator) // after the plan
		says    string                    // "": the machine is replaced
		sent    string
		quickly bool
		tainted bool
	}{
		"nothing in the way":         {config: named("web2", inManchester), sent: purge + "create name=web2 zone_name=manchester"},
		"the name was taken":         {config: named("web2", inManchester), meddle: func(e *acctest.Emulator) { other(e, "default", "web2", "") }, says: `has the name "web2"`},
		"the name is soft-deleted":   {config: named("web2", inManchester), meddle: func(e *acctest.Emulator) { e.SoftDelete(other(e, "default", "web2", "")) }, says: "soft-deleted", quickly: true},
		"the group is gone":          {config: named("web1", inManchester, given{"group": "prod"}), meddle: func(e *acctest.Emulator) { _ = e.RenameGroup(emulator.DemoAccount, "prod", "gone") }, says: `does not show group "prod"`},
		"its address was taken":      {config: named("web1", inManchester, given{"group": "private", "ips.ipv4": "10.64.0.77"}), meddle: func(e *acctest.Emulator) { other(e, "private", "web7", "10.64.0.77") }, says: "10.64.0.77"},
		"a taint":                    {config: named("web2", inYork), tainted: true, meddle: func(e *acctest.Emulator) { other(e, "default", "web2", "") }, says: `has the name "web2"`},
		"a taint of a soft delete":   {config: named("web1", inYork, given{"purge_on_destroy": false}), tainted: true, says: "keeps the name", quickly: true},
		"stopped only if it goes on": {config: named("web2", inManchester, given{"shutdown_before_destroy": true}), meddle: func(e *acctest.Emulator) { other(e, "default", "web2", "") }, says: `has the name "web2"`},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			before := named("web1", inYork)
			for _, same := range []string{"purge_on_destroy", "shutdown_before_destroy"} {
				if value, ok := test.config[same]; ok {
					before[same] = value
				}
			}
			e.AddGroup(emulator.DemoAccount, "prod", false)
			o := d.MustApply(ctx, vmType, nil, before)
			o.Tainted = test.tainted
			plan := d.Plan(ctx, vmType, o, test.config)
			if test.meddle != nil {
				test.meddle(e)
			}
			e.ResetJournal()
			began := time.Now()
			after, diags := d.Apply(ctx, vmType, plan)
			if test.says == "" {
				if acctest.HasErrors(diags) {
					t.Fatal(acctest.DiagText(diags))
				}
				expectSent(t, e, test.sent)
				return
			}
			acctest.ExpectError(t, diags, "Cannot replace virtual machine \"web1\"", test.says, "Nothing was deleted")
			expectSent(t, e, "")
			if after == nil || after.Get("id") != o.Get("id") {
				t.Error("the machine is not in the state any more")
			}
			if took := time.Since(began); test.quickly != (took < 4*time.Second) || took > 10*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}

// TestMachinesAreReplacedIntoEachOthersNames: each delete finds the other machine in the way, which is being destroyed.
func TestMachinesAreReplacedIntoEachOthersNames(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		web1 := d.MustApply(ctx, vmType, nil, named("web1", inYork))
		web2 := d.MustApply(ctx, vmType, nil, named("web2", inYork))
		plans := []*acctest.PlanResult{d.Plan(ctx, vmType, web1, named("web2", inManchester)), d.Plan(ctx, vmType, web2, named("web1", inManchester))}
		var all sync.WaitGroup
		for _, plan := range plans {
			all.Go(func() {
				if _, diags := d.Apply(ctx, vmType, plan); acctest.HasErrors(diags) {
					t.Error(acctest.DiagText(diags))
				}
			})
		}
		all.Wait()
		if machines := e.Machines(); len(machines) != 2 || machines[0].ZoneName != "manchester" || machines[1].ZoneName != "manchester" {
			t.Errorf("machines: %+v", machines)
		}
	})
}

// TestRefusedCreationSaysWhatTheOldMachineWas: the old machine is gone, and its user has to be able to create it again.
func TestRefusedCreationSaysWhatTheOldMachineWas(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, named("web1", inYork, given{"cores": 3, "memory": 3072, "disc": discs("vda:25600:sata", "data:51200:ssd")}))
		plan := d.Plan(ctx, vmType, o, named("web2", inManchester))
		e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == "POST" }, Status: 403})
		_, diags := d.Apply(ctx, vmType, plan)
		acctest.ExpectError(t, diags, "Cannot create", `virtual machine "web1" in group "default"`, "cores = 3", "memory = 3072", `disc "data" of 51200 megabytes (ssd)`, "now there is none")
	})
}

// TestObstacleThatPassesWhileTheGuestShutsDown: after that, the delete asks again, and one answer is no proof.
func TestObstacleThatPassesWhileTheGuestShutsDown(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		lasts   time.Duration // the other machine has the name
		refused bool
	}{
		"for some seconds": {3 * time.Second, false},
		"for good":         {time.Hour, true},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, named("web1", inYork, given{"shutdown_before_destroy": true, "shutdown_timeout": "30s"}))
			changeMachine(t, e, func(m *emulator.Machine) { m.IgnoresPowerdown = true })
			plan := d.Plan(ctx, vmType, o, named("web2", inManchester, given{"shutdown_before_destroy": true, "shutdown_timeout": "30s"}))
			const taken = 29 * time.Second
			time.AfterFunc(taken, func() {
				id := other(e, "default", "web2", "")
				time.AfterFunc(test.lasts, func() { e.Purge(id) })
			})
			_, diags := d.Apply(ctx, vmType, plan)
			if test.refused {
				acctest.ExpectError(t, diags, "Cannot replace virtual machine \"web1\"", `has the name "web2"`, "Nothing was deleted")
			} else if acctest.HasErrors(diags) {
				t.Error(acctest.DiagText(diags))
			}
		})
	}
}
