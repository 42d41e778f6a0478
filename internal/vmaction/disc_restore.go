package vmaction

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
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
				MarkdownDescription: "Must be `true`, because the disc is overwritten.",
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
		target: c.target, disc: c.DiscID, what: "restore disc " + c.DiscID.ValueString(),
		validate: c.validate, refuse: c.refuse, do: c.restore,
	}
}

func (c restoreConfig) validate(diags *diag.Diagnostics) {
	if !c.Confirm.IsUnknown() && !c.Confirm.ValueBool() {
		diags.AddAttributeError(path.Root("confirm"), "Cannot restore a disc without confirmation",
			"A restore overwrites what is on the disc. Set confirm = true if that is what you want.")
	}
}

func (c restoreConfig) refuse(_ *cloudserver.VirtualMachine, disc *cloudserver.Disc) string {
	if !isMoving(disc) {
		return ""
	}
	return fmt.Sprintf("Disc %q is being migrated or restored; wait until that is finished.", disc.Label)
}

// restore starts to restore the disc, once, and waits.
func (c restoreConfig) restore(ctx context.Context, w *work) error {
	backup := tfkit.IDOf(c.BackupID)
	backups, err := w.client.Backups(ctx, w.Ref(), w.disc.ID)
	if err != nil {
		return err
	}
	if !hasBackup(backups, backup) {
		return &refusal{path.Root("backup_id"), fmt.Sprintf("Disc %d has no backup %s. "+
			"The data source cloudserver_backups lists its backups.", w.disc.ID, c.BackupID.ValueString())}
	}
	progress.Report(ctx, fmt.Sprintf("restoring disc %s from backup %d", w.disc.Label, backup))
	if err := w.startRestore(ctx, backup); err != nil {
		return err
	}
	if err := w.awaitRestored(ctx); err != nil {
		return fmt.Errorf("%w; the restore goes on without Terraform", err)
	}
	progress.Report(ctx, "disc "+w.disc.Label+" is restored")
	return nil
}

// startRestore sends the request. After an ambiguous answer, what the disc shows decides.
func (w *work) startRestore(ctx context.Context, backup int64) error {
	err := w.client.RestoreBackup(ctx, w.Ref(), w.disc.ID, backup)
	if !cloudserver.IsAmbiguous(err) {
		return err
	}
	now, lookErr := w.client.Disc(ctx, w.disc.ID)
	if lookErr == nil && isMoving(now) {
		return nil
	}
	return &refusal{path.Root("disc_id"), tfkit.Sentence(err.Error()) + " The disc may have been restored: a restored disc " +
		"has a new backup, made before the restore. Look at its backups before you invoke the action again."}
}

// beginWithin is how long the service may take to show that it restores a disc, whose current state it backs up first
// (API.md §4).
const beginWithin = 10 * time.Second

// awaitRestored waits until the disc was seen moving and moves no more, or was not seen moving within beginWithin.
func (w *work) awaitRestored(ctx context.Context) error {
	began, moved := time.Now(), false
	what := "disc " + w.disc.Label + " to be restored"
	return w.inventory.WaitFor(ctx, what, func(ctx context.Context) (bool, string, error) {
		now, err := w.client.Disc(ctx, w.disc.ID)
		if err != nil {
			return false, "", err
		}
		if !isMoving(now) {
			return moved || time.Since(began) >= beginWithin, "it is not being restored yet, or is restored", nil
		}
		moved = true
		if now.MigrationProgress != nil {
			return false, fmt.Sprintf("it is being restored: %d %%", *now.MigrationProgress), nil
		}
		return false, "it is being restored", nil
	})
}

// isMoving reports whether a disc is being migrated or restored.
func isMoving(d *cloudserver.Disc) bool {
	return d.NewStorageGrade != "" || d.StorageGrade == cloudserver.ColdStorage
}
