package tfkit

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// ImportText returns what names the object to import: the ID that was typed, or
// else the attribute of the identity.
func ImportText(ctx context.Context, req resource.ImportStateRequest, attribute string, diags *diag.Diagnostics) string {
	if req.ID != "" {
		return req.ID
	}
	var value types.String
	diags.Append(req.Identity.GetAttribute(ctx, path.Root(attribute), &value)...)
	return value.ValueString()
}

// ImportID names an object to import: by its numeric ID, or by a path of names
// such as account/group/name.
type ImportID struct {
	ID    int64             // 0 where Names are given
	Names map[string]string // by part; a part that was left out is missing
}

// ParseImportID reads a numeric ID, or one to len(parts) names with slashes
// between them, where leading parts may be left out: for the parts "account" and
// "name", "web" is a name. A single number is always an ID.
func ParseImportID(text string, parts ...string) (ImportID, error) {
	names := strings.Split(text, "/")
	if len(names) > len(parts) {
		return ImportID{}, fmt.Errorf("%q has more than %d parts", text, len(parts))
	}
	parts = parts[len(parts)-len(names):]
	found := ImportID{Names: make(map[string]string, len(names))}
	for i, name := range names {
		if problem := ImportPartProblem(name); problem != "" {
			return ImportID{}, fmt.Errorf("the %s in %q %s", parts[i], text, problem)
		}
		found.Names[parts[i]] = name
	}
	if len(names) > 1 || !cloudserver.IsDigits(text) {
		return found, nil
	}
	id, err := cloudserver.ParseID(text)
	return ImportID{ID: id}, err
}

// ImportPartProblem returns why a name cannot be a part of an import ID, or "".
func ImportPartProblem(name string) string {
	switch {
	case name == "":
		return "is empty"
	case strings.Contains(name, "/"):
		return "contains a slash, which separates the parts of an ID"
	case strings.TrimSpace(name) != name:
		return "has leading or trailing whitespace"
	}
	return ""
}

// ArgumentChooser is a resource of whose state not every argument belongs in a
// configuration that Terraform generates.
type ArgumentChooser interface {
	// ChooseArguments returns the paths of those that do, such as disc.size, blocks
	// included. What is null in the state stays null.
	ChooseArguments(ctx context.Context, state tfsdk.State) []string
}
