package main

import (
	"encoding/json"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// What tfplugindocs reads must be what it can decode, and hold what an old CLI would leave out.
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
		t.Fatalf("what is exported is not the CLI's format: %v", err)
	}
	schema := read.Schemas["registry.terraform.io/hashicorp/cloudserver"]
	if schema == nil {
		t.Fatal("the provider is not found by the name that tfplugindocs asks for")
	}
	machine := schema.ResourceSchemas["cloudserver_vm"].Block
	if !machine.NestedBlocks["reimage"].Block.Attributes["root_password_wo"].WriteOnly {
		t.Error("root_password_wo is not shown as write-only")
	}
	if mode := machine.NestedBlocks["disc"].NestingMode; mode != tfjson.SchemaNestingModeList {
		t.Errorf("the block disc nests as %q, want a list", mode)
	}
	if interfaces := machine.Attributes["network_interfaces"].AttributeNestedType; interfaces != nil && interfaces.Attributes["mac"] == nil {
		t.Error("network_interfaces lost its attributes")
	}
	if !schema.ResourceIdentitySchemas["cloudserver_vm"].Attributes["id"].RequiredForImport {
		t.Error("the identity is not exported")
	}
}
