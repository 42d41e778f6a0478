package vm

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// imageChange is what a change of the block reimage means. One rule: the image
// is installed again when distribution or revision changes, as on_change says.
type imageChange struct {
	changed  []string // attributes that ask for a new image
	recorded []string // attributes that only enter the state
	replace  bool     // the machine is replaced
	install  bool     // the image is installed in place
	blank    bool     // for the first time
	unknown  bool     // the block, or on_change where it matters, is not known
}

// changeImage compares the blocks of state and plan. A value that is not known
// yet counts as what it may cost, because an update may not become a
// replacement between plan and apply.
func changeImage(state, plan *model, p private, diags *diag.Diagnostics) imageChange {
	before, had := reimageFrom(state.Reimage, diags)
	after, has := reimageFrom(plan.Reimage, diags)
	var c imageChange
	switch {
	case plan.Reimage.IsUnknown():
		c.unknown = had || p.Blank
		return c
	case !has:
		return c
	case !had && p.Blank:
		c.changed, c.install, c.blank = []string{"distribution"}, true, true
		return c
	case !had:
		c.recorded = []string{"distribution"}
		if !after.SSHPublicKey.IsNull() {
			c.recorded = append(c.recorded, "ssh_public_key")
		}
		return c
	}
	if !after.Distribution.Equal(before.Distribution) {
		c.changed = append(c.changed, "distribution")
	}
	if !after.Revision.Equal(before.Revision) {
		if before.Revision.IsNull() || after.Revision.IsNull() {
			c.recorded = append(c.recorded, "revision")
		} else {
			c.changed = append(c.changed, "revision")
		}
	}
	if !after.SSHPublicKey.Equal(before.SSHPublicKey) {
		c.recorded = append(c.recorded, "ssh_public_key")
	}
	if len(c.changed) > 0 {
		c.unknown = after.OnChange.IsUnknown()
		c.install = after.OnChange.ValueString() == onChangeReimage
		c.replace = !c.install && !c.unknown
	}
	return c
}

// paths returns what forces the replacement.
func (c imageChange) paths() []path.Path {
	if !c.replace {
		return nil
	}
	paths := make([]path.Path, len(c.changed))
	for i, name := range c.changed {
		paths[i] = path.Root("reimage").AtName(name)
	}
	return paths
}

// refuseUnknown asks for the value that decides between keeping and
// replacing the machine.
func (c imageChange) refuseUnknown(state, plan *model, diags *diag.Diagnostics) {
	if !c.unknown {
		return
	}
	at, what := path.Root("reimage"), "the block reimage"
	if block, ok := reimageFrom(plan.Reimage, diags); ok && !block.Distribution.IsUnknown() {
		at, what = at.AtName("on_change"), "reimage.on_change"
	}
	diags.AddAttributeError(at, "Cannot plan the image of "+state.title(),
		fmt.Sprintf("The value of %s is known only after apply, and it decides whether the machine is kept, reimaged or replaced. "+
			"Use a value that is known at plan, or apply what it depends on first, with -target.", what))
}

// warnNoLogin warns of an image that nobody could log in to, and of a script
// that the service would not run.
func warnNoLogin(config *model, diags *diag.Diagnostics) {
	block, ok := reimageFrom(config.Reimage, diags)
	if !ok {
		return
	}
	if block.RootPassword.IsNull() && block.SSHPublicKey.IsNull() {
		diags.AddAttributeWarning(path.Root("reimage"), "Nobody can log in to the new image",
			"The block reimage has neither ssh_public_key nor root_password, so the image gets a root password that nobody knows. Set one of the two.")
	}
	if script := block.FirstbootScript; tfkit.Given(script) && !strings.HasPrefix(script.ValueString(), "#!") {
		detail := "The service runs firstboot_script as an executable, so it should begin with a line such as #!/bin/sh."
		if strings.HasPrefix(script.ValueString(), "#cloud-config") {
			detail += " cloud-config is not read: write a shell script instead."
		} else if !strings.ContainsAny(script.ValueString(), " \t\n") {
			detail += " A path is not read: set the contents of the file with file()."
		}
		diags.AddAttributeWarning(path.Root("reimage").AtName("firstboot_script"), "The first boot script has no #! line", detail)
	}
}

// warnRecorded explains a plan that shows a change and does nothing.
func (c imageChange) warnRecorded(state *model, adopted bool, diags *diag.Diagnostics) {
	if len(c.recorded) == 0 || c.install || c.replace {
		return
	}
	if len(c.recorded) == 1 && c.recorded[0] == "ssh_public_key" && !adopted {
		diags.AddAttributeWarning(path.Root("reimage").AtName("ssh_public_key"), "The new key waits for the next image",
			fmt.Sprintf("ssh_public_key is only written to the state: %s keeps its present keys until an image is installed, for example because revision changes.", state.title()))
		return
	}
	diags.AddAttributeWarning(path.Root("reimage"), "Image settings of "+state.title()+" are only recorded",
		fmt.Sprintf("The configured %s is only written to the state. The machine is neither reimaged nor replaced, and nothing else happens.", strings.Join(c.recorded, ", ")))
}
