package examples_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// olderProviderMachine is the variable with the ID that the stand-in for the older provider has for its one machine. It makes the
// program of these tests that provider.
const olderProviderMachine = "OLDER_PROVIDER_MACHINE"

// placeOlderProvider puts it into the mirror.
func placeOlderProvider(t *testing.T, program string) {
	t.Helper()
	self, err := os.Executable()
	if err == nil {
		err = os.MkdirAll(filepath.Dir(program), 0o755)
	}
	if err == nil {
		err = os.WriteFile(program, fmt.Appendf(nil, "#!/bin/sh\nexec '%s'\n", self), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func serveOlderProvider(machine string) {
	err := providerserver.Serve(context.Background(), func() provider.Provider { return olderProvider{machine: machine} },
		providerserver.ServeOpts{Address: "registry.terraform.io/hashicorp/bigv"})
	if err != nil {
		log.Fatal(err)
	}
}

// olderProvider has a resource that only remembers what it is configured with.
type olderProvider struct {
	provider.Provider
	machine string
}

func (olderProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "bigv"
}
func (olderProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}
func (olderProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}
func (olderProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }
func (p olderProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return olderMachine{machine: p.machine} }}
}

type olderMachine struct {
	resource.Resource
	machine string
}

func (olderMachine) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "bigv_vm"
}

func (olderMachine) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema.Attributes = map[string]schema.Attribute{
		"id": schema.StringAttribute{Computed: true}, "name": schema.StringAttribute{Required: true},
		"group": schema.StringAttribute{Optional: true}, "os": schema.StringAttribute{Optional: true},
		"cores": schema.Int64Attribute{Optional: true}, "memory": schema.Int64Attribute{Optional: true},
		"disc_size": schema.Int64Attribute{Optional: true}, "root_password": schema.StringAttribute{Optional: true, Sensitive: true},
	}
}

func (m olderMachine) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), m.machine)...)
}
func (olderMachine) Read(context.Context, resource.ReadRequest, *resource.ReadResponse)       {}
func (olderMachine) Update(context.Context, resource.UpdateRequest, *resource.UpdateResponse) {}
func (olderMachine) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}
