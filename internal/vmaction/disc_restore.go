// SPDX-License-Identifier: MPL-2.0

package vmaction

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewDiscRestore returns the action cloudserver_disc_restore (API.md §4).
func NewDiscRestore() action.Action {
	return &machineAction[restoreConfig]{
		name: "_disc_restore", timeout: copyTimeout, task: restoreConfig.task,
		description: "Restores a disc from one of its backups, and waits until it is restored. " +
			"**What is on the disc is overwritten**, so the action is refused without `confirm = true`.",
		attributes: map[string]schema.Attribute{
			"disc_id":   idAttribute(discExample, tfkit.DiscID),
			"backup_id": idAttribute(backupExample, tfkit.NumericID),
			"confirm": schema.BoolAttribute{
				MarkdownDescription: "Must be `true`, because the disc is overwritten.",
				Required:            true,
			},
		},
	}
}

type restoreConfig struct{ backupConfig }

func (c restoreConfig) task() *task {
	return &task{
		target: c.target, discID: c.DiscID, what: "restore disc " + c.DiscID.ValueString(),
		validate: c.validate, checkPlan: c.checkPlan, refuse: c.refuse, do: []part{c.restore},
	}
}

func (c restoreConfig) validate(_ context.Context, diags *diag.Diagnostics) {
	if !c.Confirm.IsUnknown() && !c.Confirm.ValueBool() {
		diags.AddAttributeError(path.Root("confirm"), "Cannot restore a disc without confirmation",
			"A restore overwrites what is on the disc. Set confirm = true if that is what you want.")
	}
}

// restore starts to restore the disc, once, and waits.
func (c restoreConfig) restore(ctx context.Context, t *task) error {
	backup := tfkit.IDOf(c.BackupID)
	backups, err := c.backups(ctx, t)
	if err != nil {
		return err
	}
	progress.Report(ctx, fmt.Sprintf("restoring disc %s from backup %d", t.disc.Label, backup))
	if err := t.startRestore(ctx, backup); err != nil {
		return err
	}
	if err := t.awaitRestored(ctx, backups); err != nil {
		return err
	}
	progress.Report(ctx, "disc "+t.disc.Label+" is restored")
	return nil
}

// startRestore sends the request. After an ambiguous answer, what the disc shows decides.
func (t *task) startRestore(ctx context.Context, backup int64) error {
	err := t.data.Client.RestoreBackup(ctx, t.Ref(), t.disc.ID, backup)
	if !cloudserver.IsAmbiguous(err) {
		return err
	}
	now, lookErr := t.data.Client.Disc(ctx, t.disc.ID)
	if lookErr == nil && isMoving(now) {
		return nil
	}
	return &tfkit.AttributeError{At: path.Root("disc_id"), Detail: tfkit.Sentence(err.Error()) +
		" The disc may have been restored: a restored disc has a new backup, made before the restore. " +
		"Look at its backups before you invoke the action again."}
}

// settleFor is how long the disc must be seen at rest after the backup that the service makes of it first, because the
// restore begins after that backup.
const settleFor = 10 * time.Second

// restoring is what was seen of a restore.
type restoring struct {
	before []cloudserver.Backup // the backups of the disc before the request

	begun    bool      // the disc was moving, or the service has made a backup of it
	moved    bool      // the disc was moving
	storedAt time.Time // when the service's backup was first seen stored; zero: it was not
}

// awaitRestored waits until the restore was seen to begin, and then the disc moves no more.
func (t *task) awaitRestored(ctx context.Context, before []cloudserver.Backup) error {
	r := &restoring{before: before}
	err := t.awaitCopy(ctx, "disc "+t.disc.Label+" to be restored", func(ctx context.Context) (bool, string, error) {
		return t.lookAtRestore(ctx, r)
	})
	if _, isUnfinished := errors.AsType[*progress.Unfinished](err); isUnfinished && !r.begun {
		return fmt.Errorf("%w; look at the disc before you invoke the action again", err)
	}
	return goesOn(err, "restore")
}

// lookAtRestore looks at the disc, and at its backups while it was not seen moving.
func (t *task) lookAtRestore(ctx context.Context, r *restoring) (done bool, seen string, err error) {
	disc, err := t.data.Client.Disc(ctx, t.disc.ID)
	if err != nil {
		return false, "", err
	}
	if isMoving(disc) {
		r.begun, r.moved = true, true
		if disc.MigrationProgress != nil {
			return false, fmt.Sprintf("it is being restored: %d %%", *disc.MigrationProgress), nil
		}
		return false, "it is being restored", nil
	}
	if r.moved {
		return true, "", nil
	}
	backups, err := t.data.Client.Backups(ctx, t.Ref(), t.disc.ID)
	if err != nil {
		return false, "", err
	}
	made := newBackups(r.before, backups)
	switch {
	case len(made) == 0:
		return false, "the disc is not being restored, and it has no new backup", nil
	case !isStored(made[0]):
		r.begun = true
		return false, "the service is making a backup of the disc first", nil
	case r.storedAt.IsZero():
		r.begun, r.storedAt = true, time.Now()
	}
	return time.Since(r.storedAt) >= settleFor, "the service has made a backup of the disc first", nil
}

// isMoving reports whether a disc is being migrated or restored.
func isMoving(d *cloudserver.Disc) bool {
	return d.NewStorageGrade != "" || d.StorageGrade == cloudserver.ColdStorage
}
