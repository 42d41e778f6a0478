// SPDX-License-Identifier: MPL-2.0

package rdns

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewDataSource returns the data source cloudserver_rdns.
func NewDataSource() datasource.DataSource {
	return &tfkit.DataSource[model]{
		Name: typeName, What: "read a reverse DNS name", Find: find,
		Description: "Provides the reverse DNS name of an IP address.",
		Attributes: map[string]schema.Attribute{
			"address": schema.StringAttribute{
				MarkdownDescription: "IPv4 or IPv6 address of a machine.",
				Required:            true,
				Validators:          []validator.String{tfkit.IPAddress(tfkit.AnyIP)},
			},
			"hostname": schema.StringAttribute{
				MarkdownDescription: "Name that the address resolves to, or null. " +
					"Unless somebody has set another one, it is that of the machine.",
				Computed: true,
			},
		},
	}
}

func find(ctx context.Context, d *tfkit.ProviderData, m *model, diags *diag.Diagnostics) {
	name, err := m.read(ctx, d.Client)
	if err != nil {
		addError(diags, "Cannot read "+m.title(), err)
	}
	m.Hostname = tfkit.StringOrNull(name)
}
