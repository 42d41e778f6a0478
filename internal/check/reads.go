package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// errNoAccount is an empty list of accounts.
var errNoAccount = errors.New("the list is empty")

const cannotTell = "a machine that is gone cannot be distinguished from one that is not visible"

// unknownID is the id of a machine that no service has.
const unknownID = 1 << 52

func (p *prober) definitions(ctx context.Context) error {
	get := line("GET /definitions", "an array of sets, each with an id and data", "S", "plans are not checked against what the service offers")
	return p.call(get, func() error { return only(p.client.Definitions(ctx)) }, func(l *Line) {
		p.shaped(setShape)(l)
		sets, _ := p.found()
		for _, set := range definitionSets {
			if set.breaks == "" || slices.ContainsFunc(sets, func(s map[string]any) bool { return s["id"] == set.id }) {
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
	return p.call(line("GET /accounts", "an array of accounts, at least one", "R", cannotTell), func() error {
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

// get makes a read whose answer has a shape. Lacks is why it cannot be made, or "".
func (p *prober) get(lacks, path, expected, breaks string, s shape, do func() error) {
	get := line("GET "+path, expected, "R", breaks)
	if lacks != "" {
		p.skip(get, lacks)
		return
	}
	_ = p.call(get, do, p.shaped(s))
}

// reads makes the reads that the provider depends on, each with what the ones
// before it found.
func (p *prober) reads(ctx context.Context) {
	account, group := p.options.Account, p.options.Group
	p.get("", "/accounts/"+account, "the account", cannotTell, accountShape, func() error { return only(p.client.Account(ctx, account)) })
	p.get("", "/accounts/"+account+"/groups", "an array of groups", "machines cannot be moved, and imports by id do not find their group",
		groupShape, func() error { return only(p.client.Groups(ctx, account)) })
	in := "/accounts/" + account + "/groups/" + group
	p.get("", in, "the group", "cloudserver_group does not work", groupShape, func() error { return only(p.client.Group(ctx, account, group)) })
	machines := p.machines(ctx, account, group, in)
	p.unknownMachine(ctx)
	switch {
	case len(machines) > 0:
		p.machine(ctx, account, group, machines[0])
	case p.options.Machine == "": // otherwise the machine that is created is looked at
		p.machine(ctx, account, group, cloudserver.VirtualMachine{Name: "{name}"})
	}
}

func (p *prober) machines(ctx context.Context, account, group, in string) (machines []cloudserver.VirtualMachine) {
	get := line("GET "+in+"/virtual_machines?view=overview", "an array of machines, with discs and network interfaces", "R", "every machine needs requests of its own")
	_ = p.call(get, func() (err error) {
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
	get = line("GET "+in+"/virtual_machines?include_deleted=true", "an array of machines, soft-deleted ones included", "R",
		"nothing can be changed: names cannot be distinguished from ids")
	_ = p.call(get, func() error {
		all, err := p.client.VirtualMachines(ctx, account, group, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
		for _, vm := range all {
			p.taken[vm.Name] = true
		}
		return err
	}, func(l *Line) {
		found, ok := p.found()
		l.Came, l.Breaks = counted(len(found), machineShape.what), nil
		if !ok {
			l.Result, l.Came = Missing, "an answer that is not an array"
		}
	})
	return machines
}

// below compares the objects inside the last answer.
func (p *prober) below(l *Line, name string, s shape) {
	parents, _ := p.found()
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

// soften makes the last line a difference: the provider has another way.
func (p *prober) soften() {
	if last := &p.report.lines[len(p.report.lines)-1]; last.Result == Missing {
		last.Result = Differs
	}
}

// unknownMachine: a 404 is how the provider learns that a machine is gone.
func (p *prober) unknownMachine(ctx context.Context) {
	found := false
	get := line("GET /virtual_machines/{an id that no machine has}", "status 404", "R", "machines that are gone stay in the state, with an error")
	_ = p.call(get, func() error {
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

// machine reads one machine in all the ways that the provider uses. Without an ID
// there is none.
func (p *prober) machine(ctx context.Context, account, group string, vm cloudserver.VirtualMachine) {
	id, none, noDisc, noAddress := "{id}", "the group has no machine to look at", "the machine has no disc", "the machine has no address"
	if vm.ID != 0 {
		id, none = cloudserver.IDText(vm.ID), ""
	}
	if len(vm.Discs) > 0 {
		noDisc = ""
	}
	if len(vm.NetworkInterfaces) > 0 && len(vm.NetworkInterfaces[0].IPs) > 0 {
		noAddress = ""
	}
	p.get(none, "/virtual_machines/"+id+"?view=overview", "the machine, whatever its group", cannotManage,
		machineShape, func() error { return only(p.client.VirtualMachine(ctx, vm.ID)) })
	p.get(none, "/accounts/"+account+"/groups/"+group+"/virtual_machines/"+vm.Name+"?view=overview", "the machine by its name",
		"machines cannot be imported by name, and a lost answer to a creation is not resolved",
		machineShape, func() error { return only(p.client.VirtualMachineByName(ctx, account, group, vm.Name)) })
	p.get(cmp.Or(none, noDisc), "/discs/{id}", "the disc, whatever its machine", "a disc that was moved to another machine is added again, empty",
		discShape, func() error { return only(p.client.Disc(ctx, vm.Discs[0].ID)) })
	p.get(cmp.Or(none, noAddress), "/ips/{address}", "the address with its rdns", "cloudserver_rdns does not work",
		addressShape, func() error { return only(p.client.IP(ctx, vm.NetworkInterfaces[0].IPs[0])) })
	p.soften()
}
