package backup

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/action"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewBackupAction returns the action cloudserver_disc_backup (API.md §4).
func NewBackupAction() action.Action {
	return &tfkit.Action[discConfig]{
		Name: "_disc_backup", DefaultTimeout: defaultTimeout, Attributes: discAttributes(nil),
		Description: "Takes a backup of a disc now, and waits until it is stored.",
		Order:       func(c discConfig) tfkit.Order { return c.order("back up", backUp) },
	}
}

// backUp takes one backup, and never asks for a second one.
func backUp(ctx context.Context, w work) error {
	before, err := w.client.Backups(ctx, w.ref, w.disc.ID)
	if err != nil {
		return err
	}
	w.say("taking a backup of disc " + w.disc.Label)
	id, err := w.take(ctx, before)
	if err != nil {
		return err
	}
	err = w.until(ctx, fmt.Sprintf("backup %d", id), func(ctx context.Context) (bool, string, error) {
		backups, err := w.client.Backups(ctx, w.ref, w.disc.ID)
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
		w.say(fmt.Sprintf("backup %d is stored", id))
	}
	return err
}

// take starts the backup. Where the result is ambiguous, it is the one backup of
// the disc that was taken by hand and was not there before.
func (w work) take(ctx context.Context, before []cloudserver.Backup) (int64, error) {
	taken, err := w.client.TakeBackup(ctx, w.ref, w.disc.ID)
	if err == nil && !contains(before, taken.ID) {
		return taken.ID, nil
	}
	if err == nil { // the service showed an older one
		err = &cloudserver.AmbiguousError{What: "the backup", Err: errors.New("the service returned a backup that existed before")}
	}
	if !isAmbiguous(err) || ctx.Err() != nil {
		return 0, err
	}
	after, lookErr := w.client.Backups(ctx, w.ref, w.disc.ID)
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
