package vm

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// successor is the machine that a plan creates in place of an existing one, as far as the plan knows it. The delete of
// the existing machine asks, before it purges anything, whether the service would refuse the new one.
type successor struct {
	Account   string   `json:"account,omitempty"`
	Group     string   `json:"group,omitempty"`
	GroupID   string   `json:"group_id,omitempty"`
	Name      string   `json:"name,omitempty"`
	Addresses []string `json:"addresses,omitempty"`
}

// successor returns what the plan of a creation knows of the new machine.
func (m *model) successor() *successor {
	s := successor{Account: m.Account.ValueString(), Group: m.Group.ValueString(), GroupID: m.GroupID.ValueString(), Name: m.Name.ValueString()}
	for _, address := range (&model{IPs: m.IPs}).addresses() {
		s.Addresses = append(s.Addresses, address.String())
	}
	return &s
}

// names returns the name and location in each known form. If the group is not known, they are the name in any group.
func (s *successor) names() []fleet.Name {
	if s.Group == "" && s.GroupID == "" {
		return []fleet.Name{{Account: s.Account, Name: s.Name}}
	}
	return nameForms(s.Name, s.Account, s.Group, s.GroupID)
}

// where names the location in messages.
func (s *successor) where() string {
	if s.Group != "" {
		return fmt.Sprintf("group %q of account %q", s.Group, s.Account)
	}
	return fmt.Sprintf("group %s of account %q", s.GroupID, s.Account)
}

// obstacles are what the service says of the new machine before the old one is deleted.
type obstacles struct {
	noGroup error                       // the group is not shown
	holder  *cloudserver.VirtualMachine // has the name; an ID of 0 if it cannot be described yet
	inUse   []netip.Addr                // addresses that another machine has
}

// successorRefusal explains why the service would refuse the new machine.
type successorRefusal struct {
	at   path.Path
	why  string
	by   []run.Object // a destroy or rename of one of these removes the obstacle
	last bool         // no operation of this run can remove it
}

func (e *successorRefusal) Error() string { return e.why }

// isPassing reports whether an operation of this run may remove the obstacle.
func isPassing(err error) bool {
	refused, ok := errors.AsType[*successorRefusal](err)
	return ok && !refused.last
}

// replacing is the question, before the delete of a machine, whether the service would refuse the one that replaces it.
type replacing struct {
	*successor

	resource *vmResource
	old      *model
	machine  *operation.Machine
	running  *run.Operation
	asked    time.Time
}

// await returns an error if the service would refuse the new machine, also after the wait that a creation has for its
// name. It returns nil if an operation of this process, which waits as well, is destroying or renaming the machine that
// is in the way: two machines can be replaced into each other's names.
func (q *replacing) await(ctx context.Context) error {
	if q.successor == nil {
		return nil
	}
	err := q.ask(ctx)
	if !isPassing(err) {
		return err
	}
	err = q.running.Await(ctx, "what its new machine needs to become free", err, isPassing, func() error { return q.ask(ctx) })
	q.machine.Expire()
	refused, ok := errors.AsType[*successorRefusal](err)
	if ok && ctx.Err() == nil && slices.ContainsFunc(refused.by, q.resource.Data.Running.IsFreeing) {
		return nil
	}
	return err
}

// isOld reports whether the last answer is too old to purge anything, such as after the guest was shut down.
func (q *replacing) isOld() bool {
	return q.successor != nil && time.Since(q.asked) >= cloudserver.Recent
}

// ask asks the service, and decides.
func (q *replacing) ask(ctx context.Context) error {
	found, err := q.observe(ctx)
	if err != nil {
		return fmt.Errorf("finding out whether the service would refuse the new machine: %w", err)
	}
	q.asked = time.Now()
	return q.refusal(q.old, found)
}

// observe asks for the group, the name and the addresses.
func (q *replacing) observe(ctx context.Context) (found obstacles, err error) {
	if q.Account != "" && (q.Group != "" || q.GroupID != "") {
		if err := q.observeGroup(ctx, &found); err != nil {
			return found, err
		}
	}
	own, err := q.ownAddresses(ctx)
	if err != nil {
		return found, err
	}
	for _, text := range q.Addresses {
		address, err := netip.ParseAddr(text)
		if err != nil || slices.Contains(own, address) {
			continue
		}
		switch _, err := q.resource.Data.Client.IP(ctx, text); {
		case err == nil:
			found.inUse = append(found.inUse, address)
		case !cloudserver.IsNotFound(err):
			return found, err
		}
	}
	return found, nil
}

