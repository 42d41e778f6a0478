package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

// errNoAccount is an empty list of accounts.
var errNoAccount = errors.New("the list is empty")

const cannotTell = "a machine that is gone cannot be distinguished from one that is not visible"

// unknownID is an ID that no machine has.
const unknownID = 1 << 52

func (p *prober) definitions(ctx context.Context) error {
	get := want{"GET /definitions", "an array of sets, each with an id and data", noOffers, false}
	_, err := p.call(get, func() error { return errorOf(p.client.Definitions(ctx)) }, func(l *Line) {
		p.shaped(setShape)(l)
		sets, _ := p.found()
		for _, set := range definitionSets {
			if !slices.ContainsFunc(sets, func(s map[string]any) bool { return s["id"] == set.id }) {
				l.worsen(Differs, set.breaks)
				l.Got += "; no set " + set.id
			}
		}
	})
	return err
}

func (p *prober) accounts(ctx context.Context) error {
	_, err := p.call(want{"GET /accounts", "an array of accounts, at least one", cannotTell, false}, func() error {
		accounts, err := p.client.Accounts(ctx)
		if err == nil && p.options.Account == "" && len(accounts) > 0 {
			p.options.Account = accounts[0].Name
		}
		if err == nil && len(accounts) == 0 {
			err = errNoAccount
		}
		p.accountNames = names(accounts, func(a cloudserver.Account) (string, int64) { return a.Name, a.ID })
		return err
	}, p.shaped(accountShape))
	return err
}

// named maps the names of objects to their IDs.
type named map[string]int64

func names[T any](all []T, of func(T) (name string, id int64)) named {
	found := named{}
	for _, one := range all {
		name, id := of(one)
		found[name] = id
	}
	return found
}

// lacks reports whether no object has this name or ID.
func (n named) lacks(name string) bool {
	_, ok := n[name]
	return !ok && !slices.ContainsFunc(slices.Collect(maps.Values(n)), func(id int64) bool { return cloudserver.IDText(id) == name })
}

// list returns the names, and before them the one that was probably meant.
func (n named) list(written string) string {
	all := slices.Sorted(maps.Keys(n))
	if meant := command.Closest(written, all); meant != "" {
		return fmt.Sprintf("%s. Did you mean %s?", list(all), meant)
	}
	if len(all) == 0 {
		return "none."
	}
	return list(all) + "."
}

// get makes a read whose answer has a shape. lacks is the reason why it cannot be made, or "".
func (p *prober) get(lacks string, w want, s shape, do func() error) {
	w.call = "GET " + w.call
	if lacks != "" {
		p.skip(w, lacks)
		return
	}
	_, _ = p.call(w, do, p.shaped(s)) // the error is in the report
}

// reads makes the reads that the provider depends on. Each uses what earlier ones found.
func (p *prober) reads(ctx context.Context) {
	account, group, listed := p.options.Account, p.options.Group, false
	p.get(
		"", want{"/accounts/" + account, "the account", cannotTell, false}, accountShape,
		func() error { return errorOf(p.client.Account(ctx, account)) },
	)
	in := "/accounts/" + account + "/groups"
	p.get(
		"", want{in, "an array of groups", noGroups, false}, groupShape,
		func() error {
			groups, err := p.client.Groups(ctx, account)
			p.groupNames = names(groups, func(g cloudserver.Group) (string, int64) { return g.Name, g.ID })
			listed = err == nil
			return err
		},
	)
	if listed && p.groupNames.lacks(group) {
		p.report.reason = fmt.Sprintf("There is no group %q in the account %q; its groups: %s Correct CLOUDSERVER_GROUP.", group, account, p.groupNames.list(group))
		return
	}
	in += "/" + group
	p.get("", want{in, "the group", "cloudserver_group does not work", false}, groupShape, func() error { return errorOf(p.client.Group(ctx, account, group)) })
	machines := p.machines(ctx, account, group, in)
	p.unknownMachine(ctx)
	switch {
	case len(machines) > 0:
		p.machine(ctx, account, group, machines[0])
	case p.options.Machine == "": // otherwise the created machine is read
		p.machine(ctx, account, group, cloudserver.VirtualMachine{Name: "{name}"})
	}
}

func (p *prober) machines(ctx context.Context, account, group, in string) (machines []cloudserver.VirtualMachine) {
	list := want{
		"GET " + in + "/virtual_machines?view=overview", "an array of machines, with discs and network interfaces",
		"every machine needs requests of its own", false,
	}
	_, _ = p.call(list, func() (err error) {
		machines, err = p.client.VirtualMachines(ctx, account, group)
		return err
	}, func(l *Line) {
		p.shaped(machineShape)(l)
		parents, _ := p.found()
		for _, s := range []shape{discShape, interfaceShape} {
			if below := nested(parents, strings.ReplaceAll(s.what, " ", "_")); len(below) > 0 {
				s.compare(below, l)
			}
		}
	})
	all := want{
		"GET " + in + "/virtual_machines?include_deleted=true", "an array of machines, soft-deleted ones included",
		"nothing can be changed: names cannot be distinguished from ids", false,
	}
	_, _ = p.call(all, func() error {
		all, err := p.client.VirtualMachines(
			ctx, account, group, cloudserver.IncludeDeleted, cloudserver.WithoutOverview,
		)
		for _, vm := range all {
			p.taken[vm.Name] = true
		}
		return err
	}, p.shaped(shape{what: machineShape.what}))
	return machines
}

// unknownMachine reads an ID that does not exist: a 404 is how the provider learns that a machine is gone.
func (p *prober) unknownMachine(ctx context.Context) {
	found := false
	get := want{"GET /virtual_machines/{an id that no machine has}", "status 404", "machines that are gone stay in the state, with an error", false}
	_, _ = p.call(get, func() error {
		_, err := p.client.VirtualMachine(ctx, unknownID)
		if found = err == nil; cloudserver.IsNotFound(err) {
			return nil
		}
		return err
	}, func(l *Line) {
		if l.Got = "status 404"; found {
			l.worsen(Missing, "machines that are gone are not noticed")
			l.Got = "a machine"
		}
	})
}

// machine reads one machine in every way that the provider uses. If vm.ID is 0 there is no machine, and the reads are
// skipped.
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
	p.get(none, want{"/virtual_machines/" + id + "?view=overview", "the machine, whatever its group", cannotManage, false},
		machineShape, func() error { return errorOf(p.client.VirtualMachine(ctx, vm.ID)) })
	p.get(none, want{
		"/accounts/" + account + "/groups/" + group + "/virtual_machines/" + vm.Name + "?view=overview", "the machine by its name",
		"machines cannot be imported by name, and a lost answer to a creation is not resolved", false,
	}, machineShape, func() error { return errorOf(p.client.VirtualMachineByName(ctx, account, group, vm.Name)) })
	p.get(cmp.Or(none, noDisc), want{"/discs/{id}", "the disc, whatever its machine", "a disc that was moved to another machine is added again, empty", false},
		discShape, func() error { return errorOf(p.client.Disc(ctx, vm.Discs[0].ID)) })
	p.get(cmp.Or(none, noAddress), want{"/ips/{address}", "the address with its rdns", "cloudserver_rdns does not work", true},
		addressShape, func() error { return errorOf(p.client.IP(ctx, vm.NetworkInterfaces[0].IPs[0])) })
}
