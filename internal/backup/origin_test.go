package backup_test

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// unshown makes the service answer without the list of a machine's discs.
var unshown = emulator.Fault{
	Match: func(r emulator.Request) bool {
		return r.Method == http.MethodGet && strings.Contains(r.Path, "/virtual_machines/") && !strings.Contains(r.Path, "/discs")
	},
	Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
		return status, header, bytes.Replace(body, []byte(`"discs":`), []byte(`"later":`), 1)
	},
}

// elsewhere makes a service with another domain answer, which has objects with the same IDs. changed is what else differs.
func elsewhere(changed ...string) emulator.Fault {
	return emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
		text := strings.ReplaceAll(string(body), emulator.ClusterDomain, "cluster.elsewhere")
		for i := 0; i < len(changed); i += 2 {
			text = regexp.MustCompile(changed[i]).ReplaceAllString(text, changed[i+1])
		}
		return status, header, []byte(text)
	}}
}

// TestScheduleWhoseDiscIsDeniedAlone: the disc is denied at its own path, and its machine is shown without a list of discs.
// That proves nothing: the schedule stays in the state, and no destroy drops it.
func TestScheduleWhoseDiscIsDeniedAlone(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		w.e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, "/discs/") }, Status: http.StatusNotFound})
		w.e.Inject(unshown)
		w.e.ResetJournal()
		d := w.e.NewDriver(w.T, nil)
		read, diags := d.Refresh(ctx, o)
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot read backup schedule", "404 Not Found", "without the discs of virtual machine "+w.machine)
		left, diags := d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, o, nil))
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot delete backup schedule", "404 Not Found", "without the discs of virtual machine "+w.machine)
		if read == nil || left == nil || len(w.schedules()) != 1 {
			t.Errorf("in the state: %t, %t; the service has %v", read != nil, left != nil, w.schedules())
		}
		acctest.ExpectCalls(t, w.e)
	})
}

// TestScheduleOfADiscThatIsNotShown: without the list of discs, a path with the disc's ID may lead to another disc, whose
// label is that ID. Nothing is created, deleted or listed.
func TestScheduleOfADiscThatIsNotShown(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		w.addLookalike()
		w.e.Inject(unshown)
		w.e.ResetJournal()
		const says = "without the discs of virtual machine"
		d := w.e.NewDriver(w.T, nil)
		_, diags := d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, o, nil))
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot delete backup schedule", says)
		w.config["start_at"] = "2000-03-31 04:00:00"
		_, diags = d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, nil, w.config))
		acctest.ExpectError(t, acctest.Errors(diags), "error at disc_id: Cannot create a backup schedule", says)
		_, diags = d.ReadData(ctx, "cloudserver_backups", object{"virtual_machine_id": w.machine, "disc_id": w.disc})
		acctest.ExpectError(t, acctest.Errors(diags), "error at disc_id: Cannot list the backups of disc "+w.disc, says)
		acctest.ExpectCalls(t, w.e)
	})
}

// TestScheduleOfAnotherService: the machine was read by this process, then another service answers, with the same IDs. None of
// its values enters the state, and a destroy leaves its schedule alone.
func TestScheduleOfAnotherService(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		vm := w.d.MustImport(ctx, "cloudserver_vm", w.machine)
		o := w.d.MustApply(ctx, scheduleType, nil, w.config)
		d := w.e.NewDriver(w.T, nil)
		d.MustRefresh(ctx, vm)
		w.e.Inject(elsewhere(`"interval_seconds":\d+`, `"interval_seconds":86400`))
		w.e.ResetJournal()
		for _, d := range []*acctest.Driver{d, w.e.NewDriver(w.T, nil)} {
			read, diags := d.Refresh(ctx, o)
			acctest.ExpectError(t, acctest.Errors(diags), "Cannot read backup schedule", "another service", "cluster.elsewhere")
			if read.Get("interval_seconds") != int64(604800) {
				t.Errorf("the state has an interval of %v", read.Get("interval_seconds"))
			}
			left, diags := d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, o, nil))
			acctest.ExpectError(t, acctest.Errors(diags), "Cannot delete backup schedule", "another service")
			if left == nil {
				t.Error("it has left the state")
			}
		}
		acctest.ExpectCalls(t, w.e)
	})
}

