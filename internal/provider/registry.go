// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/account"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/backup"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/definitions"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/functions"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/group"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/rdns"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/session"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/vm"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/vmaction"
)

var (
	_ provider.ProviderWithEphemeralResources = (*cloudserverProvider)(nil)
	_ provider.ProviderWithFunctions          = (*cloudserverProvider)(nil)
)

func (p *cloudserverProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		backup.NewResource,
		group.NewResource,
		rdns.NewResource,
		vm.NewResource,
	}
}

func (p *cloudserverProvider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		account.NewDataSource,
		backup.NewDataSource,
		definitions.NewDataSource,
		group.NewDataSource,
		group.NewGroupsDataSource,
		rdns.NewDataSource,
		vm.NewDataSource,
		vm.NewVMsDataSource,
	}
}

func (p *cloudserverProvider) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{
		session.New,
	}
}

func (p *cloudserverProvider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		functions.NewMegabytes,
	}
}

var _ provider.ProviderWithActions = (*cloudserverProvider)(nil)

func (p *cloudserverProvider) Actions(context.Context) []func() action.Action {
	return []func() action.Action{
		vmaction.NewDiscBackup,
		vmaction.NewDiscBackupDelete,
		vmaction.NewDiscMove,
		vmaction.NewDiscRestore,
		vmaction.NewPower,
		vmaction.NewPurge,
		vmaction.NewReimage,
		vmaction.NewSignal,
		vmaction.NewUndelete,
	}
}

var _ provider.ProviderWithListResources = (*cloudserverProvider)(nil)

func (p *cloudserverProvider) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{
		backup.NewListResource,
		group.NewListResource,
		rdns.NewListResource,
		vm.NewListResource,
	}
}
