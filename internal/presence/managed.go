package presence

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Hold notes that a resource has the object in its state. It reports an error if another resource imports the object.
func Hold(notes *run.Notes, object run.Object, diags *diag.Diagnostics) {
	if notes.Hold(object) {
		addSecondImport(object, diags)
	}
}

// Import notes that a resource imports the object. It reports an error if another resource imports the object or has it
// in its state.
func Import(notes *run.Notes, object run.Object, diags *diag.Diagnostics) {
	if notes.Import(object) {
		addSecondImport(object, diags)
	}
}

// PlanKeep notes a plan after which the resource still has the object. If a plan destroys the object for another
// resource, it reports that; otherwise it warns if another resource also has it.
func PlanKeep(notes *run.Notes, object run.Object, diags *diag.Diagnostics) {
	switch again, destroyed := notes.Keep(object); {
	case destroyed:
		addShared(object, diags)
	case again:
		diags.AddAttributeWarning(identified(object), "Two resources manage one object",
			fmt.Sprintf("Two resources of this configuration have %s in the state, and to destroy one of them destroys it for both. %s", object, giveUp))
	}
}

// PlanDestroy notes a plan that destroys the object, and reports if another resource still has it. instead is that of
// [run.Notes.Destroy].
func PlanDestroy(notes *run.Notes, object run.Object, instead bool, diags *diag.Diagnostics) {
	if notes.Destroy(object, instead) {
		addShared(object, diags)
	}
}

// identified returns the attribute that identifies an object to users.
func identified(object run.Object) path.Path {
	if object.Kind == run.ReverseName {
		return path.Root("address")
	}
	return path.Root("id")
}

// The beginnings of summaries by which tests recognise messages.
const (
	Adopted      = "Created an object without the service's confirmation"
	SecondImport = "Cannot import"
)

// WarnAdopted warns that a creation has taken an object for its own although the service has confirmed no request for it:
// the object was found by what it has, such as a name, after a failure, nothing had that before, and it is as requested.
// Without a failure there is no warning.
func WarnAdopted(at path.Path, object run.Object, has string, failure error, diags *diag.Diagnostics) {
	if failure == nil {
		return
	}
	diags.AddAttributeWarning(at, Adopted, tfkit.Detail(failure,
		fmt.Sprintf("After that, %s was found with the %s, which nothing had before, and it is what was asked for: it is in the state now. "+
			"If somebody else has created the same, it may be theirs: look at it before you change or destroy it.", object, has)))
}

// giveUp explains how to remove one of two resources from the state.
const giveUp = "To take one of them out of the state and keep the object, run `terraform state rm` with its address; " +
	"or replace its block by a removed block with destroy = false."

// addShared reports that a plan destroys an object that another resource still has. What can be set again is not worth an
// error, which would also forbid to take one of the two out of the configuration, or to end a replacement with
// create_before_destroy that has failed halfway: then one resource has the object twice.
func addShared(object run.Object, diags *diag.Diagnostics) {
	if object.Kind == run.BackupSchedule || object.Kind == run.ReverseName {
		diags.AddAttributeWarning(identified(object), "The object is removed for one resource, and another one has it",
			"Two resources of this configuration, or two objects of one resource, have "+object.String()+" in the state. "+
				"If the next plan creates it again, apply that. "+giveUp)
		return
	}
	diags.AddError("Cannot destroy "+object.String(),
		"Another resource of this configuration also has it in the state, and would lose it. "+giveUp+
			" If all of them are to be destroyed with terraform destroy, run terraform destroy -refresh=false.")
}

func addSecondImport(object run.Object, diags *diag.Diagnostics) {
	diags.AddError(SecondImport+" "+object.String()+" for a second resource",
		"Another resource of this configuration has it in the state, or another import block names it, perhaps in another form. "+
			"Two resources must not manage one object: to remove one of them would delete it. Remove one of the import blocks and its resource. "+
			"To give a resource another address, use a moved block instead. "+
			"To hand the object over, apply a removed block with destroy = false first, and import it in the next apply.")
}
