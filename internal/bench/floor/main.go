// Floor is the smallest possible provider: one resource with one attribute, on the same framework as ours, that sends
// no request. A run over it shows what Terraform, the plugin protocol and the framework cost.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

func main() {
	factory := func() provider.Provider { return floorProvider{} }
	options := providerserver.ServeOpts{Address: "registry.terraform.io/cloudserver/floor", ProtocolVersion: 6}
	if err := providerserver.Serve(context.Background(), factory, options); err != nil {
		log.Fatal(err)
	}
}

type floorProvider struct{}

func (floorProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "floor"
}

func (floorProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (floorProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (floorProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return thing{} }}
}

func (floorProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }
