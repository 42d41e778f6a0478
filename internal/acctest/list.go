// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// ListOptions are the arguments of a list block that every list resource has.
type ListOptions struct {
	Limit           int64 // 0: none
	IncludeResource bool
}

// Listed is one result of a list resource.
type Listed struct {
	DisplayName string
	// Object has the identity, and with IncludeResource the state.
	Object *Object
}

// List validates a list block and streams its results as `terraform query` does: it stops at the limit, and after a
// result with an error. If Object is nil, there are only diagnostics. Leaving the loop stops the provider.
func (d *Driver) List(
	ctx context.Context, typeName string, config map[string]any, options ListOptions,
) iter.Seq2[Listed, []*tfprotov6.Diagnostic] {
	d.t.Helper()
	value := d.encode(d.config(d.known(d.lists, typeName), config))
	return func(yield func(Listed, []*tfprotov6.Diagnostic) bool) {
		validated, err := d.server.ValidateListResourceConfig(
			ctx, &tfprotov6.ValidateListResourceConfigRequest{TypeName: typeName, Config: value},
		)
		d.answered(err)
		if HasErrors(validated.Diagnostics) {
			yield(Listed{}, validated.Diagnostics)
			return
		}
		stream, err := d.server.ListResource(ctx, &tfprotov6.ListResourceRequest{
			TypeName: typeName, Config: value, IncludeResource: options.IncludeResource, Limit: options.Limit,
		})
		d.answered(err)
		results := int64(0)
		for result := range stream.Results {
			listed := d.listed(typeName, result, options)
			if listed.Object != nil {
				results++
			}
			if !yield(listed, result.Diagnostics) || HasErrors(result.Diagnostics) {
				return
			}
			if options.Limit > 0 && results == options.Limit {
				return
			}
		}
	}
}

// MustList collects the results of List, and fails the test on any error.
func (d *Driver) MustList(ctx context.Context, typeName string, config map[string]any, options ListOptions) []Listed {
	d.t.Helper()
	var all []Listed
	for listed, diags := range d.List(ctx, typeName, config, options) {
		d.must("list", typeName, diags)
		if listed.Object != nil {
			all = append(all, listed)
		}
	}
	return all
}

// listed checks a result by Terraform's rules.
func (d *Driver) listed(typeName string, result tfprotov6.ListResourceResult, options ListOptions) Listed {
	d.t.Helper()
	if HasErrors(result.Diagnostics) || len(result.Diagnostics) > 0 && result.Identity == nil {
		return Listed{}
	}
	if result.DisplayName == "" || result.Identity == nil {
		d.broken("its list", typeName, []string{"a result without a display name or an identity"})
		return Listed{}
	}
	s := d.resource(typeName)
	o := &Object{TypeName: typeName, State: s.null(), Identity: result.Identity}
	o.identity = d.decode(result.Identity.IdentityData, d.identities[typeName])
	if options.IncludeResource {
		o.State = d.decode(result.Resource, s.typ)
		d.broken("its list, unknown", typeName, unknownPaths(o.State, ""))
		d.broken("its list", typeName, writeOnlyProblems(s.fields, o.State, ""))
	}
	return Listed{DisplayName: result.DisplayName, Object: o}
}
