package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// errNoAccount is an empty list of accounts.
var errNoAccount = errors.New("the list is empty")

// unknownID is the id of a machine that no service has.
const unknownID = 1 << 52

func (p *prober) definitions(ctx context.Context) error {
	return p.call(Line{
		Call: "GET /definitions", Expected: "an array of sets, each with an id and data", Standing: "S",
		Breaks: []string{"plans are not checked against what the service offers"},
	}, func() error {
		_, err := p.client.Definitions(ctx)
		return err
	}, func(l *Line) {
		p.shaped(setShape)(l)
		sets, _ := objects(p.body())
		known := map[string]bool{}
		for _, set := range sets {
			var id string
			_ = json.Unmarshal(set["id"], &id) // what is not a string is no id
			known[id] = true
		}
		for _, set := range definitionSets {
			if known[set.id] || set.breaks == "" {
				continue
			}
			if l.Result == OK {
				l.Result = Differs
			}
			l.Came += "; no set " + set.id
			l.Breaks = append(l.Breaks, set.breaks)
		}
	})
}

func (p *prober) accounts(ctx context.Context) error {
	return p.call(Line{
		Call: "GET /accounts", Expected: "an array of accounts, at least one", Standing: "R",
		Breaks: []string{"a machine that is gone cannot be distinguished from one that is not visible"},
	}, func() error {
		accounts, err := p.client.Accounts(ctx)
		if err == nil && p.options.Account == "" && len(accounts) > 0 {
			p.options.Account = accounts[0].Name
		}
		if err == nil && len(accounts) == 0 {
			err = errNoAccount
		}
		return err
	}, p.shaped(accountShape))
}

// reads makes the reads that the provider depends on, each with what the ones
// before it found.
func (p *prober) reads(ctx context.Context) {
	account, group := p.options.Account, p.options.Group
	var found *cloudserver.Account
	_ = p.call(Line{Call: "GET /accounts/" + account, Expected: "the account", Standing: "R", Breaks: []string{"a machine that is gone cannot be distinguished from one that is not visible"}}, func() (err error) {
		found, err = p.client.AccountAlone(ctx, account)
		return err
	}, p.shaped(accountShape))
	_ = p.call(Line{Call: "GET /accounts/" + account + "/groups", Expected: "an array of groups", Standing: "R", Breaks: []string{"machines cannot be moved, and imports by id do not find their group"}}, func() error {
		_, err := p.client.Groups(ctx, account)
		return err
	}, p.shaped(groupShape))
	in := "/accounts/" + account + "/groups/" + group
	_ = p.call(Line{Call: "GET " + in, Expected: "the group", Standing: "R", Breaks: []string{"cloudserver_group does not work"}}, func() error {
		_, err := p.client.GroupAlone(ctx, account, group)
		return err
	}, p.shaped(groupShape))
	machines := p.machines(ctx, account, group, in)
	p.machinesOfAccount(ctx, found)
	p.unknownMachine(ctx)
	if len(machines) == 0 && p.options.Machine != "" {
		return // the machine that is created is looked at
	}
	if len(machines) == 0 {
		const why = "the group has no machine to look at"
		for _, call := range []string{"GET /virtual_machines/{id}?view=overview", "GET " + in + "/virtual_machines/{name}?view=overview", "GET /discs/{id}", "GET /ips/{address}"} {
			p.skip(Line{Call: call, Expected: "the object", Standing: "R"}, why)
		}
		return
	}
	p.machine(ctx, account, group, in, machines[0])
}

