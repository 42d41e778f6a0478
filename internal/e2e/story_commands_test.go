// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// written is a resource of a story's configuration, with its state.
type written struct {
	typeName, name string
	bodies         []*hclsyntax.Body // each one changes what the ones before it say; none: it was removed
	importID       string
	state          *acctest.Object
	refreshed      *acctest.Object // by the plan
	plan           *acctest.PlanResult
}

func (r *written) address() string { return r.typeName + "." + r.name }

// resource returns the resource that a block names.
func (s *story) resource(block *hclsyntax.Block) *written {
	return s.named(block.Labels[0], block.Labels[1])
}

func (s *story) named(typeName, name string) *written {
	for _, r := range s.resources {
		if r.typeName == typeName && r.name == name {
			return r
		}
	}
	r := &written{typeName: typeName, name: name}
	s.resources = append(s.resources, r)
	return r
}

// process returns a new process of the provider, as each command of the CLI starts one.
func (s *story) process() *acctest.Driver { return s.e.NewDriver(s.T, s.provider) }

// plan refreshes and plans everything, and reports whether that may be applied. A resource that cannot be refreshed is
// not planned.
func (s *story) plan() (ok bool) {
	d := s.process()
	var diags []*tfprotov6.Diagnostic
	unread := map[*written]bool{}
	for _, r := range s.resources {
		read := s.refresh(d, r)
		unread[r] = acctest.HasErrors(read)
		diags = append(diags, read...)
	}
	for _, r := range s.resources {
		prior := r.refreshed
		if len(r.bodies) == 0 {
			prior = orphan(r.refreshed, r.state)
		}
		if unread[r] || len(r.bodies) == 0 && prior == nil {
			continue
		}
		r.plan = d.Plan(s.Context(), r.typeName, prior, r.config(s.T, s.known(false)))
		diags = append(diags, r.plan.Diagnostics...)
	}
	ok = !acctest.HasErrors(diags)
	if ok {
		s.seen = append(s.seen, s.planned()...)
	}
	s.say(diags)
	return ok
}

// refresh reads or imports a resource. The state has the result only after an apply.
func (s *story) refresh(d *acctest.Driver, r *written) (diags []*tfprotov6.Diagnostic) {
	r.plan = nil
	if r.importID == "" || r.state != nil {
		r.refreshed, diags = d.Refresh(s.Context(), r.state)
		return diags
	}
	s.seen = append(s.seen, "import "+r.address())
	r.refreshed, diags = d.Import(s.Context(), r.typeName, r.importID)
	return diags
}

// orphan returns the prior object for the plan of a resource that is not configured. Terraform 1.11 takes its private
// state from before the refresh.
func orphan(refreshed, stored *acctest.Object) *acctest.Object {
	if refreshed == nil || stored == nil {
		return refreshed
	}
	prior := *refreshed
	prior.Private = stored.Private
	return &prior
}

// planned returns the plan in the signs of the CLI.
func (s *story) planned() (lines []string) {
	for _, r := range s.resources {
		if r.plan == nil {
			continue
		}
		switch r.plan.Action {
		case acctest.ActionCreate:
			lines = append(lines, "+ "+r.address())
		case acctest.ActionUpdate:
			lines = append(lines, "~ "+r.address()+": "+strings.Join(r.plan.Changes(), ", "))
		case acctest.ActionReplace:
			lines = append(lines, r.replacement())
		case acctest.ActionDelete:
			lines = append(lines, "- "+r.address())
		}
	}
	if lines == nil {
		return []string{"no changes"}
	}
	return lines
}

// replacement returns the sign, the address and the reasons of a replacement.
func (r *written) replacement() string {
	sign, reasons := "-/+ ", r.plan.RequiresReplace
	if r.createsFirst() {
		sign = "+/- "
	}
	if r.refreshed.Tainted {
		reasons = append(reasons, "tainted")
	}
	return sign + r.address() + ": " + strings.Join(reasons, ", ")
}

// createsFirst reports whether the configuration has create_before_destroy.
func (r *written) createsFirst() bool {
	return slices.ContainsFunc(r.bodies, func(body *hclsyntax.Body) bool {
		return slices.ContainsFunc(body.Blocks, func(b *hclsyntax.Block) bool {
			return b.Type == "lifecycle" && b.Body.Attributes["create_before_destroy"] != nil
		})
	})
}

