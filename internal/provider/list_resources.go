package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/group"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/vm"
)

var _ provider.ProviderWithListResources = (*cloudserverProvider)(nil)

func (p *cloudserverProvider) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{
		group.NewListResource,
		vm.NewListResource,
	}
}
