package operation

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// Reimage installs an image on the machine, which must be off. When it is done, the service has started the machine,
// with autoreboot_on false (API.md §3).
//
// The service requires a root password. If the image has none, a random one is made up that nobody will know.
func (o *Machine) Reimage(ctx context.Context, image cloudserver.Reimage) error {
	image.RootPassword = cmp.Or(image.RootPassword, madeUpPassword())
	err := o.write(ctx, nil, func(w cloudserver.Writer, ref cloudserver.Ref) error { return w.ReimageVirtualMachine(ctx, ref, image) })
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

// madeUpPassword returns 32 random characters.
func madeUpPassword() string {
	random := make([]byte, 24)
	_, _ = rand.Read(random) // it never fails
	return base64.RawURLEncoding.EncodeToString(random)
}
