// SPDX-License-Identifier: MPL-2.0

package machine

import (
	"context"
	"crypto/rand"
	"encoding/base64"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// Reimage installs an image on the boot disc of the machine, which must be off, and waits until it is installed. Then
// the service has started the machine, with autoreboot_on false (API.md §3).
//
// The service requires a root password. If the image has none, a random one is made up that nobody will know.
func (m *Machine) Reimage(ctx context.Context, image cloudserver.Reimage) error {
	if image.RootPassword == "" {
		image.RootPassword = randomPassword()
	}
	err := m.noteWrite(m.service.Client.ReimageVirtualMachine(ctx, m.Ref(), image))
	m.enter(goingUp, err)
	if cloudserver.IsAmbiguous(err) {
		m.image = maybeImage
	}
	if err != nil {
		return err
	}
	m.image, m.power = accepted, Power{}
	progress.Report(ctx, "installing "+image.Distribution)
	return m.Wait(ctx, installed, (*cloudserver.VirtualMachine).IsOn)
}

// randomPassword returns 32 random characters.
func randomPassword() string {
	random := make([]byte, 24)
	_, _ = rand.Read(random) // it never fails
	return base64.RawURLEncoding.EncodeToString(random)
}
