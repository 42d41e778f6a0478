package group

import (
	"context"
	"fmt"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// groupPrivate is the private state of a group.
type groupPrivate struct {
	// Domain is the cluster domain of the service that the group is of: that of the machines
	// of its account. "": none has been seen.
	Domain string `json:"domain,omitempty"`
}

// find reads a group by its ID and makes sure that it is the one in the state. [presence.IsGone] reports true for the
// error only if the group is known to be gone.
func (r *groupResource) find(ctx context.Context, m model, k groupPrivate) (*cloudserver.Group, error) {
	id, err := cloudserver.ParseID(m.ID.ValueString())
	account := m.Account.ValueString()
	if err == nil {
		err = presence.CheckDomain(r.Data.Fleet, m.named(), k.Domain)
	}
	if err == nil {
		err = r.Data.Fleet.Directory.CheckAccount(ctx, account)
	}
	if err != nil {
		return nil, err
	}
	group, err := presence.FindGroup(ctx, r.Data.Fleet, r.Data.Memory, account, id, func(ctx context.Context) (*cloudserver.Group, error) {
		return r.read(ctx, account, id)
	})
	switch {
	case err == nil:
		err = r.errOtherService(ctx, m, k, group)
	case presence.IsGone(err):
		home := presence.Home{ID: tfkit.IDOf(m.AccountID), Domain: k.Domain}
		if other := home.Check(ctx, r.Data.Fleet, r.Data.Memory, account, m.named()); other != nil { // it would not have the group
			err = other
		}
	}
	if err != nil {
		return nil, err
	}
	return group, nil
}

// read finds a group in the list of its account, which serves all groups. If the list lacks the group, or fails, the
// group itself is read, and the next read requests the list again.
func (r *groupResource) read(ctx context.Context, account string, id int64) (*cloudserver.Group, error) {
	listed, _ := r.Data.Fleet.Directory.GroupWithID(ctx, account, id) // in case of an error, the group itself is read
	if listed != nil {
		return &listed.Group, nil
	}
	r.Data.Fleet.Directory.Changed()
	group, err := r.Data.Client.Group(ctx, account, cloudserver.IDText(id))
	if err == nil && group.ID != id { // another group, whose name is this ID
		return nil, cloudserver.NotListed("/accounts/"+account+"/groups", fmt.Sprintf("no group has the ID %d", id))
	}
	return group, err
}

// errOtherService returns an error if the group is another one with the same ID. A group
// stays in its account. One that has another name was renamed, unless its machines, or else
// those of its account, have the cluster domain of another service.
func (r *groupResource) errOtherService(ctx context.Context, m model, k groupPrivate, group *cloudserver.Group) error {
	if tfkit.Given(m.AccountID) && group.AccountID != 0 && tfkit.IDOf(m.AccountID) != group.AccountID {
		return &origin.Error{
			Expected: fmt.Sprintf("group %q (account ID %s) under the ID %d", m.Name.ValueString(), m.AccountID.ValueString(), group.ID),
			Found:    fmt.Sprintf("group %q (account ID %d)", group.Name, group.AccountID),
		}
	}
	if !tfkit.Given(m.Name) || group.Name == m.Name.ValueString() {
		return nil
	}
	home := presence.Home{Domain: k.Domain}
	if home.Domain != "" {
		same := false
		machines, err := r.machines(ctx, m.Account.ValueString(), group)
		if err == nil {
			account := m.Account.ValueString() // hostnames may be older than a rename of the group
			same, err = home.CheckMachines(m.named(), machines, []origin.Place{{Group: group.Name, Account: account}, {Group: m.Name.ValueString(), Account: account}})
		}
		if same || err != nil {
			return err
		}
	}
	return home.Check(ctx, r.Data.Fleet, r.Data.Memory, m.Account.ValueString(), m.named())
}

// named names the group in sentences about its service.
func (m model) named() string { return fmt.Sprintf("group %q", m.Name.ValueString()) }

// machines lists the machines of a group, including soft-deleted ones, without their discs.
func (r *groupResource) machines(
	ctx context.Context, account string, group *cloudserver.Group,
) ([]cloudserver.VirtualMachine, error) {
	element, err := r.Data.Fleet.Directory.Element(ctx, account, "", group.ID)
	if err != nil {
		return nil, err
	}
	return r.Data.Client.VirtualMachines(ctx, account, element, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
}

// address returns the path element for a request that changes a group and reaches no other one: another service may have
// one of the same ID and name. A group that was renamed since the refresh is refused: the plan did not show it.
func (r *groupResource) address(ctx context.Context, m model, k groupPrivate) (string, error) {
	group, err := r.find(ctx, m, k)
	if err != nil {
		return "", err
	}
	home := presence.Home{Domain: k.Domain} // the account's ID is the group's
	if err := home.CheckToWrite(ctx, r.Data.Fleet, r.Data.Memory, m.Account.ValueString(), m.named()); err != nil {
		return "", err
	}
	if group.Name != "" && group.Name != m.Name.ValueString() {
		return "", fmt.Errorf("the group with the ID %d is named %q now, and %q in the state: "+
			"it was renamed after the last refresh, or it is a group of another service. "+tfkit.NothingSent+" "+
			"Check endpoint, and which provider configuration this resource uses, and run plan to see what is there", group.ID, group.Name, m.Name.ValueString())
	}
	return r.Data.Fleet.Directory.Element(ctx, m.Account.ValueString(), "", group.ID)
}
