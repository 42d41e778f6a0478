// SPDX-License-Identifier: MPL-2.0

// Package group manages groups of virtual machines (API.md §5): the resource cloudserver_group, its list resource, and
// the data sources cloudserver_group and cloudserver_groups.
package group

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ resource.ResourceWithConfigure   = (*groupResource)(nil)
	_ resource.ResourceWithIdentity    = (*groupResource)(nil)
	_ resource.ResourceWithImportState = (*groupResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*groupResource)(nil)
)

// typeName is the resource, without the provider's prefix.
const typeName = "_group"

type groupResource struct{ tfkit.Resource }

func newResource() groupResource {
	return groupResource{tfkit.Resource{Name: typeName, Identity: map[string]string{"id": "Numeric ID of the group."}}}
}

// NewResource returns the resource cloudserver_group.
func NewResource() resource.Resource { return new(newResource()) }

func (r *groupResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	stays := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manages a group of virtual machines in an account.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: "Numeric ID of the group.",
				Computed:            true, PlanModifiers: stays,
			},
			"account": schema.StringAttribute{
				MarkdownDescription: "Account of the group. Default: the provider's `account`.",
				Optional:            true, Computed: true,
				Validators: []validator.String{tfkit.PathName}, PlanModifiers: stays,
			},
			"account_id": schema.StringAttribute{
				MarkdownDescription: "Numeric ID of the account, or null.",
				Computed:            true, PlanModifiers: stays,
			},
			"name": schema.StringAttribute{
				MarkdownDescription: "Name of the group, unique in its account. A new name must not consist of digits only.",
				Required:            true,
				Validators:          []validator.String{tfkit.PathName},
			},
		},
	}
}

// model is the resource, and the data source of one group.
type model struct {
	ID        types.String `tfsdk:"id"`
	Account   types.String `tfsdk:"account"`
	AccountID types.String `tfsdk:"account_id"`
	Name      types.String `tfsdk:"name"`
}

// fromAPI sets what the service reported, which is never the name of the account.
func (m *model) fromAPI(group *cloudserver.Group) {
	m.ID = types.StringValue(cloudserver.IDText(group.ID))
	if group.AccountID != 0 {
		m.AccountID = tfkit.IDOrNull(group.AccountID)
	}
	if group.Name != "" {
		m.Name = types.StringValue(group.Name)
	}
}

// complete sets what the plan left unknown.
func (m *model) complete(group *cloudserver.Group) {
	m.ID = types.StringValue(cloudserver.IDText(group.ID))
	m.AccountID = tfkit.PlannedOr(m.AccountID, tfkit.IDOrNull(group.AccountID))
}

// identity returns the resource identity, which never changes.
func (m model) identity() tfkit.ResourceIdentity { return tfkit.ResourceIdentity{"id": m.ID} }

// title names the group in messages.
func (m model) title() string {
	title := fmt.Sprintf("group %q", m.Name.ValueString())
	switch {
	case m.Name.IsNull():
		title = "group " + m.ID.ValueString()
	case m.Name.IsUnknown():
		title = "a group"
	}
	if m.Account.ValueString() == "" {
		return title
	}
	return fmt.Sprintf("%s of account %q", title, m.Account.ValueString())
}

// key identifies the group among the objects that creates have made.
func (m model) key() string { return "group " + m.Account.ValueString() + "/" + m.Name.ValueString() }

// importBlock returns the block that imports the group with this account and name.
func (m model) importBlock() string {
	return fmt.Sprintf("import {\n  to = cloudserver_group.NAME # the address of this resource\n  id = %q\n}",
		m.Account.ValueString()+"/"+m.Name.ValueString())
}

// createTimeout limits how long a group is looked for whose creation was not confirmed.
const createTimeout = 20 * time.Minute

var attributePath = tfkit.AttributesOf(map[string]string{"name": "name"})

// errTwoBlocks is returned for a group that this process has created for another block.
var errTwoBlocks = errors.New("this apply has created the group for another resource block a moment ago")

// Create creates the group. An ambiguous answer leaves one group, which the client finds again by its name.
func (r *groupResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	diags := &resp.Diagnostics
	diags.Append(req.Plan.Get(ctx, &plan)...)
	if diags.HasError() || !r.Data.RequireReady("create "+plan.title(), diags) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, createTimeout)
	defer cancel()
	var group *cloudserver.Group
	err := cloudserver.RetryTaken(ctx, func() (err error) {
		if _, isClaimed := r.Data.Inventory.Claimed(plan.key()); isClaimed {
			return errTwoBlocks
		}
		group, err = r.Data.Client.CreateGroup(ctx, plan.Account.ValueString(), plan.Name.ValueString())
		return err
	})
	r.Data.Inventory.GroupsChanged()
	if err != nil {
		r.addCreateError(ctx, plan, err, diags)
		return
	}
	r.Data.Inventory.Claim(plan.key(), "")
	if group.Unconfirmed != nil {
		diags.AddAttributeWarning(path.Root("name"), "The creation of the group was not confirmed",
			fmt.Sprintf("%s The group exists (ID %d), its name was free before, and it is in the state now.",
				tfkit.Sentence(group.Unconfirmed.Error()), group.ID))
	}
	plan.complete(group)
	diags.Append(resp.State.Set(ctx, plan)...)
	plan.identity().Save(ctx, resp.Identity, diags)
}

