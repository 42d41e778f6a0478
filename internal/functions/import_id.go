package functions

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
)

// importParameters are the parts of the id, in its order.
var importParameters = []string{"account", "group", "name"}

type importID struct{}

// NewImportID gives the function import_id.
func NewImportID() function.Function { return importID{} }

func (importID) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "import_id"
}

func (importID) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "Id that imports a machine",
		MarkdownDescription: "Gives the id by which an `import` block finds a `cloudserver_vm`: `<account>/<group>/<name>`.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: importParameters[0], MarkdownDescription: "Account, by name or numeric id."},
			function.StringParameter{Name: importParameters[1], MarkdownDescription: "Group, by name or numeric id."},
			function.StringParameter{Name: importParameters[2], MarkdownDescription: "Name of the machine."},
		},
		Return: function.StringReturn{},
	}
}

func (importID) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	parts := make([]string, len(importParameters))
	if resp.Error = req.Arguments.Get(ctx, &parts[0], &parts[1], &parts[2]); resp.Error != nil {
		return
	}
	for i, part := range parts {
		if problem := importPartProblem(part); problem != "" {
			resp.Error = function.ConcatFuncErrors(resp.Error,
				function.NewArgumentFuncError(int64(i), fmt.Sprintf("The %s %q %s.", importParameters[i], part, problem)))
		}
	}
	if resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, strings.Join(parts, "/"))
	}
}

// importPartProblem says why a part would make the id mean something else.
func importPartProblem(part string) string {
	switch {
	case part == "":
		return "is empty"
	case strings.Contains(part, "/"):
		return "has a slash, which separates the parts of an id"
	case strings.TrimSpace(part) != part:
		return "begins or ends with a blank"
	}
	return ""
}
