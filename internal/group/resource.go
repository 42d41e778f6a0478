package group

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ resource.ResourceWithConfigure   = (*groupResource)(nil)
	_ resource.ResourceWithIdentity    = (*groupResource)(nil)
	_ resource.ResourceWithImportState = (*groupResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*groupResource)(nil)
)

type groupResource struct{ tfkit.Resource }

func newResource() groupResource {
	return groupResource{tfkit.Resource{Name: typeName, Identity: map[string]string{"id": "Numeric ID of the group."}}}
}

// NewResource returns the resource cloudserver_group.
func NewResource() resource.Resource { return new(newResource()) }

// Create creates the group, once even if an answer is lost.
func (r *groupResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || !r.Data.RequireReady("create "+plan.title(), &resp.Diagnostics) {
		return
	}
	group, err := r.awaitName(ctx, func() (*cloudserver.Group, error) {
		return r.create(ctx, plan.Account.ValueString(), plan.Name.ValueString())
	})
	if err != nil {
		r.addCreateError(ctx, plan, err, &resp.Diagnostics)
		return
	}
	plan.readPlanned(group)
	tfkit.Save(ctx, &resp.State, resp.Identity, plan, plan.identity(), &resp.Diagnostics)
}

// create looks at the name first: after an ambiguous result, a group that is found
// is only then known to be new.
func (r *groupResource) create(ctx context.Context, account, name string) (*cloudserver.Group, error) {
	if err := r.Data.Directory.CheckAccount(ctx, account); err != nil {
		return nil, err
	}
	var look *cloudserver.Look
	if existing, err := r.Data.Directory.Groups(ctx, account); err == nil {
		look = &cloudserver.Look{}
		for _, group := range existing {
			if group.Name == name {
				look.Holder = group.ID
			}
		}
	}
	return r.Data.Client.CreateGroup(ctx, account, name, look)
}

// Read finds the group by its ID, so that a rename elsewhere is drift and not a
// loss.
func (r *groupResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.BeginRead(ctx, state.identity(), state.object(), resp) {
		return
	}
	group, err := r.find(ctx, state)
	if group != nil && state.isOfAnotherAccount(group) {
		err = state.errOther(group)
	}
	switch {
	case err != nil:
		tfkit.AddUnproved(&resp.Diagnostics, "Cannot read "+state.title(), "the group", err, attributePath)
	case group == nil:
		resp.State.RemoveResource(ctx)
	default:
		state.read(group)
		tfkit.Save(ctx, &resp.State, resp.Identity, state, state.identity(), &resp.Diagnostics)
	}
}

// Update renames the group: nothing else can change in place.
func (r *groupResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || !r.Data.RequireReady("rename "+state.title(), &resp.Diagnostics) {
		return
	}
	group, err := r.awaitName(ctx, func() (*cloudserver.Group, error) { return r.rename(ctx, state, plan.Name.ValueString()) })
	if err != nil {
		addRenameError(state, plan, err, &resp.Diagnostics)
		return
	}
	plan.readPlanned(group)
	tfkit.Save(ctx, &resp.State, resp.Identity, plan, plan.identity(), &resp.Diagnostics)
}

func (r *groupResource) rename(ctx context.Context, state model, name string) (*cloudserver.Group, error) {
	element, err := r.address(ctx, state)
	if err != nil {
		return nil, err
	}
	account := state.Account.ValueString()
	group, err := r.Data.Client.RenameGroup(ctx, account, element, tfkit.IDOf(state.ID), name)
	r.Data.Directory.Changed()
	if !cloudserver.IsNotFound(err) {
		return group, err
	}
	// The answer to an attempt may have been lost, and the next one asked for the
	// old name.
	if found, findErr := r.find(ctx, state); findErr == nil && found != nil && found.Name == name {
		return found, nil
	}
	return nil, err
}

// awaitName asks for a name, and again while it is taken and another operation of
// this run may free it. A group does not step aside, as a machine does: the
// hostnames of all its machines would change.
func (r *groupResource) awaitName(ctx context.Context, ask func() (*cloudserver.Group, error)) (group *cloudserver.Group, err error) {
	running := r.Data.Running.Begin()
	defer running.End()
	try := func() error {
		group, err = ask()
		r.Data.Directory.Changed() // the next attempt has to see who has left
		return err
	}
	if err = try(); isNameTaken(err) {
		err = running.AwaitName(ctx, err, isNameTaken, try)
	}
	return group, err
}

func isNameTaken(err error) bool {
	_, taken := errors.AsType[*cloudserver.NameTaken](err)
	return taken || cloudserver.IsNameTaken(err)
}
