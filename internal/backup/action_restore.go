package backup

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewRestoreAction returns the action cloudserver_disc_restore (API.md §4).
func NewRestoreAction() action.Action {
	return &tfkit.Action[restoreConfig]{
		Name: "_disc_restore", DefaultTimeout: defaultTimeout, Order: restoreConfig.restore,
		Description: "Restores a disc from one of its backups, and waits until it is restored. " +
			"**What is on the disc is overwritten**, so the action is refused without `confirm = true`.",
		Attributes: discAttributes(map[string]schema.Attribute{
			"backup_id": tfkit.RequiredID("ID of the backup: `id` of one of the `backups` of the data source `cloudserver_backups`."),
			"confirm": schema.BoolAttribute{
				MarkdownDescription: "Must be `true`: the contents of the disc are replaced by those of the backup.",
				Required:            true,
			},
		}),
	}
}

type restoreConfig struct {
	discConfig
	BackupID types.String `tfsdk:"backup_id"`
	Confirm  types.Bool   `tfsdk:"confirm"`
}

func (c restoreConfig) restore() tfkit.Order {
	o := c.order("restore", func(ctx context.Context, w work) error { return restore(ctx, w, tfkit.IDOf(c.BackupID)) })
	o.Validate = func(diags *diag.Diagnostics) {
		if !c.Confirm.IsUnknown() && !c.Confirm.ValueBool() {
			diags.AddAttributeError(path.Root("confirm"), "Cannot restore a disc without confirmation",
				"A restore overwrites what is on the disc. Set confirm = true if that is what you want.")
		}
	}
	return o
}

// restore starts to restore the disc, and waits.
func restore(ctx context.Context, w work, backup int64) error {
	if isMoving(w.disc) {
		return fmt.Errorf("disc %q is being migrated or restored; wait until that is finished", w.disc.Label)
	}
	before, err := w.client.Backups(ctx, w.ref, w.disc.ID)
	if err != nil {
		return err
	}
	if !contains(before, backup) {
		return &blamed{path.Root("backup_id"), fmt.Sprintf("disc %d has no backup %d", w.disc.ID, backup), "The data source cloudserver_backups lists its backups."}
	}
	w.say(fmt.Sprintf("restoring disc %s from backup %d", w.disc.Label, backup))
	if err := w.client.RestoreBackup(ctx, w.ref, w.disc.ID, backup); err != nil {
		if err = w.lostRestore(ctx, err, before); err != nil {
			return err
		}
	}
	err = w.until(ctx, "the restore of disc "+w.disc.Label, func(ctx context.Context) (bool, string, error) {
		now, err := w.client.Disc(ctx, w.disc.ID)
		if err != nil {
			return false, "", err
		}
		state := "the disc is being restored"
		if now.MigrationProgress != nil {
			state += fmt.Sprintf(": %d %%", *now.MigrationProgress)
		}
		return !isMoving(now), state, nil
	})
	if err == nil {
		w.say("disc " + w.disc.Label + " is restored")
	}
	return err
}

// lostRestore finds out what became of a restore that failed. It returns nil if it
// is under way, and the failure with what is known otherwise: the restore is not
// sent a second time.
func (w work) lostRestore(ctx context.Context, failure error, before []cloudserver.Backup) error {
	if !isAmbiguous(failure) || ctx.Err() != nil {
		return failure
	}
	now, err := w.client.Disc(ctx, w.disc.ID)
	if err != nil {
		return fmt.Errorf("%w; cannot find out whether the disc is being restored: %w", failure, err)
	}
	if now.StorageGrade == coldStorage {
		return nil
	}
	after, err := w.client.Backups(ctx, w.ref, w.disc.ID)
	if err != nil {
		return fmt.Errorf("%w; the disc is not being restored now, and its backups cannot be listed: %w", failure, err)
	}
	for _, b := range after {
		if !contains(before, b.ID) {
			return fmt.Errorf("%w; the disc is not being restored now, but it has a new backup, %d, as one is made before a restore: it may be restored already", failure, b.ID)
		}
	}
	return fmt.Errorf("%w; the disc is not being restored now, and it has no new backup, although one is made before a restore: it has probably not been restored", failure)
}

// isMoving reports whether a disc is migrated or restored now.
func isMoving(d *cloudserver.Disc) bool {
	return d.NewStorageGrade != "" || d.StorageGrade == coldStorage
}
