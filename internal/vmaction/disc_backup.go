// SPDX-License-Identifier: MPL-2.0

package vmaction

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/steps"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	discExample   = "ID of the disc, such as `cloudserver_vm.web.disc_ids[\"vda\"]`."
	backupExample = "ID of the backup, from the data source `cloudserver_backups`."
)

// NewDiscBackup returns the action cloudserver_disc_backup (API.md §4).
func NewDiscBackup() action.Action {
	return &machineAction[discConfig]{
		name: "_disc_backup", timeout: copyTimeout, task: discConfig.task,
		description: "Takes a backup of a disc now, and waits until it is stored.",
		attributes:  map[string]schema.Attribute{"disc_id": idAttribute(discExample, tfkit.DiscID)},
	}
}

// discConfig is the part of the configuration that all actions on discs share.
type discConfig struct {
	target
	DiscID types.String `tfsdk:"disc_id"`
}

func (c discConfig) task() *task {
	return &task{
		target: c.target, discID: c.DiscID, what: "back up disc " + c.DiscID.ValueString(),
		do: []part{backUp},
	}
}

// backupConfig is the part of the configuration that the actions on a backup of a disc share.
type backupConfig struct {
	discConfig
	BackupID types.String `tfsdk:"backup_id"`
	Confirm  types.Bool   `tfsdk:"confirm"`
}

// refuse refuses a disc that is being migrated, or restored, perhaps from the backup.
func (c backupConfig) refuse(_ *cloudserver.VirtualMachine, disc *cloudserver.Disc) string {
	if !isMoving(disc) {
		return ""
	}
	return fmt.Sprintf("Disc %q is being migrated or restored; wait until that is finished.", disc.Label)
}

// backups returns all backups of the disc. It refuses a configured backup that is not among them.
func (c backupConfig) backups(ctx context.Context, t *task) ([]cloudserver.Backup, error) {
	backups, err := t.data.Client.Backups(ctx, t.Ref(), t.disc.ID)
	if err != nil {
		return nil, err
	}
	if !hasBackup(backups, tfkit.IDOf(c.BackupID)) {
		return nil, &tfkit.AttributeError{At: path.Root("backup_id"), Detail: fmt.Sprintf("Disc %d has no backup %s. "+
			"The data source cloudserver_backups lists its backups.", t.disc.ID, c.BackupID.ValueString())}
	}
	return backups, nil
}

// checkPlan refuses at plan a backup that the disc does not have. What else is in the way, the invocation finds.
func (c backupConfig) checkPlan(ctx context.Context, d *tfkit.ProviderData) error {
	if !tfkit.Given(c.VirtualMachineID) || !tfkit.Given(c.DiscID) || !tfkit.Given(c.BackupID) {
		return nil
	}
	t := &task{target: c.target, discID: c.DiscID, data: d, run: &steps.Run{}}
	err := t.find(ctx)
	if err == nil {
		_, err = c.backups(ctx, t)
	}
	refused, ok := errors.AsType[*tfkit.AttributeError](err)
	if !ok || !refused.At.Equal(path.Root("backup_id")) {
		return nil
	}
	return refused
}

// backUp takes one backup, and waits until it is stored.
func backUp(ctx context.Context, t *task) error {
	before, err := t.data.Client.Backups(ctx, t.Ref(), t.disc.ID)
	if err != nil {
		return err
	}
	progress.Report(ctx, "taking a backup of disc "+t.disc.Label)
	id, err := t.takeBackup(ctx, before)
	if err != nil {
		return err
	}
	if err := t.awaitBackup(ctx, id); err != nil {
		return goesOn(err, "backup")
	}
	progress.Report(ctx, fmt.Sprintf("backup %d is stored", id))
	return nil
}

// missingFor is how long a backup that was listed may be missing before the wait for it ends.
const missingFor = 30 * time.Second

