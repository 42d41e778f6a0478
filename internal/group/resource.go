package group

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
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
	group, err := r.awaitName(ctx, plan, func() (*cloudserver.Group, error) {
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
	if err := r.Data.Fleet.Directory.CheckAccount(ctx, account); err != nil {
		return nil, err
	}
	var look *cloudserver.Look
	if existing, err := r.Data.Fleet.Directory.Groups(ctx, account); err == nil {
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
	if resp.Diagnostics.HasError() || !presence.BeginRead(ctx, r.Data, state.identity(), state.object(), resp) {
		return
	}
	group, err := r.find(ctx, state)
	if group != nil && state.isOfAnotherAccount(group) {
		err = state.errOther(group)
	}
	switch {
	case err != nil:
		presence.AddUnproved(&resp.Diagnostics, "Cannot read "+state.title(), "the group", err, attributePath)
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
	group, err := r.awaitName(ctx, plan, func() (*cloudserver.Group, error) { return r.rename(ctx, state, plan.Name.ValueString()) })
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
	r.Data.Fleet.Directory.Changed()
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
func (r *groupResource) awaitName(ctx context.Context, plan model, ask func() (*cloudserver.Group, error)) (group *cloudserver.Group, err error) {
	running := r.Data.Running.Begin()
	defer running.End()
	try := func() error {
		group, err = ask()
		r.Data.Fleet.Directory.Changed() // the next attempt has to see who has left
		return err
	}
	if err = try(); cloudserver.IsNameTaken(err) {
		err = running.AwaitName(progress.Of(ctx, plan.title(), nil), plan.Name.ValueString(), err, cloudserver.IsNameTaken, try)
	}
	return group, err
}

var attributePath = tfkit.AttributesOf(map[string]string{"name": "name"})

// importIt is the advice to import the group.
func (m model) importIt() string {
	return fmt.Sprintf("import it:\n\nimport {\n  to = cloudserver_group.NAME # the address of this resource\n  id = %q\n}",
		m.Account.ValueString()+"/"+m.Name.ValueString())
}

// addCreateError reports a group that was not created: the account does not
// exist, or the name is taken, perhaps by the group that the user means.
func (r *groupResource) addCreateError(ctx context.Context, plan model, err error, diags *diag.Diagnostics) {
	summary, account := "Cannot create "+plan.title(), plan.Account.ValueString()
	if _, taken := errors.AsType[*cloudserver.NameTaken](err); taken {
		diags.AddAttributeError(path.Root("name"), summary, tfkit.Detail(err,
			"A group of this name exists already, and Terraform does not track it as this resource. If it is the group that you mean, "+plan.importIt()+
				"\n\nIf it is the old group of a replacement with create_before_destroy, the new one needs another name. If another change of this configuration frees the name, run apply again. Otherwise choose another name. Nothing was created."))
		return
	}
	if _, ambiguous := errors.AsType[*cloudserver.AmbiguousError](err); ambiguous {
		tfkit.AddError(diags, summary, err, nil, "If the group was created after all, the next apply fails because the name is taken. Look at the group, and if it is yours, "+plan.importIt())
		return
	}
	if cloudserver.IsNotFound(err) {
		diags.AddAttributeError(path.Root("account"), summary, tfkit.Detail(err, location.NoSuchAccount(ctx, r.Data.Fleet.Directory, account)+" Nothing was created."))
		return
	}
	tfkit.AddError(diags, summary, err, attributePath, "Nothing was created.")
}

func addRenameError(state, plan model, err error, diags *diag.Diagnostics) {
	advice := "The group keeps its name."
	switch {
	case cloudserver.IsNameTaken(err):
		advice = "The group keeps its name. If another change of this configuration frees the name, run apply again. " +
			"Two groups cannot exchange their names in one apply: give one of them a free name first."
	case cloudserver.IsAmbiguous(err):
		advice = "It is unknown whether the group was renamed: run plan to see its name."
	case cloudserver.IsNotFound(err):
		advice = "Run plan to see whether the group still exists."
	}
	tfkit.AddError(diags, fmt.Sprintf("Cannot rename %s to %q", state.title(), plan.Name.ValueString()), err, attributePath, advice)
}

// find reads a group by its ID. It returns nil only if the group is known to be
// gone: its account is visible, and the group is not.
func (r *groupResource) find(ctx context.Context, m model) (*cloudserver.Group, error) {
	id, err := cloudserver.ParseID(m.ID.ValueString())
	account := m.Account.ValueString()
	if err == nil {
		err = r.Data.Fleet.Directory.CheckAccount(ctx, account)
	}
	if err != nil {
		return nil, err
	}
	listed, listErr := r.Data.Fleet.Directory.Find(ctx, account, id, "")
	if listed != nil {
		return &listed.Group, nil
	}
	// The list lacks the group, or failed: the group itself has the last word. An
	// answer for another group is one whose name is this ID.
	group, err := r.Data.Client.Group(ctx, account, m.ID.ValueString())
	switch {
	case err == nil && group.ID == id:
		return group, nil
	case listErr != nil && cloudserver.IsNotFound(err): // nobody has shown the account
		return nil, presence.ProveVisible(ctx, r.Data, account)
	case listErr != nil:
		return nil, listErr
	case err == nil, cloudserver.IsNotFound(err):
		return nil, nil
	}
	return nil, err
}

// address returns the path element for a request that changes a group and reaches
// no other one.
func (r *groupResource) address(ctx context.Context, m model) (string, error) {
	group, err := r.find(ctx, m)
	account := m.Account.ValueString()
	switch {
	case err != nil:
		return "", err
	case group == nil:
		return "", cloudserver.NotListed("/accounts/"+account+"/groups", "no group has the ID "+m.ID.ValueString())
	case group.Name != "" && group.Name != m.Name.ValueString() || m.isOfAnotherAccount(group):
		return "", m.errOther(group)
	}
	return r.Data.Fleet.Directory.Element(ctx, account, "", group.ID)
}

// isOfAnotherAccount reports whether the group is another one with the same ID. IDs
// are small numbers, and a state may be pointed at another service. A group stays
// in its account.
func (m *model) isOfAnotherAccount(group *cloudserver.Group) bool {
	return tfkit.Given(m.AccountID) && group.AccountID != 0 && tfkit.IDOf(m.AccountID) != group.AccountID
}

func (m *model) errOther(group *cloudserver.Group) error {
	return fmt.Errorf("the state has group %q (account ID %s) under the ID %d, and the service %q (account ID %d). It is a group of another service, or it was renamed after the last refresh. "+
		"Check endpoint, and which provider configuration this resource uses, and run plan to see what is there",
		m.Name.ValueString(), m.AccountID.ValueString(), group.ID, group.Name, group.AccountID)
}
