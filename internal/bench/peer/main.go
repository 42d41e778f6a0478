// Peer is shaped like the most used provider for virtual machines on this framework: one flat resource of 29 attributes
// and one block, 4 requests in turn to create it, 1 to read, 7 to change and 2 to destroy it. It shows what such a
// provider costs on the machine that measures.
package main

import (
	"context"
	"log"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

func main() {
	silence()
	factory := func() provider.Provider { return peerProvider{} }
	options := providerserver.ServeOpts{Address: "registry.terraform.io/cloudserver/peer", ProtocolVersion: 6}
	if err := providerserver.Serve(context.Background(), factory, options); err != nil {
		log.Fatal(err)
	}
}

// silence prevents the framework's log lines that nobody reads. Without it the subject takes up to twice the CPU time
// that was measured with the provider it is shaped like.
func silence() {
	if os.Getenv("TF_LOG") == "" {
		_ = os.Setenv("TF_LOG_SDK", "off") // on failure the lines are written, which does no harm
	}
}

type peerProvider struct{}

func (peerProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "peer"
}

func (peerProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (peerProvider) Configure(_ context.Context, _ provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	resp.ResourceData = newClient()
}

func (peerProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return &server{} }}
}

func (peerProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }
