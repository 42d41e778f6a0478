package rdns

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ datasource.DataSourceWithConfigure = (*dataSource)(nil)

type dataSource struct {
	data *tfkit.ProviderData
}

// NewDataSource returns the data source cloudserver_rdns.
func NewDataSource() datasource.DataSource {
	return &dataSource{}
}

func (d *dataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + typeName
}

func (d *dataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &d.data, &resp.Diagnostics)
}

func (d *dataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Provides the reverse DNS name of an IP address. Unless somebody has set another name, it is the `hostname` of the machine that has the address.",
		Attributes: map[string]schema.Attribute{
			"address": schema.StringAttribute{
				CustomType:          tfkit.IPAddressType{Version: tfkit.AnyIP},
				MarkdownDescription: "IPv4 or IPv6 address of a machine.",
				Required:            true,
			},
			"hostname": schema.StringAttribute{
				MarkdownDescription: "Name that the address resolves to, or null if it has none.",
				Computed:            true,
			},
		},
	}
}

func (d *dataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.data.RequireReady("read "+m.title(), &resp.Diagnostics) {
		return
	}
	ip, err := d.data.Client.IP(ctx, m.Address.ValueString())
	if err != nil {
		addError(&resp.Diagnostics, "Cannot read "+m.title(), err, "")
		return
	}
	m.Hostname = types.StringNull()
	if ip.RDNS != nil && *ip.RDNS != "" {
		m.Hostname = types.StringValue(*ip.RDNS)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}
