package presence

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// BeginRead writes the identity, which every read has to, notes that the resource
// has the object, and reports whether the service can be asked.
func BeginRead(ctx context.Context, d *tfkit.ProviderData, identity tfkit.Identity, object run.Object, resp *resource.ReadResponse) bool {
	if identity.Save(ctx, resp.Identity, &resp.Diagnostics); !d.Ready() {
		return false
	}
	Read(d, object, &resp.Diagnostics)
	return !resp.Diagnostics.HasError()
}

// Import notes that an object is imported. It reports an error if this process
// has imported it for another resource, or read it for one that has it.
func Import(d *tfkit.ProviderData, object run.Object, diags *diag.Diagnostics) bool {
	if d.Notes.Import(object) {
		addSecondImport(object, diags)
		return false
	}
	return true
}

// Read notes that a resource has the object, which is not imported for another
// one then. The read of an import counts as its own.
func Read(d *tfkit.ProviderData, object run.Object, diags *diag.Diagnostics) {
	if d.Notes.Read(object) {
		addSecondImport(object, diags)
	}
}

// WarnAdopted names an object that a creation took for its own although the service has
// accepted no request for it: it was found by its name after a failure, nobody had the name
// before, and it is as wanted. There is nothing to warn of without a failure.
func WarnAdopted(object run.Object, name string, failure error, diags *diag.Diagnostics) {
	if failure == nil {
		return
	}
	diags.AddAttributeWarning(path.Root("name"), "Created an object without the service's confirmation", tfkit.Detail(failure,
		fmt.Sprintf("After that, %s was found under the name %q, which nobody had before, and it is what was asked for: it is in the state now. "+
			"If another run creates this name as well, it may be theirs: look at it before you change or destroy it.", object, name)))
}

func addSecondImport(object run.Object, diags *diag.Diagnostics) {
	diags.AddError("Cannot import "+object.String()+" for a second resource",
		"Another resource of this configuration has it in the state, or another import block names it, perhaps in another form. "+
			"Two resources must not manage one object: to remove one of them would delete it. Remove one of the import blocks and its resource. "+
			"To give a resource another address, use a moved block instead. "+
			"To hand the object over, apply a removed block with destroy = false first, and import it in the next apply.")
}
