package adopt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// selection limits what is read. Patterns have the syntax of the argument name_pattern; "" selects everything.
type selection struct {
	account, group, name string
	reverseNames         bool
}

// check returns an error that names the flag with an invalid pattern.
func (s selection) check() error {
	for name, pattern := range map[string]string{"--account": s.account, "--group": s.group, "--name": s.name} {
		if _, err := location.MatchesPattern(pattern, ""); err != nil {
			return fmt.Errorf("%s %q is not a pattern such as web*, with *, ? and [a-c]", name, pattern)
		}
		if problem := location.Unmatchable(name, pattern); problem != "" {
			return errors.New(problem)
		}
	}
	return nil
}

func selects(pattern, name string) bool {
	fits, _ := location.MatchesPattern(pattern, name) // patterns were checked before
	return pattern == "" || fits
}

// estate is the sorted selection of what the credentials can see.
type estate struct {
	accounts []string
	groups   []*estateGroup
	deleted  []string // soft-deleted machines
	unread   []string // what could not be read
}

// estateGroup is a group with its machines.
type estateGroup struct {
	importable    // without a state if the service does not list the group
	account, name string
	machines      []*estateMachine
}

// estateMachine is a machine with its backup schedules and reverse names.
type estateMachine struct {
	importable
	group     *estateGroup
	name      string
	addresses []netip.Addr
	schedules []importable
	names     []importable
}

