package fastplan

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// TestDefaultsAtAnyPlace: a default of any type, wherever the schema has it, decides unless the configuration sets a
// value.
func TestDefaultsAtAnyPlace(t *testing.T) {
	t.Parallel()
	count := schema.Int64Attribute{Optional: true, Computed: true, Default: int64default.StaticInt64(3)}
	word := schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString("a")}
	inBlock := schema.NestedBlockObject{Attributes: map[string]schema.Attribute{"word": word}}
	inAttribute := schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{"word": word}}
	for name, s := range map[string]schema.Schema{
		"a number":            {Attributes: map[string]schema.Attribute{"x": count}},
		"a block":             {Blocks: map[string]schema.Block{"x": schema.SingleNestedBlock{Attributes: inBlock.Attributes}}},
		"a list of blocks":    {Blocks: map[string]schema.Block{"x": schema.ListNestedBlock{NestedObject: inBlock}}},
		"a block in a block":  {Blocks: map[string]schema.Block{"x": schema.SingleNestedBlock{Blocks: map[string]schema.Block{"y": schema.ListNestedBlock{NestedObject: inBlock}}}}},
		"a nested attribute":  {Attributes: map[string]schema.Attribute{"x": schema.SingleNestedAttribute{Attributes: inBlock.Attributes, Optional: true}}},
		"a list of them":      {Attributes: map[string]schema.Attribute{"x": schema.ListNestedAttribute{NestedObject: inAttribute, Optional: true}}},
		"a set, by no path":   {Blocks: map[string]schema.Block{"x": schema.SetNestedBlock{NestedObject: inBlock}}},
		"nothing has any":     {Attributes: map[string]schema.Attribute{"x": schema.StringAttribute{Optional: true}}},
		"a set without any":   {Attributes: map[string]schema.Attribute{"x": schema.SetAttribute{ElementType: count.GetType(), Optional: true}}},
		"a map, by no path":   {Attributes: map[string]schema.Attribute{"x": schema.MapNestedAttribute{NestedObject: inAttribute, Optional: true}}},
		"no block configured": {Blocks: map[string]schema.Block{"z": schema.SingleNestedBlock{Attributes: inBlock.Attributes}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := traitsOf(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			object := s.Type().TerraformType(t.Context())
			for _, c := range []struct {
				what          string
				state, config int
				keeps         bool
			}{
				{"the default, left out", 3, 0, true},
				{"another value, left out", 4, 0, false},
				{"another value, configured", 4, 4, true},
			} {
				keeps := c.keeps
				switch name {
				case "a set, by no path", "a map, by no path":
					keeps = false // the framework decides
				case "nothing has any", "a set without any", "no block configured":
					keeps = true
				}
				config := func() (tftypes.Value, error) { return filled(object, c.config), nil }
				if got := d.keep(filled(object, c.state), config); got != keeps {
					t.Errorf("%s: kept %t, want %t", c.what, got, keeps)
				}
			}
		})
	}
}

// TestWriteOnlyAtAnyPlace: wherever the schema has a write-only attribute, another value of it is no change. Another
// value beside it is.
func TestWriteOnlyAtAnyPlace(t *testing.T) {
	t.Parallel()
	word, beside := schema.StringAttribute{Optional: true, WriteOnly: true}, schema.Int64Attribute{Optional: true}
	both := map[string]schema.Attribute{"word": word, "beside": beside}
	inBlock := schema.NestedBlockObject{Attributes: both}
	for name, s := range map[string]schema.Schema{
		"an attribute":        {Attributes: both},
		"a block":             {Blocks: map[string]schema.Block{"x": schema.SingleNestedBlock{Attributes: both}}},
		"a list of blocks":    {Blocks: map[string]schema.Block{"x": schema.ListNestedBlock{NestedObject: inBlock}}},
		"a block in a block":  {Blocks: map[string]schema.Block{"x": schema.SingleNestedBlock{Blocks: map[string]schema.Block{"y": schema.ListNestedBlock{NestedObject: inBlock}}}}},
		"a nested attribute":  {Attributes: map[string]schema.Attribute{"x": schema.SingleNestedAttribute{Attributes: both, Optional: true}}},
		"a write-only object": {Attributes: map[string]schema.Attribute{"x": schema.SingleNestedAttribute{Attributes: map[string]schema.Attribute{"word": word}, Optional: true, WriteOnly: true}, "beside": beside}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			traits, err := traitsOf(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			object := s.Type().TerraformType(t.Context())
			prior := withBeside(t, filled(object, 3), 3)
			if !traits.hasWriteOnly() || !traits.equal(prior, withBeside(t, filled(object, 4), 3)) || traits.equal(prior, withBeside(t, filled(object, 3), 4)) {
				t.Error("another value of a write-only attribute is a change, or another one is none")
			}
		})
	}
}

