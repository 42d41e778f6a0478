package operation

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// Reimage installs an image on the boot disc of the machine, which must be off. When it is done, the service has started
// the machine, with autoreboot_on false (API.md §3). Nothing is sent if the boot disc is not on the machine any more:
// another disc would be erased. boot is its ID; 0: unknown.
//
// The service requires a root password. If the image has none, a random one is made up that nobody will know.
func (o *Machine) Reimage(ctx context.Context, image cloudserver.Reimage, boot int64) error {
	image.RootPassword = cmp.Or(image.RootPassword, madeUpPassword())
	err := o.write(ctx, func(vm *cloudserver.VirtualMachine) (bool, error) {
		return false, CheckBootDisc(vm, boot)
	}, func(w cloudserver.Writer, ref cloudserver.Ref) error { return w.ReimageVirtualMachine(ctx, ref, image) })
	o.touch(err)
	switch {
	case cloudserver.IsAmbiguous(err):
		o.phase = maybeInstalling
		return err
	case err != nil:
		return err
	}
	o.phase, o.Imaged, o.On, o.Autoreboot = installing, true, false, false
	progress.Report(ctx, "installing "+image.Distribution)
	if err := o.Wait(ctx, installed, (*cloudserver.VirtualMachine).IsOn); err != nil {
		return err
	}
	o.phase = idle
	return nil
}

// CheckBootDisc returns an error if the boot disc, whose data an image is to replace, is not on the machine any more: then
// another disc is the first. Its place in the list says nothing, because the order is the service's own. An answer without
// discs does not show which one the image would erase, also if the boot disc is 0, which is unknown.
func CheckBootDisc(vm *cloudserver.VirtualMachine, boot int64) error {
	if len(vm.Discs) == 0 {
		return &origin.NoDiscsError{ID: vm.ID}
	}
	if boot != 0 && !slices.ContainsFunc(vm.Discs, func(d cloudserver.Disc) bool { return d.ID == boot }) {
		return &BootDiscError{boot, vm.ID}
	}
	return nil
}

// BootDiscError is returned for a machine that has lost its boot disc.
type BootDiscError struct{ disc, machine int64 }

// Error names both, and why that matters.
func (e *BootDiscError) Error() string {
	return fmt.Sprintf("disc %d, the boot disc, is not on virtual machine %d any more: the image would erase another disc", e.disc, e.machine)
}

// madeUpPassword returns 32 random characters.
func madeUpPassword() string {
	random := make([]byte, 24)
	_, _ = rand.Read(random) // it never fails
	return base64.RawURLEncoding.EncodeToString(random)
}
