package vm

import (
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
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
		if !m.Group.IsUnknown() {
			name = "group"
		}
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
	_, ok := attributeTypes()[name]
	return path.Root(name), ok
}

// attributeError is an error at an attribute that is known without the service's answer.
type attributeError struct {
	at     path.Path
	detail string
}

// Error returns the whole message.
func (e *attributeError) Error() string { return e.detail }

// addError reports a failed call about the machine.
func (m *model) addError(diags *diag.Diagnostics, verb string, err error, advice string) {
	if blamed, ok := errors.AsType[*attributeError](err); ok {
		diags.AddAttributeError(blamed.at, "Cannot "+verb+" "+m.title(), blamed.detail)
		return
	}
	if origin.IsOther(err) {
		diags.AddAttributeError(path.Root("hostname"), "Cannot "+verb+" "+m.title(), err.Error()+" "+advice)
		return
	}
	tfkit.AddError(diags, "Cannot "+verb+" "+m.title(), err, m.attributePath, advice)
}

// withAction explains how users can do what an action does: tfkit.ProviderData.WithAction.
type withAction func(action string, arguments ...string) string

// onMachine explains how users can do what an action on a machine does.
func (with withAction) onMachine(action, id string, more ...string) string {
	return with("vm_"+action, append([]string{"virtual_machine_id=" + id}, more...)...)
}

// byAction is withAction for an action on a machine.
func (r *vmResource) byAction(action, id string, more ...string) string {
	return withAction(r.Data.WithAction).onMachine(action, id, more...)
}
