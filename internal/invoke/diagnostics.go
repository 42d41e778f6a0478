package invoke

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

// show prints diagnostics as the CLI does. It returns errReported if there is an error among them.
func (i *invocation) show(diags []*tfprotov6.Diagnostic) (err error) {
	for _, d := range diags {
		if i.isRepeated(d) {
			continue
		}
		severity := "Warning"
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			severity, err = "Error", errReported
		}
		text := fmt.Sprintf("\n%s: %s\n", severity, cloudserver.Shown(d.Summary))
		if at := pathOf(d.Attribute); at != "" {
			text += "\n  with " + at + "\n"
		}
		text += "\n"
		for line := range strings.SplitSeq(strings.TrimSpace(command.InVariables(d.Detail)), "\n") {
			text += strings.TrimRight("  "+cloudserver.Shown(line), " ") + "\n"
		}
		i.print("%s\n", text)
	}
	return err
}

// isRepeated reports whether a warning was shown before: validation, plan and invocation may each have it.
func (i *invocation) isRepeated(d *tfprotov6.Diagnostic) bool {
	text := d.Summary + "\n" + d.Detail
	if d.Severity == tfprotov6.DiagnosticSeverityError || !slices.Contains(i.shown, text) {
		i.shown = append(i.shown, text)
		return false
	}
	return true
}

// pathOf returns the path of an attribute as the command line has it.
func pathOf(path *tftypes.AttributePath) string {
	var steps []string
	for _, step := range path.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			steps = append(steps, string(step))
		case tftypes.ElementKeyString:
			steps = append(steps, string(step))
		case tftypes.ElementKeyInt:
			steps = append(steps, fmt.Sprint(int64(step)))
		}
	}
	return strings.Join(steps, ".")
}
