package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/backup"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/vm"
)

var _ provider.ProviderWithActions = (*cloudserverProvider)(nil)

func (p *cloudserverProvider) Actions(context.Context) []func() action.Action {
	return []func() action.Action{
		backup.NewBackupAction,
		backup.NewRestoreAction,
		vm.NewPowerAction,
		vm.NewPurgeAction,
		vm.NewReimageAction,
		vm.NewSignalAction,
		vm.NewUndeleteAction,
	}
}
