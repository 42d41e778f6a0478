// SPDX-License-Identifier: MPL-2.0

package vmaction

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewDiscBackupDelete returns the action cloudserver_disc_backup_delete (API.md §4).
func NewDiscBackupDelete() action.Action {
	return &machineAction[backupDeleteConfig]{
		name: "_disc_backup_delete", timeout: defaultTimeout, task: backupDeleteConfig.task,
		description: "Deletes a backup of a disc. **It cannot be restored any more**, " +
			"so the action is refused without `confirm = true`.",
		attributes: map[string]schema.Attribute{
			"disc_id":   idAttribute(discExample, tfkit.DiscID),
			"backup_id": idAttribute(backupExample, tfkit.NumericID),
			"confirm": schema.BoolAttribute{
				MarkdownDescription: "Must be `true`, because the backup is lost.",
				Required:            true,
			},
		},
	}
}

type backupDeleteConfig struct{ backupConfig }

func (c backupDeleteConfig) task() *task {
	return &task{
		target: c.target, discID: c.DiscID, what: "delete backup " + c.BackupID.ValueString(),
		validate: c.validate, checkPlan: c.checkPlan, refuse: c.refuse, do: []part{c.delete},
	}
}

func (c backupDeleteConfig) validate(_ context.Context, diags *diag.Diagnostics) {
	if !c.Confirm.IsUnknown() && !c.Confirm.ValueBool() {
		diags.AddAttributeError(path.Root("confirm"), "Cannot delete a backup without confirmation",
			"A backup that is deleted cannot be restored any more. Set confirm = true if that is what you want.")
	}
}

func (c backupDeleteConfig) delete(ctx context.Context, t *task) error {
	backup := tfkit.IDOf(c.BackupID)
	if _, err := c.backups(ctx, t); err != nil {
		return err
	}
	err := t.data.Client.DeleteBackup(ctx, t.Ref(), t.disc.ID, backup)
	if err != nil && !cloudserver.IsNotFound(err) { // an earlier attempt whose answer was lost has deleted it
		return err
	}
	progress.Report(ctx, fmt.Sprintf("backup %d of disc %s is deleted", backup, t.disc.Label))
	return nil
}
