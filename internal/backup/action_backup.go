package backup

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// NewBackupAction returns the action cloudserver_disc_backup (API.md §4).
func NewBackupAction() action.Action {
	return discAction{
		name:        "_disc_backup",
		description: "Takes a backup of a disc now, and waits until it is stored.",
		read: func(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) order {
			o := order{verb: "back up", do: backUp}
			diags.Append(config.Get(ctx, &o.target)...)
			return o
		},
	}.action()
}

// backUp takes one backup, and never asks for a second one.
func backUp(ctx context.Context, t task) error {
	before, err := t.client.Backups(ctx, t.ref, t.disc.ID)
	if err != nil {
		return err
	}
	t.say("taking a backup of disc " + t.disc.Label)
	id, err := t.take(ctx, before)
	if err != nil {
		return err
	}
	err = t.until(ctx, fmt.Sprintf("backup %d", id), func(ctx context.Context) (bool, string, error) {
		backups, err := t.client.Backups(ctx, t.ref, t.disc.ID)
		if err != nil {
			return false, "", err
		}
		i := slices.IndexFunc(backups, func(b cloudserver.Backup) bool { return b.ID == id })
		if i < 0 {
			return false, "", fmt.Errorf("backup %d was deleted before it was stored", id)
		}
		return isStored(backups[i]), fmt.Sprintf("backup %d is being stored", id), nil
	})
	if err == nil {
		t.say(fmt.Sprintf("backup %d is stored", id))
	}
	return err
}

// take starts the backup. Where the result is ambiguous, it is the one backup of
// the disc that was taken by hand and was not there before.
func (t task) take(ctx context.Context, before []cloudserver.Backup) (int64, error) {
	taken, err := t.client.TakeBackup(ctx, t.ref, t.disc.ID)
	if err == nil && !contains(before, taken.ID) {
		return taken.ID, nil
	}
	if err == nil { // the service showed an older one
		err = &cloudserver.AmbiguousError{What: "the backup", Err: errors.New("the service returned a backup that existed before")}
	}
	if !isAmbiguous(err) || ctx.Err() != nil {
		return 0, err
	}
	after, lookErr := t.client.Backups(ctx, t.ref, t.disc.ID)
	added := slices.DeleteFunc(after, func(b cloudserver.Backup) bool {
		return contains(before, b.ID) || b.Manual != nil && !*b.Manual
	})
	if lookErr != nil || len(added) != 1 {
		return 0, errors.Join(err, lookErr)
	}
	return added[0].ID, nil
}

func contains(backups []cloudserver.Backup, id int64) bool {
	return slices.ContainsFunc(backups, func(b cloudserver.Backup) bool { return b.ID == id })
}