func (p *prober) machines(ctx context.Context, account, group, in string) (machines []cloudserver.VirtualMachine) {
	_ = p.call(Line{Call: "GET " + in + "/virtual_machines?view=overview", Expected: "an array of machines, with discs and network interfaces", Standing: "R", Breaks: []string{"every machine needs requests of its own"}}, func() (err error) {
		machines, err = p.client.VirtualMachines(ctx, account, group)
		return err
	}, func(l *Line) {
		p.shaped(machineShape)(l)
		p.below(l, "discs", discShape)
		p.below(l, "network_interfaces", interfaceShape)
		for _, vm := range machines {
			p.hostname(l, account, group, vm)
		}
	})
	_ = p.call(Line{Call: "GET " + in + "/virtual_machines?include_deleted=true", Expected: "an array of machines, soft-deleted ones included", Standing: "R", Breaks: []string{"nothing can be changed: names cannot be distinguished from ids"}}, func() error {
		all, err := p.client.VirtualMachines(ctx, account, group, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
		for _, vm := range all {
			p.taken[vm.Name] = true
		}
		return err
	}, func(l *Line) {
		found, ok := objects(p.body())
		l.Came, l.Breaks = counted(len(found), machineShape.what), nil
		if !ok {
			l.Result, l.Came = Missing, "an answer that is not an array"
		}
	})
	return machines
}

// below compares the objects inside the last answer.
func (p *prober) below(l *Line, name string, s shape) {
	parents, _ := objects(p.body())
	found := nested(parents, name)
	var inner Line
	inner.Result = OK
	s.compare(found).apply(&inner, len(found), s.what)
	if len(found) == 0 {
		return
	}
	l.Came += "; " + inner.Came
	l.Breaks = append(l.Breaks, inner.Breaks...)
	l.Notes = append(l.Notes, inner.Notes...)
	if inner.Result == Missing || inner.Result == Differs && l.Result == OK {
		l.Result = inner.Result
	}
}

// hostname checks <name>.<group>.<account>.<cluster-domain>.
func (p *prober) hostname(l *Line, account, group string, vm cloudserver.VirtualMachine) {
	if vm.Hostname != nil && *vm.Hostname != "" && !strings.HasPrefix(*vm.Hostname, vm.Name+"."+group+"."+account+".") {
		if l.Result == OK {
			l.Result = Differs
		}
		l.Notes = append(l.Notes, fmt.Sprintf("the hostname %s is not <name>.<group>.<account>.<cluster-domain>", *vm.Hostname))
	}
}

func (p *prober) machinesOfAccount(ctx context.Context, account *cloudserver.Account) {
	line := Line{Call: "GET /virtual_machines?account_id={id}", Expected: "an array of the account's machines", Standing: "R", Breaks: []string{"a plan over many groups needs a request for each"}}
	if account == nil {
		p.skip(line, "the account's id is not known")
		return
	}
	_ = p.call(line, func() error {
		_, err := p.client.VirtualMachinesOfAccount(ctx, account.ID)
		return err
	}, func(l *Line) { p.shaped(machineShape)(l) })
	p.soften()
}

// soften makes the last line a difference: the provider has another way.
func (p *prober) soften() {
	if last := &p.report.lines[len(p.report.lines)-1]; last.Result == Missing {
		last.Result = Differs
	}
}

// unknownMachine: a 404 is how the provider learns that a machine is gone.
func (p *prober) unknownMachine(ctx context.Context) {
	found := false
	_ = p.call(Line{Call: "GET /virtual_machines/{an id that no machine has}", Expected: "status 404", Standing: "R", Breaks: []string{"machines that are gone stay in the state, with an error"}}, func() error {
		_, err := p.client.VirtualMachine(ctx, unknownID)
		if found = err == nil; cloudserver.IsNotFound(err) {
			return nil
		}
		return err
	}, func(l *Line) {
		if l.Came = "status 404"; found {
			l.Result, l.Came, l.Breaks = Missing, "a machine", []string{"machines that are gone are not noticed"}
		}
	})
}

// machine reads one machine in all the ways that the provider uses.
func (p *prober) machine(ctx context.Context, account, group, in string, vm cloudserver.VirtualMachine) {
	_ = p.call(Line{Call: fmt.Sprintf("GET /virtual_machines/%d?view=overview", vm.ID), Expected: "the machine, whatever its group", Standing: "R", Breaks: []string{cannotManage}}, func() error {
		_, err := p.client.VirtualMachine(ctx, vm.ID)
		return err
	}, p.shaped(machineShape))
	_ = p.call(Line{Call: "GET " + in + "/virtual_machines/" + vm.Name + "?view=overview", Expected: "the machine by its name", Standing: "R", Breaks: []string{"machines cannot be imported by name, and a lost answer to a creation is not resolved"}}, func() error {
		_, err := p.client.VirtualMachineByName(ctx, account, group, vm.Name)
		return err
	}, p.shaped(machineShape))
	line := Line{Call: "GET /discs/{id}", Expected: "the disc, whatever its machine", Standing: "R", Breaks: []string{"a disc that was moved to another machine is added again, empty"}}
	if len(vm.Discs) == 0 {
		p.skip(line, "the machine has no disc")
	} else {
		_ = p.call(line, func() error {
			_, err := p.client.Disc(ctx, vm.Discs[0].ID)
			return err
		}, p.shaped(discShape))
	}
	line = Line{Call: "GET /ips/{address}", Expected: "the address with its rdns", Standing: "R", Breaks: []string{"cloudserver_rdns does not work"}}
	if len(vm.NetworkInterfaces) == 0 || len(vm.NetworkInterfaces[0].IPs) == 0 {
		p.skip(line, "the machine has no address")
		return
	}
	_ = p.call(line, func() error {
		_, err := p.client.IP(ctx, vm.NetworkInterfaces[0].IPs[0])
		return err
	}, p.shaped(addressShape))
	p.soften()
}
