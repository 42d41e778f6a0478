package group

import (
	"context"
	"fmt"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// kept is the private state of a group.
type kept struct {
	// Domain is the cluster domain of the service that the group is of. A group has no
	// hostname: it is that of the machines of its account. "": none has been seen.
	Domain string `json:"domain,omitempty"`
}

// find reads a group by its ID, and makes sure that it is the one of the state. The error
// is [presence.IsGone] only if the group is known to be gone.
func (r *groupResource) find(ctx context.Context, m model, k kept) (*cloudserver.Group, error) {
	id, err := cloudserver.ParseID(m.ID.ValueString())
	account := m.Account.ValueString()
	if err == nil {
		err = presence.CheckDomain(r.Data, fmt.Sprintf("group %q", m.Name.ValueString()), k.Domain)
	}
	if err == nil {
		err = r.Data.Fleet.Directory.CheckAccount(ctx, account)
	}
	if err != nil {
		return nil, err
	}
	group, err := presence.Find(ctx, r.Data, account, func(ctx context.Context) (*cloudserver.Group, error) {
		return r.read(ctx, account, id)
	})
	switch {
	case err == nil:
		err = r.errOtherService(ctx, m, k, group)
	case presence.IsGone(err):
		err = r.errOtherAccount(ctx, m, err)
	}
	if err != nil {
		return nil, err
	}
	return group, nil
}

// read finds a group in the list of its account, which serves all groups. Where the list
// lacks the group, or fails, the group itself is asked for, and the next read asks for the list again.
func (r *groupResource) read(ctx context.Context, account string, id int64) (*cloudserver.Group, error) {
	listed, _ := r.Data.Fleet.Directory.GroupWithID(ctx, account, id) // whatever is wrong, the group tells
	if listed != nil {
		return &listed.Group, nil
	}
	r.Data.Fleet.Directory.Changed()
	group, err := r.Data.Client.Group(ctx, account, cloudserver.IDText(id))
	if err == nil && group.ID != id { // one that is named like this ID
		return nil, cloudserver.NotListed("/accounts/"+account+"/groups", fmt.Sprintf("no group has the ID %d", id))
	}
	return group, err
}

// errOtherService returns an error if the group is another one with the same ID. A group
// stays in its account. One that has another name was renamed, unless its machines have
// the cluster domain of another service.
func (r *groupResource) errOtherService(ctx context.Context, m model, k kept, group *cloudserver.Group) error {
	other := tfkit.Given(m.AccountID) && group.AccountID != 0 && tfkit.IDOf(m.AccountID) != group.AccountID
	if !other && k.Domain != "" && tfkit.Given(m.Name) && group.Name != m.Name.ValueString() {
		machines, err := r.machines(ctx, m.Account.ValueString(), group)
		if err != nil {
			return err
		}
		for _, vm := range machines {
			other = other || vm.Hostname != nil && !presence.IsOfDomain(*vm.Hostname, k.Domain)
		}
	}
	if !other {
		return nil
	}
	return m.errOther(group)
}

// errOtherAccount returns gone, unless the account is another one of the same name: another
// service's. It would not have the group.
func (r *groupResource) errOtherAccount(ctx context.Context, m model, gone error) error {
	accounts, err := r.Data.Fleet.Directory.Accounts(ctx)
	if err != nil || !tfkit.Given(m.AccountID) {
		return gone
	}
	for _, account := range accounts {
		if account.Name == m.Account.ValueString() && account.ID != 0 && account.ID != tfkit.IDOf(m.AccountID) {
			return &presence.OtherServiceError{
				Expected: fmt.Sprintf("group %q of account %q with the ID %s", m.Name.ValueString(), account.Name, m.AccountID.ValueString()),
				Found:    fmt.Sprintf("an account %q with the ID %d", account.Name, account.ID),
			}
		}
	}
	return gone
}

// errOther is the error for a group that is not the one of the state.
func (m model) errOther(group *cloudserver.Group) error {
	return &presence.OtherServiceError{
		Expected: fmt.Sprintf("group %q (account ID %s) under the ID %d", m.Name.ValueString(), m.AccountID.ValueString(), group.ID),
		Found:    fmt.Sprintf("group %q (account ID %d)", group.Name, group.AccountID),
	}
}

// machines lists the machines of a group, soft-deleted ones included, without their discs.
func (r *groupResource) machines(ctx context.Context, account string, group *cloudserver.Group) ([]cloudserver.VirtualMachine, error) {
	element, err := r.Data.Fleet.Directory.Element(ctx, account, "", group.ID)
	if err != nil {
		return nil, err
	}
	return r.Data.Client.VirtualMachines(ctx, account, element, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
}

// learnDomain returns the cluster domain of the group's account: as this process has seen
// it, or from the machines of the group. It asks once per account and run.
func (r *groupResource) learnDomain(ctx context.Context, m model) string {
	account := m.Account.ValueString()
	domain := r.Data.Memory.Domain(account)
	if domain != "" || !r.Data.Notes.FirstTime(run.LearnedDomain, account) {
		return domain
	}
	machines, _ := r.machines(ctx, account, &cloudserver.Group{ID: tfkit.IDOf(m.ID)}) // the next refresh tries again
	for _, vm := range machines {
		if vm.Hostname != nil && domain == "" {
			domain = presence.Domain(*vm.Hostname, vm.Name, m.Name.ValueString(), account)
		}
	}
	r.Data.Memory.SetDomain(account, domain)
	return domain
}

// address returns the path element for a request that changes a group and reaches
// no other one. A group that was renamed since the refresh is refused: the plan did not
// show it.
func (r *groupResource) address(ctx context.Context, m model, k kept) (string, error) {
	group, err := r.find(ctx, m, k)
	if err != nil {
		return "", err
	}
	if group.Name != "" && group.Name != m.Name.ValueString() {
		return "", fmt.Errorf("the group with the ID %d is named %q now, and %q in the state: it was renamed after the last refresh, or it is a group of another service. Nothing was sent. "+
			"Check endpoint, and which provider configuration this resource uses, and run plan to see what is there", group.ID, group.Name, m.Name.ValueString())
	}
	return r.Data.Fleet.Directory.Element(ctx, m.Account.ValueString(), "", group.ID)
}
