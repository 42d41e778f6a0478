package vm_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestIgnoreChanges changes what ignore_changes ignores, beside a rename that
// the plan shows. Terraform applies ignore_changes to the configuration of a
// plan, and not to that of an apply: nothing but the rename may be sent.
func TestIgnoreChanges(t *testing.T) {
	const (
		bookworm = `distribution = "bookworm", revision = "1", on_change = "reimage", ssh_public_key = "ssh-ed25519 A"`
		small    = `label = "vda", size = 25600`
	)
	replaced := strings.Replace(bookworm, `"reimage"`, `"replace"`, 1)
	machines := map[string]struct {
		ignore                  string
		reimage, reimageChanged string
		disc, discChanged       string
		lines                   string
	}{
		"blocks":       {"reimage, disc", bookworm, strings.Replace(bookworm, "bookworm", "noble", 1), small, `label = "vda", size = 30000`, ""},
		"replacing":    {"reimage", replaced, strings.Replace(replaced, "bookworm", "noble", 1), small, small, ""},
		"protected":    {"reimage", replaced, strings.Replace(replaced, "bookworm", "noble", 1), small, small, "deletion_protection = true"},
		"distribution": {"reimage.distribution", bookworm, strings.Replace(bookworm, "bookworm", "noble", 1), small, small, ""},
		"revision":     {"reimage.revision", bookworm, strings.Replace(bookworm, `"1"`, `"2"`, 1), small, small, ""},
		"on-change":    {"reimage.on_change", bookworm, replaced, small, small, ""},
		"key":          {"reimage.ssh_public_key", bookworm, strings.Replace(bookworm, "ed25519 A", "ed25519 B", 1), small, small, ""},
		"size":         {"disc[0].size", bookworm, bookworm, small, `label = "vda", size = 30000`, ""},
		"grown":        {"disc[0].size", bookworm, bookworm, small, small, ""}, // elsewhere, see below
		"power":        {"power_on, cores", bookworm, bookworm, small, small, "power_on = true\n cores = 1"},
		"everything":   {"all", bookworm, strings.Replace(bookworm, "bookworm", "noble", 1), small, small, ""},
	}
	text := func(changed bool) string {
		var all strings.Builder
		for _, name := range slices.Sorted(maps.Keys(machines)) {
			m, number, reimage, disc := machines[name], 1, machines[name].reimage, machines[name].disc
			if changed {
				number, reimage, disc = 2, m.reimageChanged, m.discChanged
				m.lines = strings.Replace(m.lines, "cores = 1", "cores = 2", 1)
			}
			fmt.Fprintf(&all, "resource \"cloudserver_vm\" %q {\n  name = \"%s%d\"\n  %s\n  disc {\n%s\n}\n  reimage {\nroot_password = \"test-only\"\n%s\n}\n  lifecycle { ignore_changes = %s }\n}\n",
				name, name, number, m.lines, lined(disc), lined(reimage), bracketed(m.ignore))
		}
		return all.String()
	}
	s := newShape(t)
	var created, renamed []string
	for _, name := range slices.Sorted(maps.Keys(machines)) {
		created = append(created, "create "+imaged+" ssh_public_key=ssh-ed25519 A"+strings.Repeat(" cores=1", strings.Count(machines[name].lines, "cores"))+" name="+name+"1")
		if name != "everything" {
			renamed = append(renamed, "PUT name="+name+"2")
		}
	}
	s.apply(text(false), created...)
	var ids map[string]int64
	step := s.apply(text(true), renamed...)
	step.PreConfig = func() {
		ids = map[string]int64{}
		for _, m := range s.e.Machines() {
			ids[strings.TrimSuffix(m.Name, "1")] = m.ID
			s.e.AddDisc(m.ID, emulator.Disc{Label: "data", Size: 5000})
			if err := s.e.Change(m.ID, func(m *emulator.Machine) {
				switch m.Name {
				case "grown1":
					m.Discs[0].Size = 40000
				case "power1":
					m.PowerOn, m.AutorebootOn = false, false
				}
			}); err != nil {
				t.Error(err)
			}
		}
		s.e.ResetJournal()
	}
	for name := range machines {
		action := plancheck.ResourceActionUpdate
		if name == "everything" {
			action = plancheck.ResourceActionNoop
		}
		planned(step, "cloudserver_vm."+name, action)
	}
	last := s.apply(strings.ReplaceAll(text(true), "deletion_protection = true", ""), "")
	last.PreConfig = func() {
		for _, m := range s.e.Machines() {
			if ids[strings.TrimRight(m.Name, "12")] != m.ID || len(m.Discs) != 2 || m.Images != 1 {
				t.Errorf("%s is another machine, or has lost something: %+v", m.Name, m)
			}
		}
		s.e.ResetJournal()
	}
	s.run(t)
}

// lined writes attributes a line each.
func lined(attributes string) string { return strings.ReplaceAll(attributes, ", ", "\n") }

func bracketed(ignore string) string {
	if ignore == "all" {
		return ignore
	}
	return "[" + ignore + "]"
}
