// SPDX-License-Identifier: MPL-2.0

package adopt

import (
	"context"
	"net/netip"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// writeGroup writes the file of a group: its machines, and what belongs to them. If another account has a group or a
// machine of the same name, the name of the account is added.
func (w *writer) writeGroup(ctx context.Context, g *group, all *estate) {
	name := g.name
	if all.hasOther(g) {
		name += "_" + g.account
	}
	file := w.newFile(name)
	var in hcl.Traversal
	if g.object.state != cty.NilVal {
		in = w.write(ctx, file, resource{object: g.object, name: name})
	}
	machines := map[string]hcl.Traversal{} // by address
	for _, m := range g.machines {
		name := m.text("name")
		if all.hasOtherMachine(g.account, name) {
			name += "_" + g.account
		}
		at := w.writeMachine(ctx, file, m, name, in)
		for _, attribute := range []string{"ipv4_address", "ipv6_address"} {
			if address, err := netip.ParseAddr(m.text(attribute)); err == nil && at != nil {
				machines[address.String()] = attributeOf(at, attribute)
			}
		}
	}
	for _, o := range g.names {
		name := resource{object: o, name: o.text("hostname"), references: map[string]hcl.Traversal{}}
		if address, err := netip.ParseAddr(o.text("address")); err == nil && machines[address.String()] != nil {
			name.references["address"] = machines[address.String()]
		}
		w.write(ctx, file, name)
	}
}

// writeMachine writes a machine of a group, with its backup schedules. It returns the reference to it, or nil if it is
// left out.
func (w *writer) writeMachine(
	ctx context.Context, file *file, m *machine, name string, group hcl.Traversal,
) hcl.Traversal {
	one := resource{object: m.object, name: name, comment: m.comment(), references: map[string]hcl.Traversal{}}
	if group != nil {
		one.references["group"] = attributeOf(group, "name")
	}
	at := w.write(ctx, file, one)
	for _, o := range m.schedules {
		label := m.label(o.text("disc_id"))
		schedule := resource{object: o, name: name + "_" + label, references: map[string]hcl.Traversal{}}
		if at != nil {
			schedule.references["virtual_machine_id"] = attributeOf(at, "id")
		}
		if at != nil && label != "" {
			ids := attributeOf(at, "disc_ids")
			schedule.references["disc_id"] = append(ids, hcl.TraverseIndex{Key: cty.StringVal(label)})
		}
		w.write(ctx, file, schedule)
	}
	return at
}

// attributeOf returns the reference to an attribute of a resource.
func attributeOf(at hcl.Traversal, name string) hcl.Traversal {
	return append(at[:len(at):len(at)], hcl.TraverseAttr{Name: name})
}
