package vm_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fastplan"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// TestUnchangedPlansCostAFifth: the plan of a machine in which nothing changes costs less than a fifth of the
// framework's, whatever the machine has been through, and whatever its configuration has. That is counted in
// allocations.
func TestUnchangedPlansCostAFifth(t *testing.T) { //nolint:paralleltest // sets the environment
	image := given{"reimage.distribution": "trixie", "reimage.ssh_public_key": "ssh-ed25519 AAAA"}
	for name, machine := range map[string]lived{
		"with an image":      created(image),
		"without an image":   created(),
		"with a password":    created(given{"reimage.distribution": "trixie", "reimage.root_password": "test-only"}),
		"with a script":      created(image, given{"reimage.firstboot_script": "#!/bin/sh\n"}),
		"protected":          created(image, given{"deletion_protection": true}),
		"of three discs":     created(image, given{"disc": discs("vda:25600:sata", "vdb:51200:archive", "vdc:51200:ssd")}),
		"whose name is kept": created(image, given{"purge_on_destroy": false}),
		"imported":           imported,
	} {
		t.Run(name, func(t *testing.T) { //nolint:paralleltest // sets the environment
			cost := map[string]float64{}
			for _, mode := range []string{"on", "off"} {
				t.Setenv(fastplan.Switch, mode)
				e := &acctest.Emulator{Emulator: acctest.NewEmulator(t, emulator.Options{}), URL: "http://127.0.0.1"}
				s := &lastPlan{Server: acctest.NewServer(t, provider.NewWithTransport("test", e.Transport())())}
				d := acctest.NewDriver(t, s, e.ProviderConfig(nil))
				o, config := machine(t, d, e)
				d.ExpectPlan(t.Context(), o, config, noop)
				cost[mode] = testing.AllocsPerRun(5, func() { _, _ = s.Server.PlanResourceChange(t.Context(), s.req) })
			}
			if cost["on"]*5 > cost["off"] {
				t.Errorf("%.0f allocations, and %.0f with the framework", cost["on"], cost["off"])
			}
		})
	}
}

// lived returns a machine, and the configuration of which it is.
type lived func(*testing.T, *acctest.Driver, *acctest.Emulator) (*acctest.Object, object)

func created(settings ...given) lived {
	return func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) (*acctest.Object, object) {
		t.Helper()
		config := configured(settings...)
		return d.MustRefresh(t.Context(), d.MustApply(t.Context(), vmType, nil, config)), config
	}
}

func imported(t *testing.T, d *acctest.Driver, e *acctest.Emulator) (*acctest.Object, object) {
	t.Helper()
	addImportable(e)
	return mustImport(t, d, "private/web1"), reportedConfig()
}

// lastPlan records the last plan that a server was asked for.
type lastPlan struct {
	provider.Server
	req *tfprotov6.PlanResourceChangeRequest
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s *lastPlan) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	s.req = req
	return s.Server.PlanResourceChange(ctx, req)
}
