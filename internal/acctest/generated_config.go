package acctest

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// GeneratedConfig returns the configuration that -generate-config-out writes for an object with Terraform 1.14 and
// newer: what the provider returns for its state, without sensitive values.
func (d *Driver) GeneratedConfig(ctx context.Context, o *Object) map[string]any {
	d.t.Helper()
	s := d.resource(o.TypeName)
	resp, err := d.server.GenerateResourceConfig(
		ctx, &tfprotov6.GenerateResourceConfigRequest{TypeName: o.TypeName, State: d.encode(o.State)},
	)
	if err != nil || HasErrors(resp.Diagnostics) {
		d.t.Fatalf("generate a configuration of %s: %v", o.TypeName, err)
	}
	config, ok := goValue(d.decode(resp.Config, s.typ)).(map[string]any)
	if !ok {
		d.t.Fatalf("generate a configuration of %s: it is null", o.TypeName)
	}
	s.fields.leaveOut(config, func(f *field) bool { return f.sensitive })
	return config
}

// StateAsConfig returns the configuration that other CLIs write: everything in the state that may be in a
// configuration.
func (d *Driver) StateAsConfig(o *Object) map[string]any {
	d.t.Helper()
	config, ok := goValue(o.State).(map[string]any)
	if !ok {
		d.t.Fatalf("%s has no state", o.TypeName)
	}
	s := d.resource(o.TypeName)
	s.fields.leaveOut(config, func(f *field) bool { return f.sensitive || f.computed && !f.optional })
	return config
}

// leaveOut sets the selected attributes to null.
func (fs fields) leaveOut(config map[string]any, which func(*field) bool) {
	for name, f := range fs {
		if f.fields == nil && which(f) {
			config[name] = nil
			continue
		}
		switch value := config[name].(type) {
		case map[string]any:
			f.fields.leaveOut(value, which)
		case []any:
			for _, element := range value {
				if object, ok := element.(map[string]any); ok {
					f.fields.leaveOut(object, which)
				}
			}
		}
	}
}