// observeGroup asks for the group and the name. A free name is no proof that the group exists.
func (q *replacing) observeGroup(ctx context.Context, found *obstacles) error {
	data, group := q.resource.Data, q.Group
	if q.GroupID != "" {
		group = ""
	}
	element, err := data.Fleet.Directory.Element(ctx, q.Account, group, tfkit.IDOf(tfkit.StringOrNull(q.GroupID)))
	if err == nil && q.Name != "" {
		found.holder, err = data.Client.VirtualMachineByName(ctx, q.Account, element, q.Name, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
	}
	switch {
	case err == nil && found.holder != nil:
		return nil
	case errors.Is(err, cloudserver.ErrNotDescribed):
		found.holder = &cloudserver.VirtualMachine{}
		return nil
	case err == nil, cloudserver.IsNotFound(err) && element != "":
		_, err = data.Client.Group(ctx, q.Account, element)
	}
	if cloudserver.IsNotFound(err) {
		found.noGroup, err = err, nil
	}
	return err
}

// ownAddresses returns the addresses that the old machine has now, if it matters.
func (q *replacing) ownAddresses(ctx context.Context) ([]netip.Addr, error) {
	own := q.old.addresses()
	unknown := func(text string) bool {
		address, err := netip.ParseAddr(text)
		return err == nil && !slices.Contains(own, address)
	}
	if !slices.ContainsFunc(q.Addresses, unknown) {
		return own, nil
	}
	vm, err := q.machine.LookByID(ctx)
	if err != nil {
		return nil, err
	}
	for _, card := range vm.NetworkInterfaces {
		for _, text := range card.IPs {
			if address, err := netip.ParseAddr(text); err == nil {
				own = append(own, address.Unmap())
			}
		}
	}
	return own, nil
}

// refusal decides whether the service would refuse the machine that replaces old.
func (s *successor) refusal(old *model, found obstacles) error {
	holder := found.holder
	switch {
	case found.noGroup != nil:
		return &successorRefusal{at: path.Root("group"), why: fmt.Sprintf("the service does not show %s: %s", s.where(), found.noGroup)}
	case holder != nil && holder.ID == old.numericID() && !old.mayPurge():
		return &successorRefusal{
			at: path.Root("purge_on_destroy"), last: true,
			why: fmt.Sprintf("with purge_on_destroy = false the old machine keeps the name %q when it is soft-deleted", s.Name),
		}
	case holder != nil && holder.ID == old.numericID():
	case holder != nil && holder.Deleted:
		return &successorRefusal{
			at: path.Root("name"), last: true,
			why: fmt.Sprintf("the soft-deleted virtual machine %d has the name %q in %s", holder.ID, s.Name, s.where()),
		}
	case holder != nil && holder.ID == 0:
		return &successorRefusal{at: path.Root("name"), why: fmt.Sprintf("another machine has the name %q in %s", s.Name, s.where())}
	case holder != nil:
		return &successorRefusal{
			at: path.Root("name"), by: []run.Object{run.ObjectWithID(run.VirtualMachine, holder.ID)},
			why: fmt.Sprintf("virtual machine %d has the name %q in %s", holder.ID, s.Name, s.where()),
		}
	}
	if len(found.inUse) > 0 {
		return &successorRefusal{
			at: path.Root("ips"), by: mapped(found.inUse, addressObject),
			why: "another machine has the address " + strings.Join(mapped(found.inUse, netip.Addr.String), ", "),
		}
	}
	return nil
}

// addressObject identifies an address among the operations of this process.
func addressObject(address netip.Addr) run.Object {
	return run.Object{Kind: run.IPAddress, ID: address.String()}
}

// freed returns what a destroy of the machine makes free.
func (m *model) freed() []run.Object {
	if !m.mayPurge() {
		return nil
	}
	return append(mapped(m.addresses(), addressObject), m.object())
}

// addSuccessorRefusal reports that the machine was not deleted, because the one that replaces it would be refused.
func (m *model) addSuccessorRefusal(refused *successorRefusal, err error, diags *diag.Diagnostics) {
	waited := ""
	if wait, ok := errors.AsType[*progress.Unfinished](err); ok {
		waited = " " + tfkit.Sentence(wait.Outcome())
	}
	diags.AddAttributeError(refused.at, "Cannot replace "+m.title(),
		fmt.Sprintf("The service would refuse the new machine: %s.%s\n\n"+tfkit.NothingDeleted+", and the machine stays as it is. "+
			"If another change of this configuration removes the obstacle, run apply again. Otherwise change name, group or ips.", refused.why, waited))
}

// specification describes the machine, so that a user can create it again.
func (m *model) specification() string {
	parts := []string{"cores = " + m.Cores.String(), "memory = " + m.Memory.String(), "hardware_profile = " + m.HardwareProfile.String()}
	if tfkit.Given(m.ZoneName) {
		parts = append(parts, "zone_name = "+m.ZoneName.String())
	}
	image := m.LastImagedWith
	if block, ok := blockOf[reimageModel](m.Reimage); ok && tfkit.Given(block.Distribution) {
		image = block.Distribution
	}
	if tfkit.Given(image) {
		parts = append(parts, "distribution = "+image.String())
	}
	for _, disc := range m.discs() {
		parts = append(parts, fmt.Sprintf("disc %s of %d megabytes (%s)", disc.Label, disc.Size.ValueInt64(), disc.StorageGrade.ValueString()))
	}
	return strings.Join(parts, "\n  ")
}

// rememberReplaced remembers what a machine was that is purged, for the message of a refused creation of the new one.
func (r *vmResource) rememberReplaced(old *model, s *successor) {
	if s == nil || s.Name == "" {
		return
	}
	for _, name := range s.names() {
		r.Data.Notes.Replace(name, run.Replaced{Title: fmt.Sprintf("%s (ID %s)", old.fullTitle(), old.ID.ValueString()), Specification: old.specification()})
	}
}

// addReplaced completes the error of a failed creation: the machine that the new one was to replace is purged.
func (r *vmResource) addReplaced(plan *model, diags *diag.Diagnostics) {
	for _, name := range append(plan.nameForms(), fleet.Name{Account: plan.Account.ValueString(), Name: plan.Name.ValueString()}) {
		old := r.Data.Notes.TakeReplaced(name)
		if old.Title == "" {
			continue
		}
		tfkit.Extend(diags, fmt.Sprintf("This machine was to replace %s, which this run has destroyed: now there is none. "+
			"The next apply creates the new one. What the old one had:\n\n  %s", old.Title, old.Specification))
		return
	}
}