// apply applies the plans in another process: types in the order of the story, and destroys in the reverse order after
// them. Resources of one type are applied together.
func (s *story) apply(block *hclsyntax.Block) {
	s.running = s.process()
	for _, r := range s.resources {
		r.state, r.importID = r.refreshed, ""
	}
	for _, b := range block.Body.Blocks {
		if after := argument(b, "after"); after != "" {
			time.AfterFunc(s.duration(after), s.event(b))
		} else {
			s.event(b)()
		}
	}
	var types []string
	for _, r := range s.resources {
		if !slices.Contains(types, r.typeName) {
			types = append(types, r.typeName)
		}
	}
	ok := true
	for _, typeName := range types {
		ok = ok && s.applyType(typeName, false)
	}
	for _, typeName := range slices.Backward(types) {
		ok = ok && s.applyType(typeName, true)
	}
}

func (s *story) applyType(typeName string, destroys bool) (ok bool) {
	known := s.known(true)
	all := make([][]*tfprotov6.Diagnostic, len(s.resources))
	var together sync.WaitGroup
	for i, r := range s.resources {
		if r.plan != nil && r.typeName == typeName && destroys == (r.plan.Action == acctest.ActionDelete) {
			config := r.config(s.T, known)
			together.Go(func() { all[i] = s.applyOne(r, config) })
			time.Sleep(time.Second) // so that IDs and messages are the same each time
		}
	}
	together.Wait()
	diags := slices.Concat(all...)
	s.say(diags)
	return !acctest.HasErrors(diags)
}

func (s *story) applyOne(r *written, config map[string]any) (diags []*tfprotov6.Diagnostic) {
	d, ctx := s.running, s.Context()
	if r.plan.Action != acctest.ActionReplace || !r.createsFirst() {
		r.state, diags = d.ApplyWith(ctx, r.plan, config)
		return diags
	}
	creation := *r.plan
	creation.Action, creation.Prior = acctest.ActionCreate, nil
	created, diags := d.ApplyWith(ctx, &creation, config)
	if created == nil {
		return diags
	}
	old := r.state
	r.state = created
	_, more := d.ApplyWith(ctx, d.Plan(ctx, r.typeName, old, nil), nil)
	return append(diags, more...)
}

// config returns the configuration of a resource, or nil if it was removed.
func (r *written) config(t *testing.T, known *hcl.EvalContext) map[string]any {
	t.Helper()
	if len(r.bodies) == 0 {
		return nil
	}
	config := map[string]any{}
	for _, body := range r.bodies {
		maps.Copy(config, acctest.HCLConfig(t, body, known))
	}
	return config
}

// known returns the values that a configuration refers to: those of the states or, before an apply, of the plans.
func (s *story) known(applied bool) *hcl.EvalContext {
	types := map[string]map[string]cty.Value{}
	for _, r := range s.resources {
		value := cty.DynamicVal
		switch {
		case !applied && r.plan != nil:
			value = ctyOf(r.plan.Get(""))
		case !applied && r.refreshed != nil:
			value = ctyOf(r.refreshed.Get(""))
		case r.state != nil:
			value = ctyOf(r.state.Get(""))
		}
		if types[r.typeName] == nil {
			types[r.typeName] = map[string]cty.Value{}
		}
		types[r.typeName][r.name] = value
	}
	known := &hcl.EvalContext{Variables: map[string]cty.Value{}}
	for typeName, values := range types {
		known.Variables[typeName] = cty.ObjectVal(values)
	}
	return known
}

// ctyOf returns a value of a state for expressions. Null attributes are left out.
func ctyOf(value any) cty.Value {
	switch value := value.(type) {
	case string:
		return cty.StringVal(value)
	case bool:
		return cty.BoolVal(value)
	case int64:
		return cty.NumberIntVal(value)
	case map[string]any:
		values := map[string]cty.Value{}
		for name, element := range value {
			if element != nil {
				values[name] = ctyOf(element)
			}
		}
		return cty.ObjectVal(values)
	case []any:
		values := make([]cty.Value, len(value))
		for i, element := range value {
			values[i] = ctyOf(element)
		}
		return cty.TupleVal(values)
	}
	return cty.DynamicVal
}
