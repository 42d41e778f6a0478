package acctest

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// GeneratedConfig is the configuration that -generate-config-out writes for an
// object: what the provider makes of its state, without what is sensitive.
func (d *Driver) GeneratedConfig(ctx context.Context, o *Object) map[string]any {
	d.t.Helper()
	s := d.resource(o.TypeName)
	resp, err := d.server.GenerateResourceConfig(ctx, &tfprotov6.GenerateResourceConfigRequest{TypeName: o.TypeName, State: d.encode(o.State)})
	if err != nil || HasErrors(resp.Diagnostics) {
		d.t.Fatalf("generate a configuration of %s: %v", o.TypeName, err)
	}
	config, ok := goValue(d.decode(resp.Config, s.typ)).(map[string]any)
	if !ok {
		d.t.Fatalf("generate a configuration of %s: it is null", o.TypeName)
	}
	s.fields.leaveOutSecrets(config)
	return config
}

// leaveOutSecrets makes every sensitive attribute null, as core does.
func (fs fields) leaveOutSecrets(config map[string]any) {
	for name, f := range fs {
		if f.sensitive {
			config[name] = nil
			continue
		}
		switch value := config[name].(type) {
		case map[string]any:
			f.fields.leaveOutSecrets(value)
		case []any:
			for _, element := range value {
				if object, ok := element.(map[string]any); ok {
					f.fields.leaveOutSecrets(object)
				}
			}
		}
	}
}
