package emulator

import (
	"net/http"
	"strings"
)

// signalMachine is POST …/virtual_machines/{vm}/signal (API.md §3): only on a machine that is on. reset and sendkey
// have no visible effect.
func signalMachine(c *call) (answer, error) {
	m, err := c.machine(false)
	if err != nil {
		return answer{}, err
	}
	signal := c.form.required("signal")
	switch signal {
	case "powerdown", "reset", "":
	case "sendkey":
		c.checkKeys(c.form.required("data"))
	default:
		c.form.problems.add("signal", notListed)
	}
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	if !m.PowerOn {
		return answer{}, refuse(http.StatusBadRequest, "the virtual machine is off")
	}
	if signal == "powerdown" {
		c.store.powerdown(m, c.now)
	}
	return reply("", map[string]string{"signal": signal})
}

// checkKeys checks a dash-separated list of keys, such as ctrl-alt-delete, against the definitions.
func (c *call) checkKeys(keys string) {
	allowed := c.store.choice("sendkeys")
	for key := range strings.SplitSeq(keys, "-") {
		if keys != "" && !allowed.has(key) {
			c.form.problems.add("data", notListed)
			return
		}
	}
}
