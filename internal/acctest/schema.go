// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// nesting is how a field contains its objects. Resources of this provider have no other kinds of blocks.
type nesting int

const (
	leaf nesting = iota // no objects: a plain value
	single
	list
)

// field is an attribute or a block.
type field struct {
	typ       tftypes.Type
	nesting   nesting
	fields    fields // of every object; nil in a leaf
	optional  bool
	computed  bool
	writeOnly bool
	sensitive bool
}

// fields are the attributes and blocks of an object, by name.
type fields map[string]*field

// schema is what the driver knows about a resource, a data source or the provider block.
type schema struct {
	typ     tftypes.Type
	fields  fields
	version int64
}

// schemas are all schemas of a provider.
type schemas struct {
	provider   *schema
	resources  map[string]*schema
	data       map[string]*schema
	ephemeral  map[string]*schema
	functions  map[string]*tfprotov6.Function
	lists      map[string]*schema
	actions    map[string]*schema
	identities map[string]tftypes.Type
}

func readSchemas(ctx context.Context, server tfprotov6.ProviderServer) (*schemas, error) {
	read, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err == nil && HasErrors(read.Diagnostics) {
		err = errors.New(DiagText(read.Diagnostics))
	}
	if err != nil {
		return nil, fmt.Errorf("read the provider's schemas: %w", err)
	}
	all := &schemas{
		provider:   newSchema(read.Provider),
		resources:  newSchemas(read.ResourceSchemas),
		data:       newSchemas(read.DataSourceSchemas),
		ephemeral:  newSchemas(read.EphemeralResourceSchemas),
		functions:  read.Functions,
		lists:      newSchemas(read.ListResourceSchemas),
		actions:    map[string]*schema{},
		identities: map[string]tftypes.Type{},
	}
	for name, action := range read.ActionSchemas {
		all.actions[name] = newSchema(action.Schema)
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err == nil && HasErrors(identities.Diagnostics) {
		err = errors.New(DiagText(identities.Diagnostics))
	}
	if err != nil {
		return nil, fmt.Errorf("read the provider's identity schemas: %w", err)
	}
	for name, identity := range identities.IdentitySchemas {
		all.identities[name] = identity.ValueType()
	}
	return all, nil
}

func newSchemas(protocol map[string]*tfprotov6.Schema) map[string]*schema {
	all := make(map[string]*schema, len(protocol))
	for name, s := range protocol {
		all[name] = newSchema(s)
	}
	return all
}

func newSchema(s *tfprotov6.Schema) *schema {
	return &schema{typ: s.ValueType(), fields: blockFields(s.Block), version: s.Version}
}

func (s *schema) null() tftypes.Value { return tftypes.NewValue(s.typ, nil) }

func blockFields(block *tfprotov6.SchemaBlock) fields {
	fs := fields{}
	for _, a := range block.Attributes {
		fs[a.Name] = &field{
			typ: a.ValueType(), optional: a.Optional, computed: a.Computed, writeOnly: a.WriteOnly, sensitive: a.Sensitive,
		}
	}
	for _, b := range block.BlockTypes {
		nested := &field{typ: b.ValueType(), nesting: single, fields: blockFields(b.Block)}
		if b.Nesting == tfprotov6.SchemaNestedBlockNestingModeList {
			nested.nesting = list
		}
		fs[b.TypeName] = nested
	}
	return fs
}

// isComputedMap reports whether the field is a map or an object that only the provider sets.
func (f *field) isComputedMap() bool {
	return (f.typ.Is(tftypes.Map{}) || f.typ.Is(tftypes.Object{})) && f.computed && !f.optional
}

// objectType returns the type of one object of the field.
func (f *field) objectType() tftypes.Type {
	if t, ok := f.typ.(tftypes.List); ok {
		return t.ElementType
	}
	return f.typ
}
