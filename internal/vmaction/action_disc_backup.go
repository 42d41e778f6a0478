package vmaction

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

const (
	copyTimeout  = "2h" // default timeout of a backup or a restore
	discExample  = "ID of the disc, such as `cloudserver_vm.web.disc[0].id`."
	lookAtCopies = "the disc and its backups (data source cloudserver_backups)"
)

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
		target: c.target, disc: c.DiscID, what: "back up disc " + c.DiscID.ValueString(), look: lookAtCopies,
		refuse: func(*cloudserver.VirtualMachine, *cloudserver.Disc) string { return "" },
		do:     func(ctx context.Context, w *work) error { return unrepeatable(backUp(ctx, w)) },
	}
}

// backUp takes one backup. The request is never repeated.
func backUp(ctx context.Context, w *work) error {
	ref, before, err := w.backups(ctx)
	if err != nil {
		return err
	}
	progress.Report(ctx, "taking a backup of disc "+w.disc.Label)
	id, err := w.take(ctx, ref, before)
	if err != nil {
		return err
	}
	lacking := 0 // answers in turn
	of := fmt.Sprintf("backup %d", id)
	err = w.until(ctx, of, of+" to be stored", func(ctx context.Context, _ *cloudserver.Disc) (bool, string, error) {
		_, backups, err := w.backups(ctx)
		if err != nil {
			return false, "", err
		}
		i := slices.IndexFunc(backups, func(b cloudserver.Backup) bool { return b.ID == id })
		if i < 0 {
			lacking++
			return lacking == enough, "it is not listed", fmt.Errorf("backup %d was deleted before it was stored", id)
		}
		lacking = 0
		return backups[i].StorageGrade == cloudserver.ColdStorage, "it is being stored", nil
	})
	if err == nil {
		progress.Report(ctx, fmt.Sprintf("backup %d is stored", id))
	}
	return err
}

// backups returns the backups of the disc, and the address for calls about them.
func (w *work) backups(ctx context.Context) (cloudserver.Ref, []cloudserver.Backup, error) {
	ref, err := w.Ref(ctx)
	if err != nil {
		return ref, nil, err
	}
	backups, err := w.client.Backups(ctx, ref, w.disc.ID)
	return ref, backups, err
}

// take starts the backup. After an ambiguous result, the backup is the only manual one of the disc that did not exist
// before.
func (w *work) take(ctx context.Context, ref cloudserver.Ref, before []cloudserver.Backup) (int64, error) {
	taken, err := w.TakeBackup(ctx, w.disc.ID)
	if err == nil && !contains(before, taken.ID) {
		return taken.ID, nil
	}
	if err == nil {
		err = errors.New("the service returned a backup that existed before")
	} else if !cloudserver.IsAmbiguous(err) || ctx.Err() != nil {
		return 0, err
	}
	after, lookErr := w.client.Backups(ctx, ref, w.disc.ID)
	added := slices.DeleteFunc(after, func(b cloudserver.Backup) bool {
		return contains(before, b.ID) || b.Manual != nil && !*b.Manual
	})
	if lookErr != nil || len(added) != 1 {
		return 0, errors.Join(err, lookErr)
	}
	progress.Report(ctx, fmt.Sprintf("%v; backup %d is the only new one of the disc, so it counts as this one. It may be somebody else's", err, added[0].ID))
	return added[0].ID, nil
}

func contains(backups []cloudserver.Backup, id int64) bool {
	return slices.ContainsFunc(backups, func(b cloudserver.Backup) bool { return b.ID == id })
}

// unrepeatable returns the cause of an ambiguous error: otherwise, for a status that may pass, the advice would be to
// run the action again.
func unrepeatable(err error) error {
	if cloudserver.IsAmbiguous(err) {
		return errors.New(err.Error())
	}
	return err
}

// enough is how many answers in turn prove that something is gone while its machine is there.
const enough = 2

// until waits until look reports that an accepted request is done, wherever the machine and its disc are by then. look
// gets the disc, and may end the wait with an error if it is done. wanted describes what is waited for.
func (w *work) until(
	ctx context.Context, what, wanted string, look func(context.Context, *cloudserver.Disc) (done bool, state string, err error),
) error {
	wait, reported, lacking := progress.Begin(ctx, wanted), false, 0
	defer wait.End()
	err := w.WaitFor(ctx, func(ctx context.Context, vm *cloudserver.VirtualMachine) (bool, error) {
		disc, err := w.find(ctx, vm)
		if elsewhere := errElsewhere(disc, vm); elsewhere != nil {
			err = elsewhere
		}
		switch {
		case err == nil:
			lacking = 0
		case disc != nil, cloudserver.IsNotFound(err):
			lacking++
			return lacking == enough, err
		default:
			if ctx.Err() == nil {
				wait.See(err.Error())
			}
			return false, err
		}
		done, state, err := look(ctx, disc)
		if err != nil {
			state = err.Error()
		}
		if wait.See(state); !done && !reported {
			wait.Report() // now, because the wait may be long
			reported = true
		}
		return done, err
	}, func(err error) { wait.See(err.Error()) })
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%w; it goes on without Terraform", wait.Unfinished(ctx.Err()))
	}
	return fmt.Errorf("%s was accepted by the service, and not seen to its end, for which GET /virtual_machines/%d is repeated: %v",
		what, w.ID(), err) //nolint:errorlint // whatever the status, "check the IDs" would be wrong advice
}

// find returns the disc as its machine shows it, or else as the service shows it under its ID.
func (w *work) find(ctx context.Context, vm *cloudserver.VirtualMachine) (*cloudserver.Disc, error) {
	if i := slices.IndexFunc(vm.Discs, func(d cloudserver.Disc) bool { return d.ID == w.disc.ID }); i >= 0 {
		return &vm.Discs[i], nil
	}
	return w.client.Disc(ctx, w.disc.ID)
}

// errElsewhere returns an error for a disc that is on another machine.
func errElsewhere(disc *cloudserver.Disc, vm *cloudserver.VirtualMachine) error {
	if disc == nil || disc.VirtualMachineID == 0 || disc.VirtualMachineID == vm.ID {
		return nil
	}
	return fmt.Errorf("disc %d is on virtual machine %d now", disc.ID, disc.VirtualMachineID)
}
