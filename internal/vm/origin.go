package vm

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// domain returns the cluster domain of the hostname, or "" if it is unknown.
func (m *model) domain() string {
	at := origin.Place{Group: m.Group.ValueString(), Account: m.Account.ValueString()}
	return origin.Known(m.numericID(), m.Hostname.ValueString(), m.Name.ValueString(), at, nil, nil).Domain()
}

// rememberState lets the other resources and the actions of this process know the domain of the state, and what it protects.
func (r *vmResource) rememberState(m *model) {
	r.rememberProtection(m, m)
	r.rememberDomain(m)
}

// rememberDomain lets the other resources and the actions of this process know the domain that the state has.
func (r *vmResource) rememberDomain(m *model) {
	r.Data.Memory.Note(m.object(), func(k *run.Known) { k.Account, k.Domain = m.Account.ValueString(), m.domain() })
}

// domainIn returns the domain of the machines of an account, as far as this process knows it, or "".
func (r *vmResource) domainIn(account string) string {
	return cmp.Or(r.Data.Memory.DomainIn(account), r.Data.Fleet.Domains.Account(account))
}

// errOtherDomain returns an error if it is known without a request that the service does not have the machine.
func (m *model) errOtherDomain(f *fleet.Fleet) error {
	return presence.CheckDomain(f, fmt.Sprintf("machine %q", m.Hostname.ValueString()), m.domain())
}

// ofRenamedDomain returns the machine that a read has refused as another service's, if everything else about it is as in
// the state: then the service has renamed its domain, which is a warning, once in a run. Only a refresh believes that.
// Before a request that changes something, the domain has to be that of the state. It returns nil otherwise.
func (r *vmResource) ofRenamedDomain(
	ctx context.Context, state *model, p private, err error, diags *diag.Diagnostics,
) *cloudserver.VirtualMachine {
	other, ok := errors.AsType[*origin.Error](err)
	if !ok || other.Doubt || other.Answer == nil || !state.isLike(other.Answer, p) || !r.isInAccount(ctx, state, other.Answer) {
		return nil
	}
	hostname := *cmp.Or(other.Answer.Hostname, new(string))
	if r.Data.Notes.FirstTime(run.RenamedDomain, state.domain()) {
		diags.AddAttributeWarning(path.Root("hostname"), "The domain of the service has changed",
			fmt.Sprintf("The hostname of %s was %q and is %q now. "+
				"Everything else about the machine is as in the state, so it counts as the same one, and so do others of this run. "+
				"If this is a copy of the service, for example after a restore, do not apply: check endpoint.", state.title(), state.Hostname.ValueString(), hostname))
	}
	return other.Answer
}

// isLike reports whether a machine is as in the state, apart from its hostname and from what changes by itself.
func (m *model) isLike(vm *cloudserver.VirtualMachine, p private) bool {
	now := m.refreshed(vm)
	discs, missing := readDiscs(m.discs(), vm.Discs)
	seen := observe(discs, vm.Discs)
	foreign, before := seen.foreign(discs), p.Discs.foreign(m.discs())
	if len(foreign) != len(before) || len(missing) > 0 {
		return false
	}
	for i, had := range m.discs() {
		was, _ := p.Discs.now(had)
		is, _ := seen.now(discs[i])
		if !cloudserver.SameLabel(was, is) || !discs[i].Size.Equal(had.Size) {
			return false
		}
	}
	for i, had := range before {
		if is := foreign[i]; !is.ID.Equal(had.ID) || !is.Label.Equal(had.Label) || !is.Size.Equal(had.Size) {
			return false
		}
	}
	return now.Name.Equal(m.Name) && now.GroupID.Equal(m.GroupID) && now.ZoneName.Equal(m.ZoneName) &&
		now.IPv4Address.Equal(m.IPv4Address) && now.IPv6Address.Equal(m.IPv6Address)
}

// isInAccount reports whether the directory has the machine's group in the account of the state. If the state has the
// ID of that account, it has to be the same.
func (r *vmResource) isInAccount(ctx context.Context, m *model, vm *cloudserver.VirtualMachine) bool {
	group, err := r.Data.Fleet.Directory.GroupByID(ctx, vm.GroupID, m.Account.ValueString())
	if err != nil || group == nil || group.Account != m.Account.ValueString() {
		return false
	}
	id := r.Data.Memory.AccountID(group.Account)
	return id == 0 || group.AccountID == 0 || group.AccountID == id
}
