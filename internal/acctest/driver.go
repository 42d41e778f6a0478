// SPDX-License-Identifier: MPL-2.0

// Package acctest is what the tests of all packages share. Only tests import it.
//
//   - Main prepares the tests that run a CLI: they never see a developer's own configuration.
//   - Emulator is the service, in this process. ExpectCalls compares what was sent to it.
//   - Driver is a provider in this process, driven over its protocol as Terraform drives it, in about a millisecond an
//     operation. Drive returns one with an emulator in memory: without sockets, so that it works with testing/synctest.
//
// The life of a machine:
//
//	d, e := acctest.Drive(t, emulator.Options{BootTime: time.Minute}, nil)
//	config := map[string]any{"name": "web1", "disc": []map[string]any{{"label": "vda", "size": 25600}}}
//	o := d.MustApply(ctx, "cloudserver_vm", nil, config)         // create
//	d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)             // refresh, plan
//	config["name"] = "web2"
//	plan := d.Plan(ctx, "cloudserver_vm", o, config)             // plan.Action, plan.Changes, plan.Warnings
//	o, diags := d.Apply(ctx, "cloudserver_vm", plan)             // o.Get("disc.0.id")
//	d.MustApply(ctx, "cloudserver_vm", o, nil)                   // destroy
//
// Files of the driver: schema, config and values turn Go maps into typed values; propose, plan_valid and compatible are
// Terraform's rules about them; driver, plan, apply, read, data_source, list and action are the operations; object and
// diagnostics are what tests look at. A test takes the driver and a CLI through the same steps, and compares what they
// ask the provider.
package acctest

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"

	framework "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// Driver drives a provider over its protocol as Terraform does: it proposes, plans, applies, refreshes and imports, and
// fails the test if the provider breaks one of Terraform's rules. Any number of goroutines may use it at once.
//
// Configurations are Go maps: strings, booleans, numbers, slices, maps, Unknown, map[string]any for a single block, and
// []map[string]any for repeated ones. What is missing is null.
type Driver struct {
	*schemas
	t      testing.TB
	server provider.Server
}

// NewServer returns the server of a provider, of which each answer of the fast path is compared with the framework's.
func NewServer(t testing.TB, p framework.Provider) provider.Server {
	t.Helper()
	server, err := provider.NewServer(p)
	if err != nil {
		t.Fatal(err)
	}
	return bothWays{server, t}
}

// OpenDriver returns a driver of this provider, which is not configured yet.
func OpenDriver(t testing.TB, server provider.Server) *Driver {
	t.Helper()
	all, err := ownSchemas()
	if err != nil {
		t.Fatal(err)
	}
	return &Driver{schemas: all, t: t, server: server}
}

// ownSchemas reads the schemas of this provider once: that takes longer than most of what tests do with a driver.
var ownSchemas = sync.OnceValues(func() (*schemas, error) {
	server, err := provider.NewServer(provider.New("test")())
	if err != nil {
		return nil, err
	}
	return readSchemas(context.Background(), server)
})

// NewDriver returns a driver of a configured provider.
func NewDriver(t testing.TB, server provider.Server, providerConfig map[string]any) *Driver {
	t.Helper()
	d := OpenDriver(t, server)
	d.must("configure", "the provider", d.Configure(t.Context(), providerConfig))
	return d
}

// terraformVersion is the version of Terraform that a driver claims to be: one with all that the provider offers.
const terraformVersion = "1.14.0"

// Configure validates the provider block and, if it is valid, configures the provider.
func (d *Driver) Configure(ctx context.Context, config map[string]any) []*tfprotov6.Diagnostic {
	d.t.Helper()
	value := d.encode(d.config(d.provider, config))
	validated, err := d.server.ValidateProviderConfig(ctx, &tfprotov6.ValidateProviderConfigRequest{Config: value})
	d.answered(err)
	if HasErrors(validated.Diagnostics) {
		return validated.Diagnostics
	}
	configured, err := d.server.ConfigureProvider(
		ctx, &tfprotov6.ConfigureProviderRequest{Config: value, TerraformVersion: terraformVersion})
	d.answered(err)
	return append(validated.Diagnostics, configured.Diagnostics...)
}

// Stop asks the provider to cancel its operations, as Terraform does after an interrupt.
func (d *Driver) Stop(ctx context.Context) error {
	_, err := d.server.StopProvider(ctx, &tfprotov6.StopProviderRequest{})
	return err
}

// Validate validates the configuration of a resource.
func (d *Driver) Validate(typeName string, config map[string]any) []*tfprotov6.Diagnostic {
	d.t.Helper()
	return d.validate(d.t.Context(), typeName, d.config(d.resource(typeName), config))
}

func (d *Driver) validate(ctx context.Context, typeName string, config tftypes.Value) []*tfprotov6.Diagnostic {
	d.t.Helper()
	resp, err := d.server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{
		TypeName:           typeName,
		Config:             d.encode(config),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	d.answered(err)
	return resp.Diagnostics
}

// ResourceTypes returns the types of resources that the provider has, sorted.
func (d *Driver) ResourceTypes() []string { return slices.Sorted(maps.Keys(d.resources)) }

// Arguments returns the attributes and blocks of a resource that a configuration may have, sorted.
func (d *Driver) Arguments(typeName string) []string {
	d.t.Helper()
	var names []string
	for name, f := range d.resource(typeName).fields {
		if f.optional || !f.computed {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (d *Driver) resource(typeName string) *schema {
	d.t.Helper()
	return d.known(d.resources, typeName)
}

// known returns the schema of a type. If the provider does not have it, the test is wrong.
func (d *Driver) known(all map[string]*schema, typeName string) *schema {
	d.t.Helper()
	s := all[typeName]
	if s == nil {
		d.t.Fatalf("the provider has no %s", typeName)
	}
	return s
}

// config converts a configuration to the types of the schema. If it does not fit, the test is wrong.
func (d *Driver) config(s *schema, config map[string]any) tftypes.Value {
	d.t.Helper()
	value, err := buildObject(s.fields, s.typ, config, "")
	if err != nil {
		d.t.Fatalf("the test's configuration: %v", err)
	}
	return value
}

func (d *Driver) encode(value tftypes.Value) *tfprotov6.DynamicValue {
	d.t.Helper()
	encoded, err := tfprotov6.NewDynamicValue(value.Type(), value)
	if err != nil {
		d.t.Fatalf("encode a value: %v", err)
	}
	return &encoded
}

// decode decodes a value. A missing value is null.
func (d *Driver) decode(encoded *tfprotov6.DynamicValue, typ tftypes.Type) tftypes.Value {
	d.t.Helper()
	if encoded == nil {
		return tftypes.NewValue(typ, nil)
	}
	value, err := encoded.Unmarshal(typ)
	if err != nil {
		d.t.Fatalf("the provider answered a value that its schema does not allow: %v", err)
	}
	return value
}

// answered fails the test if a call to the provider failed as such, without diagnostics.
func (d *Driver) answered(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatalf("the provider did not answer: %v", err)
	}
}

// must fails the test if there are errors.
func (d *Driver) must(do, typeName string, diags []*tfprotov6.Diagnostic) {
	d.t.Helper()
	if HasErrors(diags) {
		d.t.Fatalf("%s %s:\n%s", do, typeName, DiagText(diags))
	}
}

// broken fails the test for every rule of Terraform that the provider broke.
func (d *Driver) broken(what, typeName string, problems []string) {
	d.t.Helper()
	for _, problem := range problems {
		d.t.Errorf("%s: the provider broke the protocol in %s: %s", typeName, what, problem)
	}
}
