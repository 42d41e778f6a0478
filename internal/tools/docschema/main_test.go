package main

import (
	"encoding/json"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// TestExport checks that tfplugindocs can decode the schemas, and that they have what an old CLI would leave out.
func TestExport(t *testing.T) {
	t.Parallel()
	exported, err := export(t.Context(), providerserver.NewProtocol6(provider.New("test")())())
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(exported)
	if err != nil {
		t.Fatal(err)
	}
	var read tfjson.ProviderSchemas
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatalf("the schemas are not in the CLI's format: %v", err)
	}
	schema := read.Schemas["registry.terraform.io/hashicorp/cloudserver"]
	if schema == nil {
		t.Fatal("the provider is not found by the name that tfplugindocs looks up")
	}
	machine := schema.ResourceSchemas["cloudserver_vm"].Block
	if !machine.NestedBlocks["reimage"].Block.Attributes["root_password"].WriteOnly {
		t.Error("root_password is not shown as write-only")
	}
	if mode := machine.NestedBlocks["disc"].NestingMode; mode != tfjson.SchemaNestingModeList {
		t.Errorf("the block disc nests as %q, want a list", mode)
	}
	interfaces := schema.DataSourceSchemas["cloudserver_vm"].Block.Attributes["network_interfaces"]
	if nested := interfaces.AttributeNestedType; nested == nil || nested.NestingMode != tfjson.SchemaNestingModeList || nested.Attributes["mac"] == nil {
		t.Errorf("network_interfaces lost its nested attributes: %+v", interfaces)
	}
	if !schema.ResourceIdentitySchemas["cloudserver_vm"].Attributes["id"].RequiredForImport {
		t.Error("the schemas lack the identity")
	}
}
