// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"errors"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// attributePath finds the attribute that a problem of the service is about (API.md §1, the body of a 400).
func (m *model) attributePath(problem cloudserver.Problem) (path.Path, bool) {
	name, field := problem.Attribute, problem.Field
	if name == "virtual_machine" {
		name = field
	}
	if _, ok := reimageTypes()[name]; ok {
		name, field = "reimage", name
	}
	switch name {
	case "group_id":
		name = "group"
	case "discs":
		if problem.Index >= len(m.Disc.Elements()) {
			problem.Index = -1
		}
		return discPath(problem.Index, field), true
	case "reimage":
		if _, ok := reimageTypes()[field]; ok {
			return path.Root(name).AtName(field), true
		}
	case "ips", "ipv4", "ipv6":
		return m.ipsPath(problem), true
	}
	_, isAttribute := attributes()[name]
	return path.Root(name), isAttribute || name == "reimage"
}

// ipsPath finds the address that a problem is about, or the first one configured: a CLI shows the line of an attribute,
// but not that of a block.
func (m *model) ipsPath(problem cloudserver.Problem) path.Path {
	at := path.Root("ips")
	for _, family := range slices.Backward(families) {
		if problem.Attribute == family || problem.Field == family {
			return path.Root("ips").AtName(family)
		}
		if address, ok := m.IPs.Attributes()[family].(types.String); ok && tfkit.Given(address) {
			at = path.Root("ips").AtName(family)
		}
	}
	return at
}

// blameDisc returns the attribute to blame in the block at an index; a negative one means the list.
func blameDisc(index int) tfkit.AttributePath {
	return func(problem cloudserver.Problem) (path.Path, bool) { return discPath(index, problem.Attribute), true }
}

// addError reports that something cannot be done with the machine. verb completes "Cannot … virtual machine".
func (m *model) addError(diags *diag.Diagnostics, verb string, err error, advice string) {
	summary := "Cannot " + verb + " " + m.title()
	if isElsewhere(err) {
		diags.AddAttributeError(path.Root("account"), summary, tfkit.Detail(err, advice))
		return
	}
	tfkit.AddError(diags, summary, err, m.attributePath, advice)
}

// isElsewhere reports whether these credentials cannot see the account of the machine, or this is another service.
func isElsewhere(err error) bool {
	_, isHidden := errors.AsType[*inventory.HiddenError](err)
	_, isOther := errors.AsType[*inventory.OtherServiceError](err)
	return isHidden || isOther
}
