package location

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// RequireDisc returns an error unless a machine is shown with the disc, and a path with its ID leads to no other disc. It is
// asked before every request about a disc, also one that reads. An answer without the list of discs says nothing about the
// path, whichever machine the disc's own answer names.
func RequireDisc(vm *cloudserver.VirtualMachine, id int64) error {
	if vm.Discs == nil {
		return NotShown(vm, id)
	}
	if err := CheckDiscPath(vm.Discs, id); err != nil {
		return err
	}
	if !slices.ContainsFunc(vm.Discs, func(d cloudserver.Disc) bool { return d.ID == id }) {
		return fmt.Errorf("virtual machine %d does not have disc %d; nothing was sent. Check virtual_machine_id and disc_id", vm.ID, id)
	}
	return nil
}

// NotShown returns the error for a disc of a machine that is answered without the list of its discs.
func NotShown(vm *cloudserver.VirtualMachine, id int64) error {
	return fmt.Errorf("the service answers without the discs of virtual machine %d, so it is unknown whether disc %d is there, "+
		"and whether another disc has that ID as its label; nothing was sent. Run the same command again", vm.ID, id)
}

// CheckDiscPath returns an error if a path with the ID of a disc may lead to another disc of the machine, whose label is
// that ID: the service takes labels and IDs alike.
func CheckDiscPath(discs []cloudserver.Disc, id int64) error { return checkLabels("disc", discs, id) }

// CheckBackupPath is [CheckDiscPath] for the backups of a disc.
func CheckBackupPath(backups []cloudserver.Backup, id int64) error {
	discs := make([]cloudserver.Disc, len(backups))
	for i, b := range backups {
		discs[i] = b.Disc
	}
	return checkLabels("backup", discs, id)
}

func checkLabels(what string, discs []cloudserver.Disc, id int64) error {
	for _, d := range discs {
		if d.ID != id && strings.TrimSpace(d.Label) == cloudserver.IDText(id) {
			return fmt.Errorf("%[1]s %[2]d cannot be distinguished from %[1]s %[3]d, whose label is %[4]q: the service takes labels and ids alike in a path. "+
				"Give that %[1]s another label first", what, id, d.ID, d.Label)
		}
	}
	return nil
}
