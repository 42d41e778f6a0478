package group

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ resource.ResourceWithConfigure   = (*groupResource)(nil)
	_ resource.ResourceWithIdentity    = (*groupResource)(nil)
	_ resource.ResourceWithImportState = (*groupResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*groupResource)(nil)
)

// provider is what groups use of the provider.
type provider struct {
	tfkit.Common
	tfkit.Defaults

	Client  *cloudserver.Client
	Fleet   *fleet.Fleet
	Notes   *run.Notes
	Memory  *run.Memory
	Running *run.Operations
}

func uses(d *tfkit.ProviderData) provider {
	return provider{d, d.Defaults, d.Client, d.Fleet, &d.Notes, &d.Memory, &d.Running}
}

type groupResource struct{ tfkit.Resource[provider] }

func newResource() groupResource {
	return groupResource{tfkit.Resource[provider]{
		Name: typeName, Uses: uses, Identity: map[string]string{"id": "Numeric ID of the group."},
	}}
}

// NewResource returns the resource cloudserver_group.
func NewResource() resource.Resource { return new(newResource()) }

// Create creates the group. There is one group even if an answer is lost.
func (r *groupResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || !r.Data.RequireReady("create "+plan.title(), &resp.Diagnostics) {
		return
	}
	k := groupPrivate{Domain: presence.LearnDomain(ctx, r.Data.Fleet, r.Data.Memory, plan.Account.ValueString())}
	group, err := r.awaitName(ctx, plan, func() (*cloudserver.Group, error) {
		return r.create(ctx, plan.Account.ValueString(), plan.Name.ValueString())
	})
	if err != nil {
		r.addCreateError(ctx, plan, err, &resp.Diagnostics)
		return
	}
	presence.WarnAdopted(path.Root("name"), run.ObjectWithID(run.Group, group.ID), fmt.Sprintf("name %q", plan.Name.ValueString()),
		group.Unconfirmed, &resp.Diagnostics)
	plan.readPlanned(group)
	tfkit.Save(ctx, &resp.State, resp.Identity, plan, plan.identity(), &resp.Diagnostics)
	tfkit.SavePrivate(ctx, resp.Private, k, &resp.Diagnostics)
}

// create looks the name up first. Only then a group that is found after an ambiguous result is known to be new.
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

// Read finds the group by its ID, so that a rename elsewhere is drift and not a loss.
func (r *groupResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.Data.BeginRead(ctx, state.identity(), state.object(), resp) {
		return
	}
	k := tfkit.LoadPrivate[groupPrivate](ctx, req.Private, &resp.Diagnostics)
	group, err := r.find(ctx, state, k)
	switch {
	case presence.IsGone(err):
		resp.State.RemoveResource(ctx)
	case err != nil:
		presence.AddUnknown(&resp.Diagnostics, "Cannot read "+state.title(), "the group", err, attributePath)
	default:
		state.read(group)
		if k.Domain == "" {
			k.Domain = presence.LearnDomain(ctx, r.Data.Fleet, r.Data.Memory, state.Account.ValueString())
			tfkit.SavePrivate(ctx, resp.Private, k, &resp.Diagnostics)
		}
		tfkit.Save(ctx, &resp.State, resp.Identity, state, state.identity(), &resp.Diagnostics)
	}
}

// Update renames the group; no other attribute can change in place.
func (r *groupResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || !r.Data.RequireReady("rename "+state.title(), &resp.Diagnostics) {
		return
	}
	k := tfkit.LoadPrivate[groupPrivate](ctx, req.Private, &resp.Diagnostics)
	group, err := r.awaitName(ctx, plan, func() (*cloudserver.Group, error) { return r.rename(ctx, state, k, plan.Name.ValueString()) })
	if err != nil {
		addRenameError(state, plan, err, &resp.Diagnostics)
		return
	}
	plan.readPlanned(group)
	tfkit.Save(ctx, &resp.State, resp.Identity, plan, plan.identity(), &resp.Diagnostics)
}

// rename renames the group, unless it has the new name already: an earlier attempt may have been carried out although its
// answer was lost.
func (r *groupResource) rename(
	ctx context.Context, state model, k groupPrivate, name string,
) (renamed *cloudserver.Group, err error) {
	var element string
	err = r.Data.Client.Change(ctx, func(ctx context.Context, since time.Time) (done bool, err error) {
		r.Data.Fleet.ForgetBefore(since)
		r.Data.Fleet.Directory.Changed() // the list of groups is the look at this one
		if renamed, err = r.find(ctx, state, k); err == nil && renamed.Name == name {
			return true, nil
		}
		element, err = r.address(ctx, state, k)
		return false, err
	}, func(ctx context.Context, w cloudserver.Writer) (err error) {
		renamed, err = w.RenameGroup(ctx, state.Account.ValueString(), element, tfkit.IDOf(state.ID), name)
		r.Data.Fleet.Directory.Changed()
		return err
	})
	if err != nil {
		return nil, err
	}
	return renamed, nil
}

// awaitName calls ask, and repeats that while the name is taken and another operation of this run may free it. Unlike a
// machine, a group does not step aside under a temporary name, because that would change the hostnames of all its
// machines.
func (r *groupResource) awaitName(
	ctx context.Context, plan model, ask func() (*cloudserver.Group, error),
) (group *cloudserver.Group, err error) {
	running := r.Data.Running.Begin()
	defer running.End()
	try := func() error {
		group, err = ask()
		if r.Data.Fleet.Directory.Changed(); err != nil {
			r.Data.Fleet.ForgetBefore(time.Now()) // the next look is one after this attempt
		}
		return err
	}
	if err = try(); cloudserver.IsNameTaken(err) {
		err = running.AwaitName(progress.NewContext(ctx, plan.title(), nil), plan.Name.ValueString(), err,
			cloudserver.IsNameTaken, try)
	}
	return group, err
}

var attributePath = tfkit.AttributesOf(map[string]string{"name": "name"})

// importIt is the advice to import the group.
func (m model) importIt() string {
	return fmt.Sprintf("import it:\n\nimport {\n  to = cloudserver_group.NAME # the address of this resource\n  id = %q\n}",
		m.Account.ValueString()+"/"+m.Name.ValueString())
}

// CannotCreate is the beginning of the summary of an error about a creation.
const CannotCreate = "Cannot create"

// addCreateError reports that a group was not created: the account does not exist, or the name is taken, possibly by
// the group that the user means.
func (r *groupResource) addCreateError(ctx context.Context, plan model, err error, diags *diag.Diagnostics) {
	summary, account := CannotCreate+" "+plan.title(), plan.Account.ValueString()
	if _, taken := errors.AsType[*cloudserver.NameTaken](err); taken {
		diags.AddAttributeError(path.Root("name"), summary, tfkit.Detail(err,
			tfkit.NothingCreated+" If no other workspace manages that group, "+plan.importIt()+
				"\n\nOtherwise choose another name, or run apply again once it is free."))
		return
	}
	if _, ambiguous := errors.AsType[*cloudserver.AmbiguousError](err); ambiguous {
		tfkit.AddError(diags, summary, err, nil, "If the group was created after all, the next plan says that its name is taken. "+
			"Look at the group, and if it is yours, "+plan.importIt())
		return
	}
	if cloudserver.IsNotFound(err) {
		diags.AddAttributeError(path.Root("account"), summary, tfkit.Detail(err,
			location.NoSuchAccount(ctx, r.Data.Defaults, r.Data.Fleet.Directory, account)+" "+tfkit.NothingCreated))
		return
	}
	tfkit.AddError(diags, summary, err, attributePath, tfkit.NothingCreated)
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