// readEstate reads the accounts, and the contents of each in a few requests. It returns an error if nothing can be read
// at all.
func readEstate(ctx context.Context, s *service, selected selection, report *command.Progress) (*estate, error) {
	report.Step("Reading accounts")
	accounts, err := s.data.Fleet.Directory.Accounts(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot list the accounts: %w", err)
	}
	e := &estate{}
	for _, account := range accounts {
		if selects(selected.account, account.Name) {
			e.accounts = append(e.accounts, account.Name)
		}
	}
	slices.Sort(e.accounts)
	if len(e.accounts) == 0 {
		return nil, unselected("--account", selected.account, "account", "these credentials see", accountNames(accounts))
	}
	exist := &visible{}
	for _, account := range e.accounts {
		r := &reader{ctx, s, selected, report, e, exist, account, map[string]*estateGroup{}, map[string]*estateMachine{}}
		r.read()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if len(e.groups) == 0 && len(e.unread) == 0 && len(e.deleted) == 0 {
		if err := selected.nothing(exist); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(
		e.groups,
		func(a, b *estateGroup) int {
			return cmp.Or(cmp.Compare(a.account, b.account), cmp.Compare(a.name, b.name))
		},
	)
	return e, nil
}

func accountNames(accounts []cloudserver.Account) []string {
	all := make([]string, len(accounts))
	for i, account := range accounts {
		all[i] = account.Name
	}
	return all
}

// reader reads one account.
type reader struct {
	ctx      context.Context
	service  *service
	selected selection
	progress *command.Progress
	estate   *estate
	exist    *visible
	account  string
	groups   map[string]*estateGroup   // by name
	machines map[string]*estateMachine // by ID
}

func (r *reader) read() {
	r.readGroups()
	r.readMachines()
	r.readDeleted()
	if r.selected.name != "" && len(r.machines) == 0 {
		r.readMachineNames()
	}
	if r.selected.name != "" {
		r.estate.groups = slices.DeleteFunc(r.estate.groups, func(g *estateGroup) bool { return len(g.machines) == 0 })
	}
	if len(r.machines) > 0 {
		r.readSchedules()
		r.readNames()
	}
}

// list runs a list block over the account, and records what fails.
func (r *reader) list(typeName, what string, config map[string]cty.Value) []importable {
	r.progress.Step("Reading " + cloudserver.Shown(fmt.Sprintf("%s of account %s", what, r.account)))
	config["account"] = cty.StringVal(r.account)
	all, err := r.service.list(r.ctx, typeName, config)
	if err != nil {
		r.estate.unread = append(r.estate.unread, fmt.Sprintf("%s of account %s: %s", what, r.account, err))
	}
	return all
}

func (r *reader) readGroups() {
	for _, f := range r.list(groupType, "groups", map[string]cty.Value{}) {
		name := f.text("name")
		r.exist.groups = append(r.exist.groups, name)
		if selects(r.selected.group, name) {
			r.add(&estateGroup{importable: f, account: r.account, name: name})
		}
	}
}

func (r *reader) add(g *estateGroup) *estateGroup {
	r.groups[g.name] = g
	r.estate.groups = append(r.estate.groups, g)
	return g
}

// pattern returns the argument that selects machines by name.
func (r *reader) pattern() map[string]cty.Value {
	if r.selected.name == "" {
		return map[string]cty.Value{}
	}
	return map[string]cty.Value{"name_pattern": cty.StringVal(r.selected.name)}
}

func (r *reader) readMachines() {
	for _, f := range r.list(machineType, "machines", r.pattern()) {
		name := f.text("group")
		if !selects(r.selected.group, name) {
			continue
		}
		g := r.groups[name]
		if g == nil {
			g = r.add(&estateGroup{account: r.account, name: name})
		}
		m := &estateMachine{importable: f, group: g, name: f.text("name")}
		g.machines = append(g.machines, m)
		r.machines[f.text("id")] = m
	}
}

// readDeleted lists the soft-deleted machines of the selection.
func (r *reader) readDeleted() {
	r.progress.Step("Reading soft-deleted machines of account " + r.account)
	var diags diag.Diagnostics
	all := location.Filter{Account: types.StringValue(r.account), NamePattern: tfkit.StringOrNull(r.selected.name)}
	for _, vm := range all.Find(r.ctx, location.SourceOf(r.service.data), true, &diags) {
		if vm.Deleted && selects(r.selected.group, vm.Group) {
			r.estate.deleted = append(r.estate.deleted, fmt.Sprintf("virtual machine %q of group %q, account %q (ID %d)", vm.Name, vm.Group, r.account, vm.ID))
		}
	}
	if diags.HasError() {
		r.estate.unread = append(r.estate.unread, fmt.Sprintf("soft-deleted machines of account %s: %s", r.account, diags.Errors()[0].Detail()))
	}
}

func (r *reader) readSchedules() {
	for _, f := range r.list(scheduleType, "backup schedules", r.pattern()) {
		if m := r.machines[f.text("virtual_machine_id")]; m != nil {
			m.schedules = append(m.schedules, f)
		}
	}
}

// readNames reads the reverse names of the selected groups only, because each address takes a request.
func (r *reader) readNames() {
	holders := r.holders()
	if !r.selected.reverseNames {
		return
	}
	scopes := []map[string]cty.Value{r.pattern()}
	if r.selected.group != "" {
		scopes = nil
		for name := range r.groups {
			scope := r.pattern()
			scope["group"] = cty.StringVal(name)
			scopes = append(scopes, scope)
		}
	}
	for _, scope := range scopes {
		for _, f := range r.list(nameType, fmt.Sprintf("reverse names, one request for each address (%d),", len(holders)), scope) {
			if m := holders[f.text("address")]; m != nil {
				m.names = append(m.names, f)
			}
		}
	}
}

// holders returns the machines by address.
func (r *reader) holders() map[string]*estateMachine {
	var diags diag.Diagnostics // the lists have reported the same
	filter := location.Filter{Account: types.StringValue(r.account), NamePattern: tfkit.StringOrNull(r.selected.name)}
	holders := map[string]*estateMachine{}
	for _, vm := range filter.FindShared(r.ctx, location.SourceOf(r.service.data), &diags) {
		m := r.machines[cloudserver.IDText(vm.ID)]
		if m == nil {
			continue
		}
		m.addresses = vm.Addresses()
		for _, address := range m.addresses {
			holders[address.String()] = m
		}
	}
	return holders
}
