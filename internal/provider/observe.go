package provider

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fastplan"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// observing notes which object each state, import and plan of a run is about, so that resources of one run know of each
// other. It does so around the framework, which has no hook for states of the current schema version, and around
// fastplan, which answers most plans.
type observing struct {
	Server
	unchanged *fastplan.Unchanged
	provider  provider.Provider
	resources *resources
}

func newObserving(server Server, unchanged *fastplan.Unchanged, p provider.Provider) observing {
	return observing{server, unchanged, p, &resources{}}
}

// observed is a resource, and the type of its state.
type observed struct {
	tfkit.Observed
	state tftypes.Type
}

// resources are a provider's resources, created on first use.
type resources struct {
	once   sync.Once
	byType map[string]observed
}

// observed returns a resource and the provider's data, which is nil if the provider is not configured.
func (s observing) observed(ctx context.Context, typeName string) (observed, *tfkit.ProviderData) {
	s.resources.once.Do(func() {
		s.resources.byType = map[string]observed{}
		for name, r := range fastplan.Resources(ctx, s.provider) {
			var shaped resource.SchemaResponse
			r.Schema(ctx, resource.SchemaRequest{}, &shaped)
			if own, ok := r.(tfkit.Observed); ok {
				s.resources.byType[name] = observed{own, shaped.Schema.Type().TerraformType(ctx)}
			}
		}
	})
	own, ok := s.resources.byType[typeName]
	if !ok {
		return own, nil
	}
	return own, dataOf(s.provider)
}

// decode returns a state or a plan, which is null if it cannot be decoded: the framework reports that.
func (o observed) decode(value *tfprotov6.DynamicValue) tftypes.Value {
	if value != nil {
		if decoded, err := value.Unmarshal(o.state); err == nil {
			return decoded
		}
	}
	return tftypes.NewValue(o.state, nil)
}

// subject returns what a state or a plan says.
func (o observed) subject(value tftypes.Value) run.Subject {
	return o.Subject(tfkit.AttributesIn(value))
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (s observing) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	resp, err := s.Server.UpgradeResourceState(ctx, req)
	own, data := s.observed(ctx, req.TypeName)
	if err != nil || req.RawState == nil || data == nil {
		return resp, err
	}
	var diags diag.Diagnostics
	presence.Hold(&data.Notes, own.ObserveState(&data.Memory, req.RawState.JSON), &diags)
	resp.Diagnostics = append(resp.Diagnostics, inProtocol(diags)...)
	return resp, nil
}

// ImportResourceState implements tfprotov6.ResourceServer. Terraform compares IDs only as text.
func (s observing) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	resp, err := s.Server.ImportResourceState(ctx, req)
	own, data := s.observed(ctx, req.TypeName)
	if err != nil || data == nil {
		return resp, err
	}
	var diags diag.Diagnostics
	for _, imported := range resp.ImportedResources {
		presence.Import(&data.Notes, own.subject(own.decode(imported.State)).Object, &diags)
	}
	resp.Diagnostics = append(resp.Diagnostics, inProtocol(diags)...)
	return resp, nil
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s observing) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (resp *tfprotov6.PlanResourceChangeResponse, err error) {
	own, data := s.observed(ctx, req.TypeName)
	if data == nil {
		return s.Server.PlanResourceChange(ctx, req)
	}
	first, private := firstPlanIn(req.PriorPrivate)
	asked := *req
	asked.PriorPrivate = private
	resp, state := s.unchanged.Plan(ctx, data, &asked)
	prior, planned := state, state
	if resp == nil {
		if resp, err = s.Server.PlanResourceChange(ctx, &asked); err != nil || slices.ContainsFunc(resp.Diagnostics, isError) {
			return resp, err
		}
		prior, planned = own.decode(req.PriorState), own.decode(resp.PlannedState)
	} else if slices.ContainsFunc(resp.Diagnostics, isError) { // the answer was checked
		return resp, nil
	}
	var diags diag.Diagnostics
	p := change{own, data, own.subject(prior), own.subject(planned), len(resp.RequiresReplace) > 0}
	switch {
	case planned.IsNull():
		p.destroy(p.was, false, &diags)
	case prior.IsNull():
		p.create(first, &diags)
	default:
		p.keep(&diags)
		resp.PlannedPrivate = firstPlan{ID: p.was.Object.ID, Replaced: p.replaces}.in(resp.PlannedPrivate)
	}
	resp.Diagnostics = append(resp.Diagnostics, inProtocol(diags)...)
	return resp, nil
}

// change is one plan of a resource, and its effect on others.
type change struct {
	observed
	data     *tfkit.ProviderData
	was, is  run.Subject
	replaces bool // by what has changed
}

