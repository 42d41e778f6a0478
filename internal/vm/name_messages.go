package vm

import (
	"context"
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// RefuseName implements tfkit.Observed: two machines get the same name or address, or one gets that of another.
func (r *vmResource) RefuseName(name run.Name, other, by run.Holder, diags *diag.Diagnostics) {
	at, text := path.Root("name"), name.Name.Name
	switch {
	case name.Kind == run.IPAddress:
		diags.AddAttributeError(path.Root("ips").AtName(name.Group), fmt.Sprintf("Two machines of this configuration have the address %s", text),
			fmt.Sprintf("This plan creates the machines %q and %q with it. "+
				"Choose another address for one of them, or leave it out to have one allocated.", other.Title, by.Title))
	case other.ID == "" && by.ID == "":
		diags.AddAttributeError(at, fmt.Sprintf("Two machines of this configuration are named %q", text),
			fmt.Sprintf("Another resource of this configuration, or another instance of this one, creates a machine with the name %q in the same group. "+
				"Names are unique in a group: with count or for_each, make the name depend on count.index or each.value.", text))
	default:
		diags.AddAttributeError(at, fmt.Sprintf("Two machines of this configuration are to be named %q", text),
			fmt.Sprintf("After this plan, %s and %s would have the name %q in the same group, and names are unique in a group. Give one of them another name. "+
				"If one of them is tainted, and both resources have the same machine in the state, "+
				"take one of the two out of it with `terraform state rm`.", holderTitle(other), holderTitle(by), text))
	}
}

// holderTitle names in messages a machine that has a name after a plan.
func holderTitle(h run.Holder) string {
	switch {
	case h.ID == "":
		return "a new machine"
	case h.Was == "": // a replacement is planned without the state
		return "virtual machine " + h.ID
	}
	return fmt.Sprintf("virtual machine %q (ID %s)", h.Was, h.ID)
}

// WarnOfName implements tfkit.Observed. With count, machines move up in a list: each is renamed, and the last one is
// destroyed. A resource with another address and without a block moved is a new one to Terraform.
func (r *vmResource) WarnOfName(destroyed, taker run.Holder, diags *diag.Diagnostics) {
	switch {
	case destroyed.Keeps:
		diags.AddAttributeWarning(path.Root("name"), "The name of a destroyed machine stays taken",
			fmt.Sprintf("This plan destroys a machine named %q with purge_on_destroy = false, and another resource is to have the name.", destroyed.Was)+
				" A soft-deleted machine keeps its name, so the service refuses it. "+
				"Give the other one another name; or apply purge_on_destroy = true to the first machine before, which then destroys all its discs and their backups.")
	case taker.ID != "":
		diags.AddAttributeWarning(path.Root("name"), "A machine is destroyed, and another one takes its name",
			fmt.Sprintf("%q (ID %s) is destroyed, and %q (ID %s) takes its name.\n\n", destroyed.Was, destroyed.ID, taker.Was, taker.ID)+countExplanation)
	default:
		diags.AddAttributeWarning(path.Root("name"), tfkit.Summary("A machine is destroyed, and a new one gets its name", strconv.Quote(destroyed.Was)),
			fmt.Sprintf("This plan destroys %q (ID %s) with its discs and their backups, and creates another of that name. "+
				"If you moved or renamed its resource, add a block moved: then nothing is destroyed. "+
				"Do not import the machine, even if another warning of this plan advises it.\n\n%s",
				destroyed.Was, destroyed.ID, movedBlock("cloudserver_vm")))
	}
}

// movedBlock returns a block moved for a resource of a type.
func movedBlock(typeName string) string {
	return fmt.Sprintf("moved {\n  from = %s.OLD\n  to   = %[1]s.NEW\n}", typeName)
}

const countExplanation = "If an element was taken out of a list that count follows, each machine behind it is renamed, " +
	"and the last one is destroyed with its data, whichever element it was. " +
	"Use for_each by name instead. Blocks moved, one for each machine, give them their new addresses, and nothing is renamed:\n\n" +
	"moved {\n  from = cloudserver_vm.web[1]\n  to   = cloudserver_vm.web[\"web2\"]\n}"

// takenNames is the page about a name that is taken.
const takenNames = "https://github.com/cloudserver/terraform-provider-cloudserver/blob/main/docs/guides/troubleshooting.md#the-name-is-taken"

// takenAdvice explains who has the name of a new machine, and what to do about it. A machine of another group of the
// account may have it.
func (r *vmResource) takenAdvice(ctx context.Context, taken *cloudserver.NameTaken) string {
	if taken.ID != 0 {
		return r.holderAdvice(taken.ID, taken.Deleted, taken.Name, "this group")
	}
	overview, err := r.Data.Fleet.Directory.Overview(ctx, taken.Account, cloudserver.IncludeDeleted)
	if err == nil {
		for _, group := range overview.Groups {
			for _, vm := range group.VirtualMachines {
				if vm.Name == taken.Name {
					return r.holderAdvice(vm.ID, vm.Deleted, vm.Name, fmt.Sprintf("group %q", group.Name))
				}
			}
		}
	}
	return fmt.Sprintf("These credentials see no machine of the name %q in account %q. "+
		"Choose another name, or use credentials that see that machine. Other causes: %s", taken.Name, taken.Account, takenNames)
}

// holderAdvice explains what to do about the machine that has the name of a new one. It contains what this process
// knows of that machine; the page has the rest.
func (r *vmResource) holderAdvice(id int64, isDeleted bool, name, where string) string {
	switch {
	case isDeleted:
		return softDeletedHolder(r.Data.WithAction, id, name, where)
	case r.Data.Notes.IsHeld(run.ObjectWithID(run.VirtualMachine, id)):
		return fmt.Sprintf("The machine %q in %s%s is in this state, under another address. If you moved or renamed its resource, add a block moved. "+
			"If create_before_destroy replaces it, give the new machine another name.\n\nOther causes: %s", name, where, withID(id), takenNames)
	}
	return strangerAdvice(id, name, where)
}

// strangerAdvice explains what to do about a machine that has the name of a new one, and that no state of this run has.
func strangerAdvice(id int64, name, where string) string {
	return fmt.Sprintf("Virtual machine %d in %s has the name %q. If no workspace manages it, not even by this resource, import it:\n\n%s\n\n"+
		"Otherwise choose another name. Other causes: %s", id, where, name, importBlock(id), takenNames)
}

// softDeletedHolder explains how to free a name that a soft-deleted machine has.
func softDeletedHolder(with withAction, id int64, name, where string) string {
	return fmt.Sprintf("A soft-deleted machine%s still holds the name %q in %s. To use it, undelete it %s and import it:\n\n%s\n\n"+
		"To free the name, purge it and its discs %s.",
		withID(id), name, where, with.onMachine("undelete", cloudserver.IDText(id)), importBlock(id), with.onMachine("purge", cloudserver.IDText(id), "name="+name))
}

func withID(id int64) string {
	if id == 0 {
		return ""
	}
	return fmt.Sprintf(" (ID %d)", id)
}
