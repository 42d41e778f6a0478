package vmaction

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewDiscRestore returns the action cloudserver_disc_restore (API.md §4).
func NewDiscRestore() action.Action {
	return &machineAction[restoreConfig]{
		name: "_disc_restore", timeout: copyTimeout, order: restoreConfig.order,
		description: "Restores a disc from one of its backups, and waits until it is restored. " +
			"**What is on the disc is overwritten**, so the action is refused without `confirm = true`.",
		attributes: map[string]schema.Attribute{
			"disc_id":   idAttribute(discExample),
			"backup_id": idAttribute("ID of the backup, from the data source `cloudserver_backups`."),
			"confirm": schema.BoolAttribute{
				MarkdownDescription: "Must be `true`: the contents of the disc are replaced by those of the backup.",
				Required:            true,
			},
		},
	}
}

type restoreConfig struct {
	discConfig
	BackupID types.String `tfsdk:"backup_id"`
	Confirm  types.Bool   `tfsdk:"confirm"`
}

func (c restoreConfig) order() order {
	return order{
		target: c.target, disc: c.DiscID, what: "restore disc " + c.DiscID.ValueString(), look: lookAtCopies,
		loses: "What is on the disc would be overwritten",
		validate: func(diags *diag.Diagnostics) {
			if !c.Confirm.IsUnknown() && !c.Confirm.ValueBool() {
				diags.AddAttributeError(path.Root("confirm"), "Cannot restore a disc without confirmation",
					"A restore overwrites what is on the disc. Set confirm = true if that is what you want.")
			}
		},
		refuse: func(_ *cloudserver.VirtualMachine, disc *cloudserver.Disc) string {
			if !isMoving(disc) {
				return ""
			}
			return fmt.Sprintf("Disc %q is being migrated or restored; wait until that is finished.", disc.Label)
		},
		requires: c.find,
		do:       func(ctx context.Context, w *work) error { return unrepeatable(c.restore(ctx, w)) },
	}
}

// find refuses a backup that the disc does not have. Nothing in the same run makes one with an ID that is known.
func (c restoreConfig) find(ctx context.Context, w *work) error {
	if c.BackupID.IsUnknown() {
		return nil
	}
	_, backups, err := w.backups(ctx)
	switch {
	case err != nil:
		return err
	case !contains(backups, tfkit.IDOf(c.BackupID)):
		return &refusal{
			at: path.Root("backup_id"), lasting: true,
			text: fmt.Sprintf("Disc %d has no backup %s. The data source cloudserver_backups lists its backups.", w.disc.ID, c.BackupID.ValueString()),
		}
	}
	if err := location.CheckBackupPath(backups, tfkit.IDOf(c.BackupID)); err != nil {
		return &refusal{at: path.Root("backup_id"), text: tfkit.Sentence(err.Error())}
	}
	return nil
}

// restore starts to restore the disc, and waits.
func (c restoreConfig) restore(ctx context.Context, w *work) error {
	backup := tfkit.IDOf(c.BackupID)
	if backup == 0 {
		return &refusal{at: path.Root("backup_id"), text: "backup_id is not set. The data source cloudserver_backups lists the backups of a disc."}
	}
	if err := c.find(ctx, w); err != nil {
		return err
	}
	progress.Report(ctx, fmt.Sprintf("restoring disc %s from backup %d", w.disc.Label, backup))
	if err := w.RestoreBackup(ctx, w.disc.ID, backup); err != nil {
		if !cloudserver.IsAmbiguous(err) {
			return err
		}
		now, lookErr := w.client.Disc(ctx, w.disc.ID)
		if lookErr != nil || now.StorageGrade != cloudserver.ColdStorage { // the request is never repeated
			return fmt.Errorf("%w; as far as can be seen, the disc is not being restored now, but it may have been: "+
				"a restored disc has a new backup, made before the restore", errors.Join(err, lookErr))
		}
	}
	of, moved, still := "disc "+w.disc.Label, false, 0 // still: answers in turn that show the disc as before
	err := w.until(ctx, "the restore of "+of, of+" to be restored", func(_ context.Context, now *cloudserver.Disc) (bool, string, error) {
		state := "it is being restored"
		if now.MigrationProgress != nil {
			state += fmt.Sprintf(": %d %%", *now.MigrationProgress)
		}
		if isMoving(now) {
			moved, still = true, 0
			return false, state, nil
		}
		still++
		return moved || still == enough, "it is not being restored yet, or is restored", nil
	})
	if err == nil {
		progress.Report(ctx, "disc "+w.disc.Label+" is restored")
	}
	return err
}

// isMoving reports whether a disc is being migrated or restored.
func isMoving(d *cloudserver.Disc) bool {
	return d.NewStorageGrade != "" || d.StorageGrade == cloudserver.ColdStorage
}
