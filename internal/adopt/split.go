package adopt

import (
	"bufio"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/term"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// oldDirectory is the subdirectory for files that belong in the state's own directory.
const oldDirectory = "for-the-old-directory"

// splitState writes the files that move a part of a state into a new directory.
func (r *run) splitState() error {
	if err := r.directory.check(); err != nil {
		return err
	}
	all, err := readState(r.from)
	if err != nil {
		return err
	}
	s := &split{all: all}
	if err := s.choose(r.split); err != nil {
		return err
	}
	if err := s.checkIndexes(); err != nil {
		return err
	}
	if err := r.askForAlias(); err != nil {
		return err
	}
	account := ""
	if accounts := s.accounts(); len(accounts) == 1 {
		account = accounts[0]
	}
	if err := r.writeProvider(account); err != nil {
		return err
	}
	if err := r.writeImports(s.imports(), "Apply imports these objects. Only after that, forget them in the old directory."); err != nil {
		return err
	}
	whole, partly := s.leave()
	if err := r.writeForOld(whole, partly); err != nil {
		return err
	}
	return r.reportSplit(s, whole, partly)
}

// split is a state of which a part goes to a new directory.
type split struct{ all []*tracked }

// choose marks what goes: the machines that match, their schedules and reverse names, and each group whose machines all
// go.
func (s *split) choose(pattern string) error {
	parts := strings.Split(pattern, "/")
	for len(parts) < 3 { // GROUP/NAME in any account, NAME in any group
		parts = slices.Insert(parts, 0, "*")
	}
	wanted := selection{account: parts[0], group: parts[1], name: parts[2]}
	if err := wanted.check(); err != nil || len(parts) > 3 {
		return fmt.Errorf("--select %q is not a pattern such as 'web/*', with *, ? and [a-c]", pattern)
	}
	ids, addresses := map[string]bool{}, []string{}
	for _, t := range s.all {
		if t.isManaged(machineType) && wanted.hasGroup(t, "group") && selects(wanted.name, t.text("name")) {
			t.goes, ids[t.text("id")] = true, true
			addresses = append(addresses, t.text("ipv4_address"), t.text("ipv6_address"))
		}
	}
	for _, t := range s.all {
		switch {
		case t.isManaged(scheduleType):
			t.goes = ids[t.text("virtual_machine_id")]
		case t.isManaged(nameType):
			t.goes = slices.ContainsFunc(
				addresses, func(address string) bool { return tfkit.SameAddress(address, t.text("address")) },
			)
		case t.isManaged(groupType):
			t.goes = s.isEmptied(t, wanted.name == "*" && wanted.hasGroup(t, "name"))
		}
	}
	if !slices.ContainsFunc(s.all, func(t *tracked) bool { return t.goes }) {
		advice := ""
		if slices.ContainsFunc(s.all, func(t *tracked) bool { return t.isManaged(groupType) && t.text("name") == pattern }) {
			advice = fmt.Sprintf("; to select the group: --select '%s/*'", pattern)
		}
		return fmt.Errorf("nothing in the state matches --select %q: it is compared with the group and the name of machines, such as web/web1%s", pattern, advice)
	}
	return nil
}

// hasGroup reports whether the account and the group of an instance are selected. attribute has the name of the group.
func (s selection) hasGroup(t *tracked, attribute string) bool {
	return selects(s.account, t.text("account")) && selects(s.group, t.text(attribute))
}

// isEmptied reports whether all machines of a group go. named means that the pattern names the group: then it also goes
// if it has no machines.
func (s *split) isEmptied(group *tracked, named bool) bool {
	goes := named
	for _, t := range s.all {
		if !t.isManaged(machineType) || t.text("group_id") != group.text("id") {
			continue
		}
		if !t.goes {
			return false
		}
		goes = true
	}
	return goes
}

// going returns the instances that go, in the order of the state.
func (s *split) going() (going []*tracked) {
	for _, t := range s.all {
		if t.goes {
			going = append(going, t)
		}
	}
	return going
}

// accounts returns the accounts of the instances that go.
func (s *split) accounts() (accounts []string) {
	for _, t := range s.going() {
		if own := t.text("account"); own != "" && !slices.Contains(accounts, own) {
			accounts = append(accounts, own)
		}
	}
	return accounts
}

// imports returns the resources that are imported in the new directory.
func (s *split) imports() (resources []imported) {
	at := map[string]int{}
	for _, t := range s.going() {
		n, ok := at[t.block]
		if !ok {
			n = len(resources)
			at[t.block] = n
			resources = append(resources, imported{
				typeName: t.Type, at: reference(raw(t.block)), isCounted: t.key != cty.NilVal && t.key.Type() == cty.Number,
			})
		}
		key := keyText(t.key)
		if resources[n].isCounted && s.staysPartly(t) {
			key = strconv.Itoa(len(resources[n].instances)) // in the new directory, indexes start at 0 again
		}
		resources[n].instances = append(resources[n].instances, instance{key, t.importID(), t.text("hostname")})
	}
	return resources
}

// staysPartly reports whether other instances of the same block stay.
func (s *split) staysPartly(t *tracked) bool {
	return slices.ContainsFunc(s.all, func(other *tracked) bool { return !other.goes && other.block == t.block })
}

// checkIndexes returns an error if instances with low indexes of count are selected, but later ones are not: those
// would get new indexes, and Terraform would destroy the last ones.
func (s *split) checkIndexes() error {
	for _, t := range s.all {
		if t.goes || t.key == cty.NilVal || t.key.Type() != cty.Number {
			continue
		}
		for _, other := range s.all {
			if other.goes && other.block == t.block && other.key.LessThan(t.key).True() {
				return fmt.Errorf("%s goes and %s stays, and their block uses count: the indexes of those that stay would change, and Terraform would destroy the last ones. "+
					"Change the block to for_each first, with moved blocks, or select all of it or its last instances", other.Address, t.Address)
			}
		}
	}
	return nil
}

func keyText(key cty.Value) string {
	switch {
	case key == cty.NilVal:
		return ""
	case key.Type() == cty.Number:
		return key.AsBigFloat().Text('f', 0)
	}
	return key.AsString()
}

// leave returns the resources that leave the old directory as a whole, and the single instances of other resources that
// leave.
func (s *split) leave() (whole []string, partly []*tracked) {
	stays := map[string]bool{}
	for _, t := range s.all {
		stays[t.resource] = stays[t.resource] || !t.goes
	}
	for _, t := range s.going() {
		switch {
		case stays[t.resource]:
			partly = append(partly, t)
		case !slices.Contains(whole, t.resource):
			whole = append(whole, t.resource)
		}
	}
	return whole, partly
}

// cut describes the references between instances that go and instances that stay.
func (s *split) cut() (references []string) {
	for _, t := range s.all {
		for _, other := range s.all {
			if t.goes == other.goes || !t.refersTo(other) {
				continue
			}
			does, doesNot := "goes", "stays"
			if !t.goes {
				does, doesNot = doesNot, does
			}
			reference := fmt.Sprintf("%s %s, and refers to %s, which %s", t.Address, does, other.Address, doesNot)
			if other.isManaged(groupType) {
				reference += fmt.Sprintf(": write group_id = %q", other.text("id"))
			}
			references = append(references, reference)
		}
	}
	return references
}

// askForAlias asks for the alias of the provider that the resources use, because no state contains it.
func (r *run) askForAlias() error {
	if r.alias == "" && r.terminal.In != nil && term.IsTerminal(int(r.terminal.In.Fd())) {
		if _, err := fmt.Fprint(r.terminal.Err, "Alias of the provider that these resources use in the old configuration (none: Enter): "); err != nil {
			return err
		}
		answer, err := bufio.NewReader(r.terminal.In).ReadString('\n')
		if r.alias = strings.TrimSpace(answer); err != nil {
			return err
		}
	}
	if r.alias != "" && !hclsyntax.ValidIdentifier(r.alias) {
		return fmt.Errorf("%q is not an alias of a provider", r.alias)
	}
	return nil
}

// writeForOld writes the files that make the old directory forget the resources without destroying them.
func (r *run) writeForOld(whole []string, partly []*tracked) error {
	if len(whole) > 0 {
		out := newSource()
		for _, address := range whole {
			body := out.block("removed")
			body.AppendUnstructuredTokens(expression("from = "+address+"\n\n", "lifecycle { destroy = false }\n"))
		}
		name := filepath.Join(oldDirectory, "removed.tf")
		if err := r.directory.write(name, out.bytes("For one apply, which forgets these resources and destroys nothing. Remove this file afterwards."), 0o644); err != nil {
			return err
		}
	}
	if len(partly) == 0 {
		return nil
	}
	script := "#!/bin/sh\n# Forgets instances of resources that stay: a removed block takes no instance keys. Nothing is destroyed.\nset -eu\n"
	for _, t := range partly {
		script += "${TERRAFORM:-terraform} state rm " + shellQuoted(t.Address) + "\n"
	}
	return r.directory.write(filepath.Join(oldDirectory, "state-rm.sh"), []byte(script), 0o755)
}

// shellQuoted quotes text as one word of a shell command.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// steps returns instructions in an order that destroys nothing.
func (r *run) steps(whole []string, partly []*tracked) string {
	old := filepath.Join(string(r.directory), oldDirectory)
	apply := strings.Join(append(r.exports(string(r.directory)), "terraform init", "terraform apply"), " && ")
	steps := []string{fmt.Sprintf("In %s: copy the blocks below from the old configuration, with the variables and locals that they use. Run %s. The plan imports, and adds, changes and destroys nothing.", r.directory, apply)}
	if len(partly) > 0 {
		steps = append(steps, fmt.Sprintf("In the old directory: run %s. It forgets instances and destroys nothing. Do this before you take their keys away.", filepath.Join(old, "state-rm.sh")))
	}
	if len(whole) > 0 {
		steps = append(steps, fmt.Sprintf("In the old directory: copy %s into it. Until the next step, every plan is refused.", filepath.Join(old, "removed.tf")))
	}
	steps = append(steps, "In the old configuration: delete the blocks and keys below, import blocks of them, and what refers to them. Run terraform plan. It must destroy nothing: then apply.")
	remove := fmt.Sprintf("Remove imports.tf from %s, and %s, which contains the whole state.", r.directory, r.from)
	if len(whole) > 0 {
		remove = "Remove removed.tf from the old directory. " + remove
	}
	steps = append(steps, remove)
	var text strings.Builder
	for i, step := range steps {
		fmt.Fprintf(&text, "%d. %s\n", i+1, step)
	}
	text.WriteString("\nBlocks to move:\n")
	for _, address := range whole {
		text.WriteString("- " + address + "\n")
	}
	for _, t := range partly {
		fmt.Fprintf(&text, "- %s: only the instance %s; the block stays for the others\n", t.resource, t.Address)
	}
	return text.String()
}

// reportSplit prints the steps, which are also written to a file, and what to check first.
func (r *run) reportSplit(s *split, whole []string, partly []*tracked) error {
	steps := r.steps(whole, partly)
	if cut := s.cut(); len(cut) > 0 {
		steps += "\nReferences that this selection cuts. Write the value in their place, or select otherwise:\n"
		for _, reference := range cut {
			steps += "- " + reference + "\n"
		}
	}
	if accounts := s.accounts(); len(accounts) > 1 {
		steps += fmt.Sprintf("\nThe selection is from the accounts %s. To select from one, write ACCOUNT/GROUP/NAME.\n", strings.Join(accounts, ", "))
	}
	if r.alias == "" {
		steps += "\nA state does not contain aliases of providers. If the blocks have an argument provider, run this with --alias NAME.\n"
	}
	if err := r.directory.write("STEPS.txt", []byte(steps), 0o644); err != nil {
		return err
	}
	_, err := fmt.Fprintf(r.terminal.Out, "Wrote import blocks for %s into %s. Nothing was sent. The next steps, which are in %s, too:\n\n%s",
		plural(len(s.going()), "object"), r.directory, filepath.Join(string(r.directory), "STEPS.txt"), steps)
	return err
}