// TestScheduleOfARenamedDomain: the service has renamed its domain. If all else is the same, that is a warning, once, also
// beside its machine and group, and the next refresh says nothing. If anything else differs, it is another service.
func TestScheduleOfARenamedDomain(t *testing.T) {
	for name, test := range map[string]struct {
		changed []string
		same    bool
	}{
		"all else is the same": {same: true},
		"another interval":     {changed: []string{`"interval_seconds":\d+`, `"interval_seconds":86400`}},
		"another label":        {changed: []string{`"vda"`, `"theirs"`}},
		"another size":         {changed: []string{`"size":25600`, `"size":51200`}},
		"another zone":         {changed: []string{`"zone_name":"\w+"`, `"zone_name":"elsewhere"`}},
		"another address":      {changed: []string{`"ips":\[[^]]*\]`, `"ips":["203.0.113.9"]`}},
		"another account":      {changed: []string{`"account_id":1`, `"account_id":99`}},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				ctx := w.Context()
				created := w.d.MustApply(ctx, scheduleType, nil, w.config)
				vm := w.d.MustRefresh(ctx, w.d.MustImport(ctx, "cloudserver_vm", w.machine))
				imported := w.d.MustRefresh(ctx, w.d.MustImport(ctx, scheduleType, w.machine+"/"+w.disc+"/"+created.Get("id").(string)))
				w.e.Inject(elsewhere(test.changed...))
				for _, o := range []*acctest.Object{created, imported} {
					read, diags := w.e.NewDriver(w.T, nil).Refresh(ctx, o)
					if !test.same {
						acctest.ExpectError(t, acctest.Errors(diags), "Cannot read backup schedule", "another service")
						continue
					}
					if said := acctest.DiagText(diags); len(diags) != 1 || acctest.HasErrors(diags) || !strings.Contains(said, "The domain of the service has changed") {
						t.Errorf("says\n%s", said)
					}
					if _, diags = w.e.NewDriver(w.T, nil).Refresh(ctx, read); len(diags) > 0 {
						t.Errorf("the next refresh says\n%s", acctest.DiagText(diags))
					}
				}
				if !test.same {
					return
				}
				d := w.e.NewDriver(w.T, nil)
				d.OneRun()
				_, diags := d.Refresh(ctx, vm)
				_, more := d.Refresh(ctx, created)
				if len(diags) != 1 || len(more) > 0 {
					t.Errorf("beside its machine, says\n%s\nand\n%s", acctest.DiagText(diags), acctest.DiagText(more))
				}
				w.e.ResetJournal()
				left, diags := d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, created, nil))
				acctest.ExpectError(t, acctest.Errors(diags), "another service") // only a refresh believes it
				if left == nil {
					t.Error("it has left the state")
				}
				acctest.ExpectCalls(t, w.e)
			})
		})
	}
}

// switching answers with another service as soon as a request was answered.
type switching struct {
	now, other http.RoundTripper
	when       func(*http.Request) bool
}

// RoundTrip implements http.RoundTripper.
func (s *switching) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := s.now.RoundTrip(r)
	if s.other != nil && s.when(r) {
		s.now, s.other = s.other, nil
	}
	return answer, err
}

// TestServiceChangesDuringACreation: the request is refused or its answer is lost, and from then on another service answers,
// with the same IDs. Nothing is created there, and nothing of it taken over.
func TestServiceChangesDuringACreation(t *testing.T) {
	for name, test := range map[string]struct {
		fault emulator.Fault
		has   bool // the other service has an equal schedule
	}{
		"refused":                         {fault: emulator.Fault{Status: http.StatusTooManyRequests}},
		"refused, and an equal one there": {fault: emulator.Fault{Status: http.StatusTooManyRequests}, has: true},
		"lost":                            {fault: emulator.Fault{Status: http.StatusBadGateway}},
		"lost, and an equal one there":    {fault: emulator.Fault{Status: http.StatusBadGateway}, has: true},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				ctx := w.Context()
				_, other := acctest.Drive(t, emulator.Options{}, nil)
				if err := other.Resume(w.e.State()); err != nil {
					t.Fatal(err)
				}
				if test.has {
					other.NewDriver(w.T, nil).MustApply(ctx, scheduleType, nil, w.config)
				}
				other.Inject(elsewhere())
				other.ResetJournal()
				w.fault(http.MethodPost, "/backup_schedules", test.fault)
				d := w.e.NewProcess(w.T, &switching{w.e.Transport(), other.Transport(), func(r *http.Request) bool { return r.Method == http.MethodPost }}, nil)
				o, diags := d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, nil, w.config))
				acctest.ExpectError(t, acctest.Errors(diags), "Cannot create a backup schedule", "another service")
				if o != nil {
					t.Errorf("the state has %v", o.Get("id"))
				}
				acctest.ExpectCalls(t, other)
			})
		})
	}
}

// TestServiceChangesDuringADeletion: the same while a schedule is deleted that does not know its service.
func TestServiceChangesDuringADeletion(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := w.Context()
		created := w.d.MustApply(ctx, scheduleType, nil, w.config)
		shown := w.e.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			return status, header, bytes.ReplaceAll(body, []byte(`"hostname"`), []byte(`"later"`))
		}})
		o := w.d.MustImport(ctx, scheduleType, w.machine+"/"+w.disc+"/"+created.Get("id").(string))
		shown()
		_, other := acctest.Drive(t, emulator.Options{}, nil)
		if err := other.Resume(w.e.State()); err != nil {
			t.Fatal(err)
		}
		other.Inject(elsewhere())
		other.ResetJournal()
		w.e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == http.MethodDelete }, Status: http.StatusTooManyRequests})
		d := w.e.NewProcess(w.T, &switching{w.e.Transport(), other.Transport(), func(r *http.Request) bool { return r.Method == http.MethodDelete }}, nil)
		left, diags := d.Apply(ctx, scheduleType, d.Plan(ctx, scheduleType, o, nil))
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot delete backup schedule", "another service")
		if left == nil {
			t.Error("it has left the state")
		}
		acctest.ExpectCalls(t, other)
	})
}
