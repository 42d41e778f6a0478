package vmaction

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const discExample = "ID of the disc, such as `cloudserver_vm.web.disc_ids[\"vda\"]`."

// NewDiscBackup returns the action cloudserver_disc_backup (API.md §4).
func NewDiscBackup() action.Action {
	return &machineAction[discConfig]{
		name: "_disc_backup", timeout: copyTimeout, order: discConfig.order,
		description: "Takes a backup of a disc now, and waits until it is stored.",
		attributes:  map[string]schema.Attribute{"disc_id": idAttribute(discExample)},
	}
}

// discConfig is the part of the configuration that all actions on discs share.
type discConfig struct {
	target
	DiscID types.String `tfsdk:"disc_id"`
}

func (c discConfig) order() order {
	return order{
		target: c.target, disc: c.DiscID, what: "back up disc " + c.DiscID.ValueString(),
		refuse: refuseNothing, do: backUp,
	}
}

// backUp takes one backup, and waits until it is stored.
func backUp(ctx context.Context, w *work) error {
	before, err := w.client.Backups(ctx, w.Ref(), w.disc.ID)
	if err != nil {
		return err
	}
	progress.Report(ctx, "taking a backup of disc "+w.disc.Label)
	id, err := w.takeBackup(ctx, before)
	if err != nil {
		return err
	}
	err = w.inventory.WaitFor(ctx, fmt.Sprintf("backup %d to be stored", id), func(ctx context.Context) (bool, string, error) {
		backups, err := w.client.Backups(ctx, w.Ref(), w.disc.ID)
		if err != nil {
			return false, "", err
		}
		i := slices.IndexFunc(backups, func(b cloudserver.Backup) bool { return b.ID == id })
		if i < 0 {
			return false, "it is not listed", nil
		}
		return backups[i].StorageGrade == cloudserver.ColdStorage, "it is being stored", nil
	})
	if err != nil {
		return fmt.Errorf("%w; the backup goes on without Terraform", err)
	}
	progress.Report(ctx, fmt.Sprintf("backup %d is stored", id))
	return nil
}

// takeBackup starts the backup, once. After an ambiguous answer, it is the only manual backup of the disc that did not
// exist before.
func (w *work) takeBackup(ctx context.Context, before []cloudserver.Backup) (int64, error) {
	taken, err := w.client.TakeBackup(ctx, w.Ref(), w.disc.ID)
	if err == nil {
		return taken.ID, nil
	}
	if !cloudserver.IsAmbiguous(err) {
		return 0, err
	}
	after, lookErr := w.client.Backups(ctx, w.Ref(), w.disc.ID)
	added := slices.DeleteFunc(after, func(b cloudserver.Backup) bool {
		return hasBackup(before, b.ID) || b.Manual != nil && !*b.Manual
	})
	if lookErr == nil && len(added) == 1 {
		return added[0].ID, nil
	}
	return 0, &refusal{path.Root("disc_id"), tfkit.Sentence(err.Error()) + " The backup may have been started: " +
		"look at the data source cloudserver_backups before you invoke the action again."}
}

func hasBackup(backups []cloudserver.Backup, id int64) bool {
	return slices.ContainsFunc(backups, func(b cloudserver.Backup) bool { return b.ID == id })
}
