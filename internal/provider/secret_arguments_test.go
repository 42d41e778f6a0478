// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	framework "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// badSecrets are values that validators refuse. All but the empty ones contain the marker.
var badSecrets = []string{
	"", " ", "marker\n", "marker\r\n", "mar\nmarker", "a marker/..", "marker\x00\x1b[2J", strings.Repeat("marker", 10_000),
	"-----BEGIN OPENSSH PRIVATE KEY-----\nmarker\n-----END OPENSSH PRIVATE KEY-----\n", "ssh-foo marker", "ssh-ed25519 marker", "command=\"marker",
}

// TestValidatorsRepeatNoSecret: whatever is wrong with the value of an argument that holds a secret, no diagnostic
// repeats it. A public key counts, because somebody may set the private one.
func TestValidatorsRepeatNoSecret(t *testing.T) {
	t.Parallel()
	arguments := secretArguments(t.Context(), provider.New("test")())
	for _, known := range []string{"provider password", "vm.vmResource reimage root_password", "session.sessionResource password"} {
		if arguments[known] == nil {
			t.Errorf("%s is not an argument that holds a secret", known)
		}
	}
	for name, validators := range arguments {
		for _, one := range validators {
			refused := slices.DeleteFunc(slices.Clone(badSecrets), func(text string) bool {
				resp := validator.StringResponse{}
				at := path.Root("argument")
				one.ValidateString(t.Context(), validator.StringRequest{Path: at, PathExpression: at.Expression(), ConfigValue: types.StringValue(text)}, &resp)
				for _, d := range resp.Diagnostics {
					if strings.Contains(d.Summary()+d.Detail(), "marker") {
						t.Errorf("%s: %s: %.200s", name, d.Summary(), d.Detail())
					}
				}
				return !resp.Diagnostics.HasError()
			})
			if len(refused) == 0 {
				t.Errorf("%s: add a value that is refused, because it %s", name, one.Description(t.Context()))
			}
		}
	}
}

// secretArguments returns the validators of all arguments that hold a secret, in every schema.
func secretArguments(ctx context.Context, p framework.Provider) map[string][]validator.String {
	found := map[string][]validator.String{}
	var block framework.SchemaResponse
	p.Schema(ctx, framework.SchemaRequest{}, &block)
	addSecrets(found, "provider", block.Schema)
	for _, factory := range p.Resources(ctx) {
		var resp resource.SchemaResponse
		factory().Schema(ctx, resource.SchemaRequest{}, &resp)
		addSecrets(found, nameOf(factory()), resp.Schema)
	}
	for _, factory := range p.DataSources(ctx) {
		var resp datasource.SchemaResponse
		factory().Schema(ctx, datasource.SchemaRequest{}, &resp)
		addSecrets(found, nameOf(factory()), resp.Schema)
	}
	for _, factory := range p.(framework.ProviderWithEphemeralResources).EphemeralResources(ctx) {
		var resp ephemeral.SchemaResponse
		factory().Schema(ctx, ephemeral.SchemaRequest{}, &resp)
		addSecrets(found, nameOf(factory()), resp.Schema)
	}
	for _, factory := range p.(framework.ProviderWithActions).Actions(ctx) {
		var resp action.SchemaResponse
		factory().Schema(ctx, action.SchemaRequest{}, &resp)
		addSecrets(found, nameOf(factory()), resp.Schema)
	}
	for _, factory := range p.(framework.ProviderWithListResources).ListResources(ctx) {
		var resp list.ListResourceSchemaResponse
		factory().ListResourceConfigSchema(ctx, list.ListResourceSchemaRequest{}, &resp)
		addSecrets(found, nameOf(factory()), resp.Schema)
	}
	return found
}

func nameOf(object any) string { return strings.TrimPrefix(fmt.Sprintf("%T", object), "*") }

// addSecrets adds the arguments of a schema and of its blocks. The framework's types of all kinds of schemas are
// internal, so they are inferred.
func addSecrets[
	S interface {
		GetAttributes() map[string]A
		GetBlocks() map[string]B
	},
	B interface{ GetNestedObject() N },
	N interface{ GetAttributes() M },
	M ~map[string]A,
	A interface {
		IsSensitive() bool
		IsWriteOnly() bool
	},
](found map[string][]validator.String, at string, schema S) {
	add := func(at string, attributes map[string]A) {
		for name, attribute := range attributes {
			text, ok := any(attribute).(interface{ StringValidators() []validator.String })
			if ok && (attribute.IsSensitive() || attribute.IsWriteOnly() || name == "ssh_public_key") {
				found[at+" "+name] = text.StringValidators()
			}
		}
	}
	add(at, schema.GetAttributes())
	for name, block := range schema.GetBlocks() {
		add(at+" "+name, block.GetNestedObject().GetAttributes())
	}
}
