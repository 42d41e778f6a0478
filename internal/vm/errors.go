package vm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// attributePath finds the attribute that a problem of the service is about
// (api.md §1, the body of a 400).
func (m model) attributePath(problem cloudserver.Problem) (path.Path, bool) {
	switch problem.Attribute {
	case "name", "cores", "memory", "hardware_profile", "hardware_profile_locked", "autoreboot_on", "power_on", "keymap", "cdrom_url", "zone_name":
		return path.Root(problem.Attribute), true
	case "group_id":
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

func (m model) discPath(problem cloudserver.Problem) (path.Path, bool) {
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

// ipsPath finds the address that a problem names, or that alone is given: a CLI
// shows the line of an attribute, but not that of a block.
func (m model) ipsPath(problem cloudserver.Problem) path.Path {
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

// reimagePath tells a secret's write-only twin by its version: the value itself
// is in no plan.
func (m model) reimagePath(field string) (path.Path, bool) {
	at := path.Root("reimage")
	switch field {
	case "root_password", "firstboot_script":
		if version, ok := m.Reimage.Attributes()[field+"_wo_version"]; ok && !version.IsNull() {
			field += "_wo"
		}
		return at.AtName(field), true
	case "distribution", "ssh_public_key":
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
func (m model) addError(diags *diag.Diagnostics, verb string, err error, advice string) {
	tfkit.AddError(diags, "Cannot "+verb+" "+m.title(), err, m.attributePath, advice)
}

// waitDetail says what was last seen of a machine that did not get there in
// time.
func waitDetail(wait *fleet.WaitError, wanted string) string {
	ended := "the time for it is over"
	if errors.Is(wait, context.Canceled) {
		ended = "interrupted"
	}
	return fmt.Sprintf("Waited %s for %s: %s. Last seen: %s. To look at it: GET /virtual_machines/%d.",
		wait.Waited.Round(time.Second), wanted, ended, lastSeen(wait.Last, wait.LastErr), wait.Machine.ID)
}

// addUnfinished reports a machine that exists but did not come up in time.
func (m model) addUnfinished(diags *diag.Diagnostics, err error) {
	summary := "Created " + m.place() + ", but it is not ready"
	advice := fmt.Sprintf("The machine exists (id %s) and is in the state, marked as tainted: the next apply would replace it. "+
		"If it comes up after all, keep it with `terraform untaint` and this resource's address. A longer timeouts.create gives it more time.", m.ID.ValueString())
	if m.PurgeOnDestroy.Equal(types.BoolValue(false)) {
		advice += " Replacing it soft-deletes it, because purge_on_destroy is false, and then its name stays taken: untaint it, or purge it at the service first."
	}
	if wait, ok := errors.AsType[*fleet.WaitError](err); ok {
		diags.AddError(summary, waitDetail(wait, "the machine to be on")+"\n\n"+advice)
		return
	}
	diags.AddError(summary, tfkit.Detail(err, advice))
}

// warnSoftDeleted tells why a machine that still exists leaves the state.
func (m model) warnSoftDeleted(diags *diag.Diagnostics) {
	diags.AddWarning("The "+m.place()+" was soft-deleted elsewhere",
		fmt.Sprintf("It leaves the state and is planned anew, but its name stays taken until it is purged: creating it again will be refused. "+
			"Undelete it at the service (PUT with deleted: false; it comes back switched off) and import it by its id, %s, or purge it first (DELETE with purge=true).", m.ID.ValueString()))
}

func lastSeen(vm *cloudserver.VirtualMachine, err error) string {
	var seen []string
	if vm != nil && vm.PowerOn != nil {
		seen = append(seen, fmt.Sprintf("power_on is %t", *vm.PowerOn))
	} else if vm != nil {
		seen = append(seen, "power_on is not told")
	}
	if err != nil {
		seen = append(seen, err.Error())
	}
	if len(seen) == 0 {
		return "nothing yet"
	}
	return strings.Join(seen, "; then ")
}
