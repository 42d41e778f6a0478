package adopt

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
)

// importsFile is the file for import blocks.
const importsFile = "imports.tf"

// maxPasses limits how often a configuration is evaluated. Each pass can use what the previous one found: groups, the
// machines in them, their schedules, and so on through modules.
const maxPasses = 20

// recoverState writes import blocks for a configuration whose state was lost.
func (r *run) recoverState(ctx context.Context) error {
	if err := r.checkImportsOnly(); err != nil {
		return err
	}
	l := &lost{
		directories: map[string]*configuration{}, functions: &hcl.EvalContext{Functions: functions()},
		outputs: map[string]cty.Value{}, instances: map[string]map[string]element{},
	}
	root, err := l.directory(r.config)
	if err != nil {
		return err
	}
	if err := root.readValues(os.Environ()); err != nil {
		return err
	}
	s, e, err := r.read(ctx)
	if err != nil {
		return err
	}
	l.index = newIndex(e, s.data.Account.ValueString(), s.data.Group.ValueString())
	for before, pass := -1, 0; pass < maxPasses && before != l.countKnown(); pass++ {
		before = l.countKnown()
		if err := l.pass(r.config); err != nil {
			return err
		}
	}
	deleted := l.deletedMachines(ctx, s, e)
	resources, missing := l.imports()
	if len(resources) > 0 {
		if err := r.writeImports(resources, "For one apply: it imports these objects. Remove this file afterwards."); err != nil {
			return err
		}
	}
	return r.reportRecovery(e, l, resources, deleted, missing)
}

// deletedMachines returns, as lines of the report, the machines that were not found because they are soft-deleted. An
// account is read once more if a machine was not found there.
func (l *lost) deletedMachines(ctx context.Context, s *service, e *estate) (lines []string) {
	accounts := map[string]map[machineName]int64{}
	for _, r := range l.resources {
		for i := range r.elements {
			one := &r.elements[i]
			account := one.sought.Account
			if one.found != nil || !slices.Contains(e.accounts, account) {
				continue
			}
			if accounts[account] == nil {
				accounts[account] = e.readDeleted(ctx, s, account)
			}
			if id, ok := accounts[account][one.sought]; ok {
				one.isDeleted = true
				lines = append(lines, fmt.Sprintf("%s%s: virtual machine %q (ID %d)", r.address(), one.brackets(), one.sought.Name, id))
			}
		}
	}
	return lines
}

// readDeleted returns the IDs of the soft-deleted machines of an account.
func (e *estate) readDeleted(ctx context.Context, s *service, account string) map[machineName]int64 {
	var diags diag.Diagnostics
	deleted := map[machineName]int64{}
	filter := location.Filter{Account: types.StringValue(account)}
	for _, vm := range filter.Find(ctx, s.data, true, &diags) {
		if vm.Deleted {
			deleted[machineName{Account: account, Group: vm.Group, Name: vm.Name}] = vm.ID
		}
	}
	if diags.HasError() {
		e.unread = append(e.unread, fmt.Sprintf("soft-deleted machines of account %s: %s", account, diags.Errors()[0].Detail()))
	}
	return deleted
}

// checkImportsOnly returns an error if the directory already has the file, or if it is a separate one that is not
// empty.
func (r *run) checkImportsOnly() error {
	if string(r.directory) != r.config {
		return r.directory.check()
	}
	if _, err := os.Lstat(filepath.Join(r.config, importsFile)); err == nil {
		return fmt.Errorf("%s has a file %s, and existing configuration is never edited: rename it, or name another directory to write into", r.config, importsFile)
	}
	return nil
}

// countKnown counts the values that are known by now.
func (l *lost) countKnown() (count int) {
	for _, elements := range l.instances {
		count++
		for _, e := range elements {
			if e.found != nil {
				count++
			}
		}
	}
	for _, outputs := range l.outputs {
		for _, value := range outputs.AsValueMap() {
			if value.IsWhollyKnown() {
				count++
			}
		}
	}
	return count
}

// imports returns the resources that were found, and the reasons why others were not.
func (l *lost) imports() (resources []imported, missing []string) {
	for _, r := range l.resources {
		if r.why != "" {
			missing = append(missing, r.address()+": "+r.why)
		}
		found := imported{typeName: r.typeName, at: reference(raw(r.address()))}
		for _, e := range r.elements {
			if e.isDeleted {
				continue // reported in a list of its own
			}
			if e.found == nil {
				missing = append(missing, r.address()+e.brackets()+": "+e.why)
				continue
			}
			found.isCounted = e.isNumber
			found.instances = append(found.instances, instance{e.plainKey(), e.found.importID(), e.found.comment})
		}
		if len(found.instances) > 0 {
			resources = append(resources, found)
		}
	}
	return resources, missing
}

// plainKey returns the key as text.
func (e element) plainKey() string {
	if each, ok := e.self["each"]; ok {
		return each.GetAttr("key").AsString()
	}
	return e.key
}

// reportRecovery reports what was written, what to do next, and what was not found.
func (r *run) reportRecovery(e *estate, l *lost, resources []imported, deleted, missing []string) error {
	count := 0
	for _, resource := range resources {
		count += len(resource.instances)
	}
	text := "No object was found for the configuration, so no import blocks were written. Nothing was sent that changes anything.\n"
	if count > 0 {
		text = fmt.Sprintf("Wrote import blocks for %s into %s.\nNothing was sent that changes anything. Next, in the directory of the configuration:\n\n%s"+
			"The plan must not add anything that exists. What only the configuration knows, such as deletion_protection and timeouts, is recorded, and nothing is sent.\n"+
			"If the import of one object fails, Terraform 1.16 does not attempt the others: remove that object from %[4]s, run the same command again, and import it on its own afterwards.\n",
			plural(count, "object"), filepath.Join(string(r.directory), importsFile), r.commands(r.config, "terraform plan"), importsFile)
	}
	if _, err := fmt.Fprint(r.terminal.Out, text); err != nil {
		return err
	}
	var unmanaged []string
	for _, o := range l.index.objects {
		if o.address == "" {
			unmanaged = append(unmanaged, fmt.Sprintf("%s (import ID %s)", o.title, o.importID()))
		}
	}
	if len(unmanaged) > 0 {
		if err := (list{"These objects are in no block of the configuration, and are left alone:", unmanaged}).print(r.terminal.Out); err != nil {
			return err
		}
	}
	return r.complain(
		list{"Could not read:", e.unread},
		list{"These machines are soft-deleted. Undelete each first, with the action cloudserver_vm_undelete or the call on its page, and run this command again; a plan would create new ones, whose names are taken:", deleted},
		list{"No object was found for these addresses, so a plan would create them:", missing},
		list{"Not looked at:", l.notes},
	)
}
