// SPDX-License-Identifier: MPL-2.0

package harness

import (
	"context"
	"strconv"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Somebody changes machines of a test without Terraform.
type Somebody struct{ test *Test }

// Somebody returns a person with the same credentials.
func (a *Test) Somebody() Somebody { return Somebody{a} }

// AddsDisc adds a disc to a machine of the state.
func (s Somebody) AddsDisc(address, label string, size int64) {
	_, err := s.test.client.AddDisc(context.Background(), s.ref(address), cloudserver.DiscSpec{Label: label, Size: size})
	s.must(err)
}

// Renames gives a machine of the state another name.
func (s Somebody) Renames(address, suffix string) {
	update := cloudserver.VirtualMachineUpdate{Name: new(s.test.Name(suffix))}
	s.must(s.test.client.UpdateVirtualMachine(context.Background(), s.ref(address), update))
}

// Purges purges a machine of the state.
func (s Somebody) Purges(address string) {
	s.must(s.test.client.DeleteVirtualMachine(context.Background(), s.ref(address), true))
}

func (s Somebody) ref(address string) cloudserver.Ref {
	id, err := strconv.ParseInt(s.test.Value(address, "id"), 10, 64)
	s.must(err)
	return cloudserver.Ref{Account: s.test.Value(address, "account"), Group: s.test.Value(address, "group"), ID: id}
}

func (s Somebody) must(err error) {
	if err != nil {
		s.test.fails.Fatal(err)
	}
}
