package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/existing"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// existing returns what looks for the objects that plans would create, or nil unless the command imports has started
// the plan. service distinguishes the objects of several services.
func (p *cloudserverProvider) existing(service string, diags *diag.Diagnostics) *tfkit.Existing {
	log, err := p.found, error(nil)
	if log == nil {
		log, err = existing.FromEnvironment()
	}
	if err != nil {
		diags.AddError("Cannot look for existing objects", tfkit.Sentence(err.Error()))
	}
	if log == nil {
		return nil
	}
	log.Service = service
	return &tfkit.Existing{Log: log}
}

// LogExisting has plans of creations write which objects exist, into this log in place of the file that the environment
// names. It is called before the provider is configured.
func (p *cloudserverProvider) LogExisting(log *existing.Log) { p.found = log }

// looking refuses to apply a plan that looks for existing objects: it has their values in place of those that a
// creation would have.
type looking struct {
	Server
	provider provider.Provider
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s looking) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	if !dataOf(s.provider).LooksForExisting() {
		return s.Server.ApplyResourceChange(ctx, req)
	}
	return &tfprotov6.ApplyResourceChangeResponse{
		NewState: req.PriorState, Private: req.PlannedPrivate,
		Diagnostics: []*tfprotov6.Diagnostic{{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: "Cannot apply while " + existing.Variable + " is set",
			Detail: "The command imports sets this variable for its plans, which look for existing objects. Nothing was sent. Unset the variable.",
		}},
	}, nil
}
