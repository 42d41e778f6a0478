package e2e_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// object and objects keep configurations short, diagnostics signatures.
type (
	object      = map[string]any
	objects     = []map[string]any
	diagnostics = []*tfprotov6.Diagnostic
)

const (
	vmType      = "cloudserver_vm"
	serviceHost = "127.0.0.1"
	user        = "sweeper"
	// The tests search everything that the provider says for these markers.
	userPassword = "marker-user-password"
	rootPassword = "marker-root-password"
	bootScript   = "#!/bin/sh\n# marker-firstboot-script\n"
)

// world is a service, the connection to it, and the state of one resource.
type world struct {
	t         testing.TB
	service   *acctest.Emulator
	wire      *wire
	token     string // "": credentials
	tokenFile string // "": none
	retries   int    // max_retries of the provider; 0: its default
	state     *acctest.Object
	promised  []acctest.Promise
}

func newWorldWith(t testing.TB, options emulator.Options) *world {
	t.Helper()
	service := acctest.NewEmulator(t, options)
	service.AddUser(user, userPassword, "")
	return &world{
		t:       t,
		service: &acctest.Emulator{Emulator: service, URL: "http://" + serviceHost},
		wire:    &wire{service: service.Transport()},
	}
}

// process returns a new provider process, as each run of the CLI starts one. It has credentials, so that opening the
// session is swept as well.
func (w *world) process() *acctest.Driver {
	w.t.Helper()
	settings := object{"token": nil, "username": user, "password": userPassword}
	if w.token != "" {
		settings = object{"token": w.token}
	}
	if w.tokenFile != "" {
		settings = object{"token": nil, "token_file": w.tokenFile}
	}
	if w.retries > 0 {
		settings["max_retries"] = w.retries
	}
	return w.service.NewProcess(w.t, w.wire, settings)
}

// apply refreshes, plans and applies a machine, as `terraform apply` does. A nil configuration destroys it.
func (w *world) apply(config object) diagnostics {
	w.t.Helper()
	ctx, d := w.t.Context(), w.process()
	refreshed, diags := d.Refresh(ctx, w.state)
	if acctest.HasErrors(diags) {
		return diags
	}
	plan := d.Plan(ctx, vmType, refreshed, config)
	if diags = append(diags, plan.Diagnostics...); acctest.HasErrors(diags) {
		return diags
	}
	applied, more := d.Apply(ctx, vmType, plan)
	w.state = applied
	return append(diags, more...)
}

// machines returns the machines that are not soft-deleted: a soft-deleted one is not an orphan.
func (w *world) machines() []emulator.Machine {
	var alive []emulator.Machine
	for _, machine := range w.service.Machines() {
		if !machine.Deleted {
			alive = append(alive, machine)
		}
	}
	return alive
}
