// SPDX-License-Identifier: MPL-2.0

package adopt

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// The resources.
const (
	groupType    = "cloudserver_group"
	machineType  = "cloudserver_vm"
	scheduleType = "cloudserver_backup_schedule"
	nameType     = "cloudserver_rdns"
)

// plugin is the configured provider.
type plugin struct {
	server  provider.Server
	schemas *tfprotov6.GetProviderSchemaResponse
}

// connect configures the provider. The account is the default of all resources; "" is none.
func connect(ctx context.Context, server provider.Server, account string) (*plugin, error) {
	block := map[string]cty.Value{}
	if account != "" {
		block["account"] = cty.StringVal(account)
	}
	diags, err := cmd.Configure(ctx, server, block)
	if err == nil {
		err = cmd.ErrorOf(diags)
	}
	if err != nil {
		return nil, err
	}
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	return &plugin{server, schemas}, err
}

// object is an object of the service as an import would read it.
type object struct {
	typeName string
	state    cty.Value
	encoded  *tfprotov6.DynamicValue // the state
}

// text returns a text attribute, or "" if it is null.
func (o object) text(attribute string) string { return textOf(o.state.GetAttr(attribute)) }

func textOf(value cty.Value) string {
	if value.IsNull() {
		return ""
	}
	return value.AsString()
}

// importID returns the ID to import the object by.
func (o object) importID() string { return importIDOf(o.typeName, o.text) }

// importIDOf returns the ID to import an object by. text returns an attribute of it.
func importIDOf(typeName string, text func(attribute string) string) string {
	switch typeName {
	case scheduleType:
		return text("virtual_machine_id") + "/" + text("disc_id") + "/" + text("id")
	case nameType:
		return text("address")
	default:
		return text("id")
	}
}

// list runs a list block without a limit. It returns what was found even if there is an error.
func (p *plugin) list(ctx context.Context, typeName string, arguments map[string]cty.Value) (all []object, err error) {
	config, err := cmd.Config(p.schemas.ListResourceSchemas[typeName], arguments)
	if err != nil {
		return nil, err
	}
	stream, err := p.server.ListResource(
		ctx, &tfprotov6.ListResourceRequest{TypeName: typeName, Config: config, IncludeResource: true},
	)
	if err != nil {
		return nil, err
	}
	for result := range stream.Results {
		if err := cmd.ErrorOf(result.Diagnostics); err != nil {
			return all, err
		}
		if result.Resource == nil { // a warning
			continue
		}
		state, err := cmd.Decode(p.schemas.ResourceSchemas[typeName], result.Resource)
		if err != nil {
			return all, err
		}
		all = append(all, object{typeName, state, result.Resource})
	}
	return all, nil
}

// generate returns the generated configuration of an object. It returns an error if Terraform would refuse it.
func (p *plugin) generate(ctx context.Context, o object) (cty.Value, error) {
	generated, err := p.server.GenerateResourceConfig(
		ctx, &tfprotov6.GenerateResourceConfigRequest{TypeName: o.typeName, State: o.encoded},
	)
	if err == nil {
		err = cmd.ErrorOf(generated.Diagnostics)
	}
	if err != nil {
		return cty.NilVal, err
	}
	validated, err := p.server.ValidateResourceConfig(
		ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: o.typeName, Config: generated.Config},
	)
	if err == nil {
		err = cmd.ErrorOf(validated.Diagnostics)
	}
	if err != nil {
		return cty.NilVal, err
	}
	return cmd.Decode(p.schemas.ResourceSchemas[o.typeName], generated.Config)
}
