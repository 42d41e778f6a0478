package vm

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// attributePath finds the attribute that a problem of the service is about
// (API.md §1, the body of a 400).
func (m *model) attributePath(problem cloudserver.Problem) (path.Path, bool) {
	for _, s := range settings {
		if s.name == problem.Attribute {
			return path.Root(s.name), true
		}
	}
	switch problem.Attribute {
	case "name", "autoreboot_on", "power_on", "zone_name":
		return path.Root(problem.Attribute), true
	case "group_id":
		if m.Group.IsUnknown() {
			return path.Root("group_id"), true
		}
		return path.Root("group"), true
	case "virtual_machine":
		return m.attributePath(cloudserver.Problem{Attribute: problem.Field, Index: -1})
	case "discs":
		return m.discPath(problem)
	case "reimage":
		return m.reimagePath(problem.Field)
	case "distribution", "root_password", "ssh_public_key", "firstboot_script":
		return m.reimagePath(problem.Attribute)
	case "ipv4", "ipv6":
		return path.Root("ips").AtName(problem.Attribute), true
	case "ips":
		return m.ipsPath(problem), true
	}
	return path.Empty(), false
}

func (m *model) discPath(problem cloudserver.Problem) (path.Path, bool) {
	at := path.Root("disc")
	if problem.Index < 0 || problem.Index >= len(m.Disc.Elements()) {
		return at, true
	}
	at = at.AtListIndex(problem.Index)
	switch problem.Field {
	case "label", "size", "storage_grade":
		return at.AtName(problem.Field), true
	}
	return at, true
}

// ipsPath finds the address that a problem names, or the only one that is
// configured: a CLI shows the line of an attribute, but not that of a block.
func (m *model) ipsPath(problem cloudserver.Problem) path.Path {
	at := path.Root("ips")
	var candidates []string
	for _, name := range []string{"ipv4", "ipv6"} {
		address, ok := m.IPs.Attributes()[name].(tfkit.IPAddress)
		if !ok || !tfkit.Given(address) {
			continue
		}
		if problem.Field == name || strings.Contains(problem.Message, address.ValueString()) {
			return at.AtName(name)
		}
		candidates = append(candidates, name)
	}
	if len(candidates) == 1 {
		return at.AtName(candidates[0])
	}
	return at
}

func (m *model) reimagePath(field string) (path.Path, bool) {
	at := path.Root("reimage")
	if _, ok := reimageTypes[field]; ok {
		return at.AtName(field), true
	}
	return at, true
}

// attributeError is a failure whose attribute is known without the service's
// help.
type attributeError struct {
	at     path.Path
	detail string
}

// Error is the whole message.
func (e *attributeError) Error() string { return e.detail }

// addError reports a failed call about the machine.
func (m *model) addError(diags *diag.Diagnostics, verb string, err error, advice string) {
	tfkit.AddError(diags, "Cannot "+verb+" "+m.title(), err, m.attributePath, advice)
}
