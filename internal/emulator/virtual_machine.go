package emulator

import (
	"net/http"
	"regexp"
	"strconv"
)

// labelShape is what a name has to be to become a part of a hostname.
var labelShape = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// label checks the shape of a name.
func (f form) label(attribute, name string) string {
	if name != "" && !labelShape.MatchString(name) {
		f.problems.add(attribute, invalid)
	}
	return name
}

// machine finds the machine that the path names, a soft-deleted one only if
// hidden ones are to be seen.
func (c *call) machine(hidden bool) (*machine, error) {
	found, err := c.anyMachine()
	if err != nil {
		return nil, err
	}
	if found.Deleted && !hidden {
		return nil, refuse(http.StatusNotFound, "no such virtual machine")
	}
	return found, nil
}

func (c *call) anyMachine() (*machine, error) {
	missing := refuse(http.StatusNotFound, "no such virtual machine")
	if id, ok := c.path["id"]; ok {
		number, err := strconv.ParseInt(id, 10, 64)
		if found := c.store.machines[number]; err == nil && found != nil {
			return found, nil
		}
		return nil, missing
	}
	g, err := c.group()
	if err != nil {
		return nil, err
	}
	found, ok := byNameOrID(g.machines, c.store.machines, c.path["vm"])
	if !ok || found.group != g {
		return nil, missing
	}
	return found, nil
}

// showMachine is GET …/virtual_machines/{vm} and GET /virtual_machines/{id}
// (api.md §3).
func showMachine(c *call) (answer, error) {
	m, err := c.machine(c.flag("include_deleted"))
	if err != nil {
		return answer{}, err
	}
	if c.now.Before(m.describedAt) {
		return answer{status: http.StatusAccepted, value: struct{}{}}, nil
	}
	return reply("virtual-machine", c.machineWire(m, c.overview()))
}

// listMachines is GET …/groups/{group}/virtual_machines.
func listMachines(c *call) (answer, error) {
	g, err := c.group()
	if err != nil {
		return answer{}, err
	}
	return reply("", c.machineWires(nil, g))
}

// listAllMachines is GET /virtual_machines?account_id=…&group_id=…. Both
// filters are optional; what they name has to exist.
func listAllMachines(c *call) (answer, error) {
	query := c.URL.Query()
	accountKey, groupKey := query.Get("account_id"), query.Get("group_id")
	accounts := sortedByID(c.store.accounts)
	if accountKey != "" {
		a, err := c.accountNamed(accountKey)
		if err != nil {
			return answer{}, err
		}
		accounts = []*account{a}
	}
	if id, err := strconv.ParseInt(groupKey, 10, 64); groupKey != "" && (err != nil || c.store.groups[id] == nil) {
		return answer{}, refuse(http.StatusNotFound, "no such group")
	}
	list := []machineWire{}
	for _, a := range accounts {
		for _, g := range a.sorted() {
			if groupKey == "" || groupKey == itoa(g.id) {
				list = c.machineWires(list, g)
			}
		}
	}
	return reply("", list)
}

// deleteMachine is DELETE …/virtual_machines/{vm}: soft, or for good with
// purge=true, which also works on a soft-deleted machine.
func deleteMachine(c *call) (answer, error) {
	m, err := c.machine(c.flag("purge"))
	if err != nil {
		return answer{}, err
	}
	if c.flag("purge") {
		c.store.purge(m)
	} else {
		c.store.softDelete(m)
	}
	return gone()
}

// softDelete stops a machine and hides it. It keeps its name and addresses.
func (s *store) softDelete(m *machine) {
	s.unschedule(m)
	m.off()
	m.Deleted = true
}

// purge destroys a machine: name and addresses are free again.
func (s *store) purge(m *machine) {
	s.unschedule(m)
	s.release(m)
	delete(m.group.machines, m.Name)
	delete(s.machines, m.ID)
}

// place puts a machine into a group under a name that is free there.
func (s *store) place(m *machine, g *group, name string) {
	if m.group != nil {
		delete(m.group.machines, m.Name)
	}
	m.group, m.GroupID, m.Name = g, g.id, name
	g.machines[name] = m
	s.machines[m.ID] = m
}

// hostname is the machine's name in the service's own domain
// (service.md §2.1).
func (m *machine) hostname() string {
	return m.Name + "." + m.group.name + "." + m.group.account.name + "." + ClusterDomain
}
