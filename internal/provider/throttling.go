package provider

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// warn adds a warning after the service has held up all requests for long, once in a run. Otherwise a run would be
// slow, or time out, without an explanation.
func (s answering) warn(diags *[]*tfprotov6.Diagnostic) {
	data := dataOf(s.provider)
	if !data.Ready() {
		return
	}
	answered, ok := data.Client.TakeThrottling()
	if !ok {
		return
	}
	*diags = append(*diags, &tfprotov6.Diagnostic{
		Severity: tfprotov6.DiagnosticSeverityWarning,
		Summary:  "The service asks to wait",
		Detail: tfkit.Sentence(answered) + " All requests of this run wait for as long as it asks, so it takes longer, " +
			"and operations fail whose timeouts end meanwhile. " +
			"If this goes on, run the same command again later, or ask the service's operator for the limit on requests.",
	})
}
