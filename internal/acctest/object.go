// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"encoding/json"
	"errors"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Object is a resource instance as Terraform's state stores it. Nil means that it does not exist. An Object never
// changes: every operation returns a new one.
type Object struct {
	TypeName string
	State    tftypes.Value
	Private  []byte
	Identity *tfprotov6.ResourceIdentityData // nil for a resource without one
	Tainted  bool                            // the next plan replaces it

	identity tftypes.Value
}

var errNoObject = errors.New("(none: the object is not in the state)")

// Get returns the value at a dotted path ("disc.0.size", or "" for the whole): nil, string, bool, int64, float64, []any
// or map[string]any. For a path that does not exist it returns an error, which equals no expected value.
func (o *Object) Get(path string) any {
	if o == nil {
		return errNoObject
	}
	return get(o.State, path)
}

// GetIdentity is Get for the resource identity.
func (o *Object) GetIdentity(path string) any {
	if o == nil {
		return errNoObject
	}
	if o.Identity == nil {
		return errors.New("the object has no identity")
	}
	return get(o.identity, path)
}

func get(v tftypes.Value, path string) any {
	found, err := lookup(v, path)
	if err != nil {
		return err
	}
	return goValue(found)
}

// JSON returns the whole state as text, including secrets, for tests that search it.
func (o *Object) JSON() (string, error) {
	text, err := json.Marshal(o.Get(""))
	return string(text), err
}

// Taint marks the object for replacement, as `terraform taint` does.
func (o *Object) Taint() *Object { return o.tainted(true) }

// Untaint removes the mark, as `terraform untaint` does.
func (o *Object) Untaint() *Object { return o.tainted(false) }

func (o *Object) tainted(tainted bool) *Object {
	marked := *o
	marked.Tainted = tainted
	return &marked
}

// object converts the result of an operation to an Object. It is nil if the state is null.
func (d *Driver) object(
	typeName string, state tftypes.Value, private []byte, identity *tfprotov6.ResourceIdentityData,
) *Object {
	d.t.Helper()
	if state.IsNull() {
		return nil
	}
	o := &Object{TypeName: typeName, State: state, Private: private, Identity: identity}
	if identity != nil {
		o.identity = d.decode(identity.IdentityData, d.identities[typeName])
	}
	return o
}