// destroy notes the end of an object. instead is that of [run.Notes.Destroy].
func (c change) destroy(s run.Subject, instead bool, diags *diag.Diagnostics) {
	presence.PlanDestroy(&c.data.Notes, s.Object, instead, diags)
	if instead || c.replaces && !s.KeepsName { // the new object has the name
		return
	}
	by := run.Holder{ID: s.Object.ID, Was: s.Title, Keeps: s.KeepsName}
	if taker := c.data.Notes.Release(by, s.Names...); taker != nil {
		c.WarnOfName(by, *taker, diags)
	}
}

// keep notes the plan of an existing object. That of a replacement is the first of two.
func (c change) keep(diags *diag.Diagnostics) {
	if c.replaces {
		c.destroy(c.was, false, diags)
	} else {
		presence.PlanKeep(&c.data.Notes, c.was.Object, diags)
	}
	c.claim(run.Holder{ID: c.was.Object.ID, Was: c.was.Title}, diags)
}

// create notes the plan of a new object, possibly the second plan of a replacement.
func (c change) create(first firstPlan, diags *diag.Diagnostics) {
	if first.ID != "" && !first.Replaced {
		c.destroy(run.Subject{Object: run.Object{Kind: c.is.Object.Kind, ID: first.ID}}, true, diags)
	}
	c.claim(run.Holder{ID: first.ID}, diags)
}

func (c change) claim(by run.Holder, diags *diag.Diagnostics) {
	by.Title = c.is.Title
	names := slices.DeleteFunc(c.is.Names, func(name run.Name) bool { return name.New && by.Was != "" })
	other, name, destroyed := c.data.Notes.Claim(by, names...)
	switch {
	case other != nil:
		c.RefuseName(name, *other, by, diags)
	case destroyed != nil:
		c.WarnOfName(*destroyed, by, diags)
	}
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s observing) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	asked := *req
	_, asked.PlannedPrivate = firstPlanIn(req.PlannedPrivate)
	resp, err := s.Server.ApplyResourceChange(ctx, &asked)
	own, data := s.observed(ctx, req.TypeName)
	if err != nil || data == nil {
		return resp, err
	}
	if prior := own.decode(req.PriorState); !prior.IsNull() && own.decode(resp.NewState).IsNull() {
		data.Notes.LetGo(own.subject(prior).Object)
	}
	return resp, nil
}

// firstPlan is what the plan of an existing object leaves in its planned private state, which no state gets. A
// replacement is planned twice: the second plan has no state, but the private state of the first.
type firstPlan struct {
	ID       string
	Replaced bool // by what has changed; otherwise the first plan did not know of the replacement
}

// firstPlanKey is the key in the private state. It begins like those of the framework.
const firstPlanKey = ".first_plan"

// in returns a planned private state with what the plan leaves.
func (f firstPlan) in(private []byte) []byte {
	keys := map[string][]byte{}
	if len(private) > 0 && json.Unmarshal(private, &keys) != nil {
		return private
	}
	keys[firstPlanKey], _ = json.Marshal(f) //nolint:errchkjson // a text and a boolean
	changed, _ := json.Marshal(keys)        //nolint:errchkjson // texts
	return changed
}

// firstPlanIn returns what the first plan has left, if any, and the private state without it.
func firstPlanIn(private []byte) (f firstPlan, without []byte) {
	var keys map[string][]byte
	if len(private) == 0 || json.Unmarshal(private, &keys) != nil || keys[firstPlanKey] == nil {
		return f, private
	}
	_ = json.Unmarshal(keys[firstPlanKey], &f) // our own
	delete(keys, firstPlanKey)
	if len(keys) == 0 {
		return f, nil
	}
	without, _ = json.Marshal(keys) //nolint:errchkjson // texts
	return f, without
}

// inProtocol returns diagnostics as the protocol has them.
func inProtocol(diags diag.Diagnostics) (all []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		severity := tfprotov6.DiagnosticSeverityWarning
		if d.Severity() == diag.SeverityError {
			severity = tfprotov6.DiagnosticSeverityError
		}
		one := &tfprotov6.Diagnostic{Severity: severity, Summary: d.Summary(), Detail: d.Detail()}
		if at, ok := d.(diag.DiagnosticWithPath); ok {
			one.Attribute = attributePath(at.Path())
		}
		all = append(all, one)
	}
	return all
}

// attributePath returns a path of attributes as the protocol has it.
func attributePath(at path.Path) *tftypes.AttributePath {
	converted := tftypes.NewAttributePath()
	for _, step := range at.Steps() {
		if name, ok := step.(path.PathStepAttributeName); ok {
			converted = converted.WithAttributeName(string(name))
		}
	}
	return converted
}

// dataOf returns the configured provider's data, or nil if it is not configured.
func dataOf(p provider.Provider) *tfkit.ProviderData {
	if own, ok := p.(interface{ Data() *tfkit.ProviderData }); ok {
		return own.Data()
	}
	return nil
}