// withBeside returns an object with another number in every attribute beside.
func withBeside(t *testing.T, object tftypes.Value, n int) tftypes.Value {
	t.Helper()
	changed, err := tftypes.Transform(object, func(at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		if at.LastStep() == tftypes.AttributeName("beside") {
			return tftypes.NewValue(tftypes.Number, n), nil
		}
		return value, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// filled returns an object in which every number is n, every word "a" for 3 and "b" for others, and every list has one
// element. 0 stands for null. A block z is null.
func filled(of tftypes.Type, n int) tftypes.Value {
	switch of := of.(type) {
	case tftypes.Object:
		members := map[string]tftypes.Value{}
		for name, member := range of.AttributeTypes {
			if members[name] = filled(member, n); name == "z" {
				members[name] = tftypes.NewValue(member, nil)
			}
		}
		return tftypes.NewValue(of, members)
	case tftypes.List:
		return tftypes.NewValue(of, []tftypes.Value{filled(of.ElementType, n)})
	case tftypes.Set:
		return tftypes.NewValue(of, []tftypes.Value{filled(of.ElementType, n)})
	case tftypes.Map:
		return tftypes.NewValue(of, map[string]tftypes.Value{"k": filled(of.ElementType, n)})
	}
	switch {
	case n == 0:
		return tftypes.NewValue(of, nil)
	case of.Is(tftypes.Number):
		return tftypes.NewValue(of, n)
	case n == 3:
		return tftypes.NewValue(of, "a")
	}
	return tftypes.NewValue(of, "b")
}

// TestUnknownDefault: a kind of attribute that is not known may have a default.
func TestUnknownDefault(t *testing.T) {
	t.Parallel()
	type other struct{ schema.Attribute }
	if _, err := traitsOf(t.Context(), schema.Schema{Attributes: map[string]schema.Attribute{"x": other{}}}); err == nil {
		t.Error("no error")
	}
}

// TestCheck: an answer that differs from the framework's in any field is an error.
func TestCheck(t *testing.T) {
	t.Parallel()
	object := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"x": tftypes.Number}}
	plan := func(n int) *tfprotov6.PlanResourceChangeResponse {
		state, err := tfprotov6.NewDynamicValue(object, filled(object, n))
		if err != nil {
			t.Fatal(err)
		}
		return &tfprotov6.PlanResourceChangeResponse{PlannedState: &state}
	}
	private := plan(3)
	private.PlannedPrivate = []byte("{}")
	for name, c := range map[string]struct {
		framework *tfprotov6.PlanResourceChangeResponse
		differs   bool
	}{"the same": {plan(3), false}, "another state": {plan(4), true}, "another private state": {private, true}} {
		answer := plan(3)
		frameworkPlan(func(context.Context, *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
			return c.framework, nil
		}).compare(t.Context(), &tfprotov6.PlanResourceChangeRequest{}, object, answer)
		if differs := len(answer.Diagnostics) > 0; differs != c.differs {
			t.Errorf("%s: reported as different: %t", name, differs)
		}
	}
}