// addCreateError reports that a group was not created: the account does not exist, or the name is taken, possibly by
// the group that the user means.
func (r *groupResource) addCreateError(ctx context.Context, plan model, err error, diags *diag.Diagnostics) {
	summary := "Cannot create " + plan.title()
	_, isTaken := errors.AsType[*cloudserver.NameTaken](err)
	_, isAmbiguous := errors.AsType[*cloudserver.AmbiguousError](err)
	switch {
	case errors.Is(err, errTwoBlocks):
		diags.AddAttributeError(path.Root("name"), summary, tfkit.Detail(err, "Two blocks describe it: remove one of them."))
	case isTaken:
		diags.AddAttributeError(path.Root("name"), summary, tfkit.Detail(err, plan.takenAdvice()))
	case isAmbiguous:
		tfkit.AddError(diags, summary, err, nil, "If the group was created after all, import it.\n\n"+plan.importBlock())
	case cloudserver.IsNotFound(err):
		diags.AddAttributeError(path.Root("account"), summary,
			tfkit.Detail(err, r.Data.NoSuchAccount(ctx, plan.Account.ValueString())))
	default:
		tfkit.AddError(diags, summary, err, attributePath, "")
	}
}

// Read finds the group by its ID, so that a rename elsewhere is drift and not a loss.
func (r *groupResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(req.State.Get(ctx, &state)...)
	state.identity().Save(ctx, resp.Identity, diags)
	if diags.HasError() || !r.Data.Ready() {
		return
	}
	group, err := r.find(ctx, state)
	switch {
	case inventory.IsGone(err):
		r.warnGone(state, err, diags)
		resp.State.RemoveResource(ctx)
	case err != nil:
		tfkit.AddError(diags, "Cannot read "+state.title(), err, nil, "The state is unchanged.")
	default:
		state.fromAPI(group)
		diags.Append(resp.State.Set(ctx, state)...)
	}
}

// warnGone warns that the group is removed from the state.
func (r *groupResource) warnGone(m model, denial error, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("id"), "The group is gone", tfkit.Detail(denial,
		fmt.Sprintf("The %s is not at %s any more. It is removed from the state, and the plan creates it again. "+
			"If this is not the service where it was created, check endpoint and which provider the resource uses, "+
			"and do not apply.", m.title(), r.Data.Client.Endpoint())))
}

// find returns the group with the ID of the state: from the list of its account, which serves all groups, or else by its
// ID.
func (r *groupResource) find(ctx context.Context, state model) (*cloudserver.Group, error) {
	account, id := state.Account.ValueString(), tfkit.IDOf(state.ID)
	groups, _ := r.Data.Inventory.Groups(ctx, account) // if that fails, the group is read by its ID
	for i := range groups {
		if groups[i].ID == id {
			return &groups[i], nil
		}
	}
	group, err := r.Data.Client.Group(ctx, account, cloudserver.IDText(id))
	if cloudserver.IsNotFound(err) {
		return nil, r.Data.Inventory.CheckGone(ctx, account, tfkit.IDOf(state.AccountID), err)
	}
	if err != nil {
		return nil, err
	}
	if group.ID != id {
		return nil, fmt.Errorf("the service answered with group %d instead of %d", group.ID, id)
	}
	return group, nil
}

// Update renames the group; no other attribute can change in place.
func (r *groupResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan model
	diags := &resp.Diagnostics
	diags.Append(req.State.Get(ctx, &state)...)
	diags.Append(req.Plan.Get(ctx, &plan)...)
	if diags.HasError() || !r.Data.RequireReady("rename "+state.title(), diags) {
		return
	}
	err := cloudserver.RetryTaken(ctx, func() error {
		return r.Data.Client.RenameGroup(ctx, state.Account.ValueString(), state.ID.ValueString(),
			tfkit.IDOf(state.ID), plan.Name.ValueString())
	})
	r.Data.Inventory.GroupsChanged()
	if err != nil {
		summary := fmt.Sprintf("Cannot rename %s to %q", state.title(), plan.Name.ValueString())
		tfkit.AddError(diags, summary, err, attributePath, "")
		return
	}
	r.Data.Inventory.Release(state.key())
	diags.Append(resp.State.Set(ctx, plan)...)
	plan.identity().Save(ctx, resp.Identity, diags)
}
