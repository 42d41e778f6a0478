package emulator

import "net/http"

// signalMachine is POST …/virtual_machines/{vm}/signal (api.md §3): only on a
// machine that is on. reset and sendkey leave nothing to be seen.
func signalMachine(c *call) (answer, error) {
	m, err := c.machine(false)
	if err != nil {
		return answer{}, err
	}
	signal := c.form.required("signal")
	switch signal {
	case "powerdown", "reset", "":
	case "sendkey":
		c.form.chosen("data", c.store.choice("sendkeys"))
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
