// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// ImportText returns the text that names the object to import: the ID that the user typed, or the attribute of the
// identity.
func ImportText(
	ctx context.Context, req resource.ImportStateRequest, attribute string, diags *diag.Diagnostics,
) string {
	if req.ID != "" {
		return req.ID
	}
	var value types.String
	diags.Append(req.Identity.GetAttribute(ctx, path.Root(attribute), &value)...)
	return value.ValueString()
}

// ImportID names an object to import: by its numeric ID, or by a path of names such as account/group/name.
type ImportID struct {
	ID    int64             // 0 if Names is set
	Names map[string]string // by part; parts that were left out are missing
}

// ParseImportID parses a numeric ID, or a path of at most len(parts) names. Leading parts may be left out: for the
// parts "account" and "name", "web" is a name. A single number is always an ID.
func ParseImportID(text string, parts ...string) (ImportID, error) {
	names := strings.Split(text, "/")
	if len(names) > len(parts) {
		return ImportID{}, fmt.Errorf("%q has more than %d parts", text, len(parts))
	}
	parts = parts[len(parts)-len(names):]
	found := ImportID{Names: make(map[string]string, len(names))}
	for i, name := range names {
		if problem := importPartProblem(name); problem != "" {
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

// importPartProblem returns the reason why a name cannot be part of an import ID, or "".
func importPartProblem(name string) string {
	switch {
	case name == "":
		return "is empty"
	case strings.TrimSpace(name) != name:
		return "has leading or trailing whitespace"
	}
	return ""
}
