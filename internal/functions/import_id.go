package functions

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// importParameters are the parts of the ID, in its order.
var importParameters = []string{"account", "group", "name"}

type importID struct{}

// NewImportID returns the function import_id.
func NewImportID() function.Function { return importID{} }

func (importID) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "import_id"
}

func (importID) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "Returns the ID that imports a virtual machine",
		MarkdownDescription: "Returns the ID by which an `import` block finds a `cloudserver_vm`: `<account>/<group>/<name>`.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: importParameters[0], MarkdownDescription: "Name of the account."},
			function.StringParameter{Name: importParameters[1], MarkdownDescription: "Name of the group."},
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
	for i, part := range parts { // no full stop: the CLI adds one
		problem := tfkit.ImportPartProblem(part)
		if problem == "" {
			continue
		}
		what := importParameters[i]
		if part != "" {
			what += fmt.Sprintf(" %q", part)
		}
		resp.Error = function.ConcatFuncErrors(resp.Error, function.NewArgumentFuncError(int64(i), "the "+what+" "+problem))
	}
	if resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, strings.Join(parts, "/"))
	}
}
