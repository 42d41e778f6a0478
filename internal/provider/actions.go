package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/backup"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/vmaction"
)

var _ provider.ProviderWithActions = (*cloudserverProvider)(nil)

func (p *cloudserverProvider) Actions(context.Context) []func() action.Action {
	return []func() action.Action{
		backup.NewBackupAction,
		backup.NewRestoreAction,
		vmaction.NewDiscMove,
		vmaction.NewPower,
		vmaction.NewPurge,
		vmaction.NewReimage,
		vmaction.NewSignal,
		vmaction.NewUndelete,
	}
}
