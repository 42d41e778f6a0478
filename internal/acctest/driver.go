package acctest

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// Driver drives a provider over its protocol as Terraform does: it proposes,
// plans, applies, refreshes and imports by core's rules, and fails the test
// when the provider breaks one. Any number of goroutines may use it at once.
//
// Configurations are Go maps: strings, bools, numbers, slices, maps, Unknown,
// map[string]any for a single block or nested object, []map[string]any for
// repeated ones. What is missing is null.
type Driver struct {
	*schemas
	t      testing.TB
	server tfprotov6.ProviderServer
	own    wholeProvider // nil for a server that is not this provider's
	run    *oneRun       // nil while several runs share the process
}

// oneRun are the objects whose states the provider has in a run. Terraform passes it each of them once.
type oneRun struct{ known sync.Map }

// knows reports whether the provider has the state of an object.
func (r *oneRun) knows(o *Object) bool {
	if r == nil {
		return false
	}
	_, known := r.known.Load(o)
	return known
}

// add notes that the provider has the states of objects.
func (r *oneRun) add(objects ...*Object) {
	for _, o := range objects {
		if r != nil {
			r.known.Store(o, true)
		}
	}
}

// OneRun makes what the driver does from now on one run: the plan or the apply of one configuration. Without it, the
// process is shared by several runs, and each plan may be another one's.
func (d *Driver) OneRun() *Driver {
	d.own.Data().Notes, d.run = run.Notes{}, &oneRun{}
	return d
}

// NewDriver configures the provider, and fails the test on any error.
func NewDriver(t testing.TB, server tfprotov6.ProviderServer, providerConfig map[string]any) *Driver {
	t.Helper()
	d := OpenDriver(t, server)
	d.mustConfigure(providerConfig)
	return d
}

func (d *Driver) mustConfigure(config map[string]any) {
	d.t.Helper()
	d.must("configure", "the provider", d.configure(d.t.Context(), d.encode(d.config(d.provider, config))))
}

// must fails the test if there are errors.
func (d *Driver) must(do, typeName string, diags []*tfprotov6.Diagnostic) {
	d.t.Helper()
	if HasErrors(diags) {
		d.t.Fatalf("%s %s:\n%s", do, typeName, DiagText(diags))
	}
}

// OpenDriver reads the provider's schemas without configuring it, for tests of Configure.
func OpenDriver(t testing.TB, server tfprotov6.ProviderServer) *Driver {
	t.Helper()
	all, err := readSchemas(t.Context(), server)
	if err != nil {
		t.Fatal(err)
	}
	return &Driver{schemas: all, t: t, server: server}
}

// Configure validates the provider block and, if it is valid, configures the provider.
func (d *Driver) Configure(ctx context.Context, config map[string]any) []*tfprotov6.Diagnostic {
	d.t.Helper()
	value := d.encode(d.config(d.provider, config))
	validated, err := d.server.ValidateProviderConfig(ctx, &tfprotov6.ValidateProviderConfigRequest{Config: value})
	if err != nil {
		return callFailed(err)
	}
	if HasErrors(validated.Diagnostics) {
		return validated.Diagnostics
	}
	diags := append(validated.Diagnostics, d.configure(ctx, value)...)
	if d.own != nil && d.own.Data() != nil {
		d.own.Data().Notes.Shared = true // until OneRun
	}
	return diags
}

// configure configures the provider without a validation before it, as in a test file that configures it.
func (d *Driver) configure(ctx context.Context, config *tfprotov6.DynamicValue) []*tfprotov6.Diagnostic {
	configured, err := d.server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: config})
	if err != nil {
		return callFailed(err)
	}
	return configured.Diagnostics
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
	resp, err := d.server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{
		TypeName:           typeName,
		Config:             d.encode(config),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	if err != nil {
		return callFailed(err)
	}
	return resp.Diagnostics
}

func (d *Driver) resource(typeName string) *schema {
	d.t.Helper()
	s := d.resources[typeName]
	if s == nil {
		d.t.Fatalf("the provider has no resource %s", typeName)
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

// broken fails the test for every rule of Terraform that the provider broke.
func (d *Driver) broken(what, typeName string, problems []string) {
	d.t.Helper()
	for _, problem := range problems {
		d.t.Errorf("%s: the provider broke the protocol in %s: %s", typeName, what, problem)
	}
}

// ResourceTypes returns the types of resources that the provider has, sorted.
func (d *Driver) ResourceTypes() []string { return slices.Sorted(maps.Keys(d.resources)) }