// awaitBackup waits until the backup is stored.
func (t *task) awaitBackup(ctx context.Context, id int64) error {
	isIt := func(b cloudserver.Backup) bool { return b.ID == id }
	wasListed, lastListed := false, time.Time{}
	return t.awaitCopy(ctx, fmt.Sprintf("backup %d to be stored", id), func(ctx context.Context) (bool, string, error) {
		backups, err := t.data.Client.Backups(ctx, t.Ref(), t.disc.ID)
		if err != nil {
			return false, "", err
		}
		if i := slices.IndexFunc(backups, isIt); i >= 0 {
			wasListed, lastListed = true, time.Now()
			return isStored(backups[i]), "it is being stored", nil
		}
		if wasListed && time.Since(lastListed) >= missingFor {
			return true, "", fmt.Errorf("backup %d was listed, and has been missing for %s: it was deleted, or it has failed",
				id, missingFor)
		}
		return false, "it is not listed", nil
	})
}

// awaitCopy polls until look is done. It ends early if the disc is not on the machine any more.
func (t *task) awaitCopy(
	ctx context.Context, what string, look func(context.Context) (done bool, seen string, err error),
) error {
	return t.data.Inventory.WaitFor(ctx, what, func(ctx context.Context) (bool, string, error) {
		done, seen, err := look(ctx)
		if cloudserver.IsNotFound(err) {
			isLost, why := t.explainMissing(ctx, err)
			if isLost {
				return true, "", why
			}
			err = why
		}
		return done, seen, err
	})
}

// explainMissing finds out what a 404 for the disc means. It returns true if the machine answers and does not have the
// disc, or is deleted itself. If these credentials do not see the account any more, the error says so.
func (t *task) explainMissing(ctx context.Context, denial error) (isLost bool, why error) {
	vm, err := t.LookAgain(ctx)
	switch {
	case inventory.IsGone(err):
		return true, err
	case inventory.IsRefusal(err):
		return false, err
	case err != nil:
		return false, denial
	case vm.Deleted:
		return true, &inventory.DeletedError{Machine: vm}
	}
	discs, err := t.Discs(ctx, vm)
	if err != nil || slices.ContainsFunc(discs, func(d cloudserver.Disc) bool { return d.ID == t.disc.ID }) {
		return false, denial
	}
	return true, fmt.Errorf("disc %d is no longer on virtual machine %d", t.disc.ID, vm.ID)
}

// goesOn completes the error of a wait that has ended before a backup or restore.
func goesOn(err error, what string) error {
	if _, isUnfinished := errors.AsType[*progress.Unfinished](err); isUnfinished {
		return fmt.Errorf("%w; the %s goes on without Terraform", err, what)
	}
	return err
}

// takeBackup starts the backup, once. After an ambiguous answer, it is the only manual backup of the disc that did not
// exist before.
func (t *task) takeBackup(ctx context.Context, before []cloudserver.Backup) (int64, error) {
	taken, err := t.data.Client.TakeBackup(ctx, t.Ref(), t.disc.ID)
	if err == nil {
		return taken.ID, nil
	}
	if !cloudserver.IsAmbiguous(err) {
		return 0, err
	}
	after, lookErr := t.data.Client.Backups(ctx, t.Ref(), t.disc.ID)
	if added := newBackups(before, after); lookErr == nil && len(added) == 1 {
		return added[0].ID, nil
	}
	return 0, &tfkit.AttributeError{At: path.Root("disc_id"), Detail: tfkit.Sentence(err.Error()) + " The backup may have been started: " +
		"look at the data source cloudserver_backups before you invoke the action again."}
}

// newBackups returns the backups that did not exist before and were not taken by a schedule.
func newBackups(before, now []cloudserver.Backup) []cloudserver.Backup {
	return slices.DeleteFunc(slices.Clone(now), func(b cloudserver.Backup) bool {
		return hasBackup(before, b.ID) || b.Manual != nil && !*b.Manual
	})
}

// isStored reports whether a backup is complete.
func isStored(b cloudserver.Backup) bool { return b.StorageGrade == cloudserver.ColdStorage }

func hasBackup(backups []cloudserver.Backup, id int64) bool {
	return slices.ContainsFunc(backups, func(b cloudserver.Backup) bool { return b.ID == id })
}
