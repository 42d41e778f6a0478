package location

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// RefuseDigits reports an error for a new name that consists of digits: the service accepts names and IDs in a path, so
// a request for one object could reach another. what is the kind of object. Objects that already have such a name can
// be imported and managed.
func RefuseDigits(before, now types.String, at path.Path, what string, diags *diag.Diagnostics) {
	if !tfkit.Given(now) || !cloudserver.IsDigits(now.ValueString()) || before.Equal(now) {
		return
	}
	diags.AddAttributeError(at, "Invalid name of a "+what,
		fmt.Sprintf("The name %q consists of digits only, and could be taken for the ID of another %s. Add a letter to it.", now.ValueString(), what))
}

// longestLabel is the maximum length of a part of a hostname, in characters.
const longestLabel = 63

// usualName matches names that are valid in hostnames (API.md §1).
var usualName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9-]+[a-z0-9]$`) })

// WarnName warns of a new name of a machine or a group that the service is likely to refuse.
func WarnName(name string, diags *diag.Diagnostics) {
	if !usualName().MatchString(name) || len(name) > longestLabel {
		diags.AddAttributeWarning(path.Root("name"), "The service may refuse the name",
			fmt.Sprintf("The name %q becomes a part of hostnames: "+
				"from three to %d characters, and only lower-case letters, digits and dashes, such as web1 or db-2, are usually valid.", name, longestLabel))
	}
}
