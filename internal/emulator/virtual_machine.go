package emulator

import (
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"
)

// labelShape matches names that become part of a hostname. It is compiled on first use, because a provider starts for
// each command.
var labelShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`) })

// machineName reads the name of a machine, which must be a hostname label of at least three characters.
func (f form) machineName() string {
	name := f.required("name")
	if name == "" {
		return ""
	}
	if utf8.RuneCountInString(name) < minName {
		f.problems.add("name", tooShort, minName)
	}
	if !labelShape().MatchString(name) {
		f.problems.add("name", invalid)
	}
	return name
}

// machine returns the machine that the path names. It finds a soft-deleted one only on request.
func (c *call) machine(deleted bool) (*storedMachine, error) {
	found, err := c.anyMachine()
	if err != nil {
		return nil, err
	}
	if found.Deleted && !deleted || c.now.Before(found.KnownAt) || !c.user.sees(found.group.account) {
		return nil, noMachine()
	}
	c.reached.Machine = found.ID
	if c.writes() {
		c.store.touch(found)
	}
	return found, nil
}

func noMachine() error { return refuse(http.StatusNotFound, "no such virtual machine") }

func (c *call) anyMachine() (*storedMachine, error) {
	if id, ok := c.path["id"]; ok {
		number, err := strconv.ParseInt(id, 10, 64)
		if found := c.store.machines[number]; err == nil && found != nil {
			return found, nil
		}
		return nil, noMachine()
	}
	g, err := c.group()
	if err != nil {
		return nil, err
	}
	found, ok := resolve(c.store, c.path["vm"],
		func(name string) (*storedMachine, bool) { m, ok := g.machines[name]; return m, ok },
		func(id int64) (*storedMachine, bool) { m, ok := c.store.machines[id]; return m, ok && m.group == g })
	if !ok {
		return nil, noMachine()
	}
	return found, nil
}

// showMachine is GET …/virtual_machines/{vm} and GET /virtual_machines/{id} (API.md §3).
func showMachine(c *call) (answer, error) {
	m, err := c.machine(c.flag("include_deleted"))
	if err != nil {
		return answer{}, err
	}
	if c.now.Before(m.DescribedAt) {
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
	return reply("", c.machineWires(machineWires{}, g))
}

// listAllMachines is GET /virtual_machines?account_id=…&group_id=…. Both filters are optional, but must name existing
// objects.
func listAllMachines(c *call) (answer, error) {
	query := c.URL.Query()
	accountKey, groupKey := query.Get("account_id"), query.Get("group_id")
	accounts := c.accounts()
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
	list := machineWires{}
	for _, a := range accounts {
		for _, g := range sortedByID(a.groups) {
			if groupKey == "" || groupKey == itoa(g.id) {
				list = c.machineWires(list, g)
			}
		}
	}
	return reply("", list)
}

// deleteMachine is DELETE …/virtual_machines/{vm}, soft or with purge=true permanent, which also applies to
// soft-deleted machines.
func deleteMachine(c *call) (answer, error) {
	m, err := c.machine(c.flag("purge"))
	if err != nil {
		return answer{}, err
	}
	if c.flag("purge") {
		c.store.purge(m)
	} else {
		c.store.softDelete(m, c.now)
	}
	return gone()
}

// softDelete stops a machine and hides it. It keeps its name and addresses.
func (s *store) softDelete(m *storedMachine, now time.Time) {
	m.Deleted = true
	s.off(m, now)
}

// purge destroys a machine and frees its name and addresses.
func (s *store) purge(m *storedMachine) {
	s.release(m)
	delete(m.group.machines, m.Name)
	delete(s.machines, m.ID)
}

// place puts a machine into a group under a name that is free there.
func (s *store) place(m *storedMachine, g *storedGroup, name string) {
	if m.group != nil && m.group.machines[m.Name] == m {
		delete(m.group.machines, m.Name)
	}
	m.group, m.GroupID, m.Name = g, g.id, name
	g.machines[name] = m
	s.machines[m.ID] = m
}

// hostname returns the machine's name in the service's own domain (API.md §8).
func (m *storedMachine) hostname() string {
	return m.Name + "." + m.group.name + "." + m.group.account.name + "." + ClusterDomain
}
