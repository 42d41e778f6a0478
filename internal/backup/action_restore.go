package backup

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewRestoreAction returns the action cloudserver_disc_restore (API.md §4).
func NewRestoreAction() action.Action {
	return discAction{
		name: "_disc_restore",
		description: "Restores a disc from one of its backups, and waits until it is restored. " +
			"**What is on the disc is overwritten**, so the action is refused without `confirm = true`.",
		attributes: map[string]schema.Attribute{
			"backup_id": tfkit.RequiredID("ID of the backup: `id` of one of the `backups` of the data source `cloudserver_backups`."),
			"confirm": schema.BoolAttribute{
				MarkdownDescription: "Must be `true`: the contents of the disc are replaced by those of the backup.",
				Optional:            true,
			},
		},
		read: readRestore,
	}.action()
}

func readRestore(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) order {
	var c struct {
		target
		BackupID types.String `tfsdk:"backup_id"`
		Confirm  types.Bool   `tfsdk:"confirm"`
	}
	diags.Append(config.Get(ctx, &c)...)
	return order{
		target: c.target, verb: "restore",
		validate: func(diags *diag.Diagnostics) {
			if !c.Confirm.IsUnknown() && !c.Confirm.ValueBool() {
				diags.AddAttributeError(path.Root("confirm"), "Cannot restore a disc without confirmation",
					"A restore overwrites what is on the disc. Set confirm = true if that is what you want.")
			}
		},
		do: func(ctx context.Context, t task) error { return restore(ctx, t, tfkit.IDOf(c.BackupID)) },
	}
}

// restore starts to restore the disc, and waits. The request is repeated where its
// answer is lost, and the service refuses the second one: what counts is the disc.
func restore(ctx context.Context, t task, backup int64) error {
	if isMoving(t.disc) {
		return fmt.Errorf("disc %q is being migrated or restored; wait until that is finished", t.disc.Label)
	}
	t.say(fmt.Sprintf("restoring disc %s from backup %d", t.disc.Label, backup))
	if err := t.client.RestoreBackup(ctx, t.ref, t.disc.ID, backup); err != nil {
		if backups, lookErr := t.client.Backups(ctx, t.ref, t.disc.ID); cloudserver.IsNotFound(err) && lookErr == nil && !contains(backups, backup) {
			return &errNoBackup{t.disc.ID, backup}
		}
		now, lookErr := t.client.Disc(ctx, t.disc.ID)
		if lookErr != nil || now.StorageGrade != coldStorage || !isMoving(now) {
			return err
		}
	}
	err := t.until(ctx, "the restore of disc "+t.disc.Label, func(ctx context.Context) (bool, string, error) {
		now, err := t.client.Disc(ctx, t.disc.ID)
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
		t.say("disc " + t.disc.Label + " is restored")
	}
	return err
}

// isMoving reports whether a disc is migrated or restored now.
func isMoving(d *cloudserver.Disc) bool {
	return d.NewStorageGrade != "" || d.StorageGrade == coldStorage
}
