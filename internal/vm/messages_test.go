// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// message is something that a user does, and what the provider says about it.
type message struct {
	options emulator.Options
	had     given                                      // what was applied before; nil: nothing
	world   func(e *acctest.Emulator, id int64)        // what somebody else did since; id is 0 if nothing was applied
	config  given                                      // nil: a destroy
	do      func(*messageCase) []*tfprotov6.Diagnostic // nil: a refresh and a plan

	severity, at, summary string // at is the attribute, and summary the beginning of the summary
	says                  string // one phrase of the detail
}

// TestMessages: what is wrong, or lost, or to be done is said at the attribute that is to blame.
func TestMessages(t *testing.T) {
	t.Parallel()
	for _, table := range []map[string]message{mistakes(), losses(), takenNames()} {
		for name, test := range table {
			inWorldNamed(t, name, test.options, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				c := &messageCase{T: t, d: d}
				if test.had != nil {
					c.o = d.MustApply(t.Context(), vmType, nil, configured(test.had))
				}
				if test.world != nil {
					id := int64(0)
					if c.o != nil {
						id = parsed(c.o.Get("id"))
					}
					test.world(e, id)
				}
				c.d = e.NewDriver(t, nil)
				if test.config != nil {
					c.config = configured(test.config)
				}
				do := test.do
				if do == nil {
					do = plan
				}
				diags := do(c)
				if !slices.ContainsFunc(diags, test.isSaidBy) {
					t.Errorf("want %s at %q: %s … %s\ngot\n%s", test.severity, test.at, test.summary, test.says, acctest.DiagText(diags))
				}
			})
		}
	}
}

// isSaidBy reports whether a diagnostic is the message.
func (m message) isSaidBy(d *tfprotov6.Diagnostic) bool {
	return strings.EqualFold(d.Severity.String(), m.severity) && acctest.Path(d.Attribute) == m.at &&
		strings.HasPrefix(d.Summary, m.summary) && strings.Contains(strings.Join(strings.Fields(d.Detail), " "), m.says)
}

// messageCase is one case of TestMessages while it runs.
type messageCase struct {
	*testing.T
	d      *acctest.Driver
	o      *acctest.Object
	config object
}

func validate(c *messageCase) []*tfprotov6.Diagnostic { return c.d.Validate(vmType, c.config) }

func plan(c *messageCase) []*tfprotov6.Diagnostic {
	refreshed, diags := c.d.Refresh(c.Context(), c.o)
	if acctest.HasErrors(diags) || refreshed == nil && c.o != nil {
		return diags
	}
	return append(diags, c.d.Plan(c.Context(), vmType, refreshed, c.config).Diagnostics...)
}

func apply(c *messageCase) []*tfprotov6.Diagnostic {
	planned := c.d.Plan(c.Context(), vmType, c.o, c.config)
	if planned.Action == refused {
		return planned.Diagnostics
	}
	_, diags := c.d.Apply(c.Context(), vmType, planned)
	return diags
}

// mistakes are in a configuration alone, and values that the service does not offer.
func mistakes() map[string]message {
	return map[string]message{
		"a name with a slash":             {config: given{"name": "web/1"}, do: validate, severity: "error", at: "name", summary: "Invalid name", says: "/"},
		"two discs with one label":        {config: given{"disc": discs("vda:25600", "vda:51200")}, do: validate, severity: "error", at: "disc.1.label", summary: "Duplicate disc label", says: `"vda"`},
		"labels of different case":        {config: given{"disc": discs("vda:25600", "VDA:51200")}, do: validate, severity: "error", at: "disc.1.label", summary: "Duplicate disc label", says: `"VDA"`},
		"labels of different spaces":      {config: given{"disc": discs("vda:25600", "vda :51200")}, do: validate, severity: "error", at: "disc.1.label", summary: "Duplicate disc label", says: `"vda "`},
		"a disc without a size":           {config: given{"disc": discs("vda:0")}, do: validate, severity: "error", at: "disc.0.size", summary: "Invalid", says: "at least 1, got: 0. It is in megabytes"},
		"no IPv4 address":                 {config: given{"ips.ipv4": "192.0.2.300"}, do: validate, severity: "error", at: "ips.ipv4", summary: "Invalid", says: `"192.0.2.300"`},
		"a label with slashes":            {config: given{"disc": discs("/dev/vda:25600")}, do: validate, severity: "error", at: "disc.0.label", summary: "Invalid label", says: `such as "vda"`},
		"a loopback address":              {config: given{"ips.ipv4": "127.0.0.1"}, do: validate, severity: "error", at: "ips.ipv4", summary: "Invalid address of a machine", says: `got: "127.0.0.1"`},
		"an address that is empty":        {config: given{"ips.ipv6": ""}, do: validate, severity: "error", at: "ips.ipv6", summary: "Invalid IPv6 address", says: "set it to null"},
		"the ID of a group":               {config: given{"group": "1002"}, severity: "error", at: "group", summary: `Cannot find group "1002"`, says: `1002 is the ID of the group "default"`},
		"a script without an interpreter": {config: with(image, "reimage.firstboot_script", "echo"), severity: "warning", at: "reimage.firstboot_script", summary: "The first boot script will not run", says: "as in #!/bin/sh"},
		"a script with CR LF":             {config: with(image, "reimage.firstboot_script", "#!/bin/sh\r\necho\r\n"), severity: "warning", at: "reimage.firstboot_script", summary: "The first boot script will not run", says: "runs only if revision changes from one value to another"},
		"an empty script":                 {config: with(image, "reimage.firstboot_script", ""), severity: "warning", at: "reimage.firstboot_script", summary: "The first boot script will not run", says: "set it to null"},
		"a script with a mark":            {config: with(image, "reimage.firstboot_script", "\ufeff#!/bin/sh\n"), severity: "warning", at: "reimage.firstboot_script", summary: "The first boot script will not run", says: `trimprefix(file("setup.sh"), "\ufeff")`},
		"a private key":                   {config: with(image, "reimage.ssh_public_key", "-----BEGIN OPENSSH PRIVATE KEY-----"), do: validate, severity: "error", at: "reimage.ssh_public_key", summary: "Invalid public key", says: ".pub"},
		"a timeout of nothing":            {config: given{"timeouts.create": "0s"}, do: validate, severity: "error", at: "timeouts.create", summary: "Invalid duration", says: `"0s"`},
		"a misspelt distribution":         {config: with(image, "reimage.distribution", "bokworm"), severity: "error", at: "reimage.distribution", summary: `Invalid distribution "bokworm"`, says: `Did you mean "bookworm"`},
		"an unknown grade":                {config: given{"disc": discs("vda:25600:nvme")}, severity: "error", at: "disc.0.storage_grade", summary: `Invalid storage grade "nvme"`, says: `"archive"`},
		"an unknown zone":                 {config: given{"zone_name": "yrok"}, severity: "error", at: "zone_name", summary: `Invalid zone "yrok"`, says: `Did you mean "york"?`},
		"a profile that is not listed":    {config: given{"hardware_profile": "virtio2014"}, severity: "warning", at: "hardware_profile", summary: `The service does not list the hardware profile "virtio2014"`, says: "more than it lists"},
		"a group that does not exist":     {config: given{"group": "defalt"}, severity: "warning", at: "group", summary: "The group does not exist", says: `Did you mean "default"?`},
		"an account that is not shown":    {config: given{"account": "dmeo"}, severity: "error", at: "account", summary: `Cannot find account "dmeo"`, says: `Did you mean "demo"?`},
		"a group at apply":                {config: given{"group": "prod"}, do: apply, severity: "error", at: "group", summary: "Cannot create virtual machine", says: `has no group "prod"`},
		"memory that is not offered":      {options: emulator.Options{Faults: []emulator.Fault{unofferedMemory}}, config: given{"cores": 1, "memory": 1000}, do: apply, severity: "error", at: "memory", summary: "Cannot create virtual machine", says: "memory is not included in the list"},
		"an address in a public group":    {config: given{"ips.ipv4": "198.51.100.10"}, do: apply, severity: "error", at: "ips.ipv4", summary: "Cannot create virtual machine", says: "use such a group, or leave ips out"},
	}
}

// unofferedMemory has the service refuse the amount of memory of a new machine.
var unofferedMemory = emulator.Fault{
	Match:  func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/vm_create") },
	Status: http.StatusBadRequest, Body: `{"memory":["is not included in the list"]}`,
	Header: http.Header{"Content-Type": {"application/json"}},
}

// losses are changes that lose or stop something, and refusals of these, with the line to write.
func losses() map[string]message {
	two := given{"disc": discs("vda:25600", "data:5000:archive")}
	return map[string]message{
		"all discs":         {had: image, config: with(image, "reimage.distribution", "noble"), severity: "warning", at: "reimage.distribution", summary: `All discs of virtual machine "web1" will be lost: "vda"`, says: "create_before_destroy is set, which needs another name for the new machine"},
		"addresses, too":    {had: with(image, "group", "private", "ips.ipv4", "192.0.2.10"), config: with(image, "group", "private", "ips.ipv4", "192.0.2.10", "reimage.distribution", "noble"), severity: "warning", at: "reimage.distribution", summary: "All discs of", says: "needs another name and other addresses for the new machine"},
		"a taken address":   {world: holdAddress, config: given{"group": "private", "ips.ipv4": "192.0.2.10"}, do: apply, severity: "error", at: "ips.ipv4", summary: "Cannot create virtual machine", says: "With create_before_destroy, the machine that is replaced still has its addresses"},
		"an image it has":   {had: with(image, "reimage.on_change", "reimage"), world: imagedNoble, config: with(image, "reimage.on_change", "reimage", "reimage.distribution", "noble"), severity: "warning", at: "reimage", summary: "The boot disc of", says: "check that this is not an older state"},
		"the image it had":  {had: image, world: imagedNoble, config: with(image, "reimage.distribution", "noble"), severity: "warning", at: "reimage.distribution", summary: "All discs of", says: `installed "noble" last (last_imaged_with)`},
		"no answer":         {had: image, world: breakMachine, config: image, severity: "error", at: "", summary: `Cannot read virtual machine "web1"`, says: "plan the others with -target, or all of them with -refresh=false"},
		"power for a while": {had: given{"cores": 1}, config: given{"cores": 2, leave: true}, severity: "warning", at: "cores", summary: "The update restarts the machine: cores", says: "stopped gracefully, or switched off after at most 2m"},
		"a hidden account":  {had: given{}, world: hideAccount, config: given{}, severity: "error", at: "account", summary: "Cannot read virtual machine", says: "check endpoint and which provider the resource uses"},
		"a smaller disc":    {had: two, config: given{"disc": discs("vda:25600", "data:4000:archive")}, severity: "error", at: "disc.1.size", summary: `Cannot shrink disc "data"`, says: "size = 5000"},
		"its first image":   {had: given{}, config: image, severity: "error", at: "reimage", summary: `Cannot install the image of virtual machine "web1" without a restart`, says: `Set on_change = "reimage" or allow_stopping_for_update = true`},
		"another grade":     {had: two, config: given{"disc": discs("vda:25600", "data:5000:ssd")}, severity: "error", at: "disc.1.storage_grade", summary: `Cannot change the storage grade of disc "data"`, says: `storage_grade = "archive"`},
		"a disc, protected": {had: two, config: with(protected, "disc", discs("vda:25600")), severity: "error", at: "disc", summary: `Cannot purge disc "data"`, says: "leave deletion_protection out of this apply"},
		"the machine":       {had: protected, severity: "error", at: "deletion_protection", summary: "Cannot destroy virtual machine", says: "If the block of the machine was removed, put the block back"},
		"another boot disc": {had: two, config: given{"disc": discs("data:5000:archive", "vda:25600")}, severity: "error", at: "disc", summary: "Cannot change the boot disc", says: `Put "vda" first. Or create the machine again, which loses all its discs and their backups: ` + "`terraform destroy -refresh=false -target=ADDRESS`"},
	}
}

func holdAddress(e *acctest.Emulator, _ int64) {
	e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{Name: "other", Interfaces: []emulator.Interface{{IPs: []string{"192.0.2.10"}}}})
}

// imagedNoble is what an older state does not know.
func imagedNoble(e *acctest.Emulator, id int64) {
	if err := e.Change(id, func(m *emulator.Machine) { m.LastImagedWith = "noble" }); err != nil {
		panic(err)
	}
}

func breakMachine(e *acctest.Emulator, _ int64) {
	e.Inject(emulator.Fault{Status: http.StatusForbidden, Match: func(r emulator.Request) bool {
		return strings.HasPrefix(r.Path, "/virtual_machines/")
	}})
}

func hideAccount(e *acctest.Emulator, _ int64) { e.CloseAccount(emulator.DemoAccount, true) }

// takenNames are those of machines that no resource has, with the block that imports them.
func takenNames() map[string]message {
	const block = `id = "1004"`
	taken := func(e *acctest.Emulator, _ int64) { addTwin(e) }
	deleted := func(e *acctest.Emulator, _ int64) { e.SoftDelete(addTwin(e)) }
	return map[string]message{
		"a taken name":                     {config: given{}, world: taken, severity: "warning", at: "name", summary: `The name "web1" is taken`, says: block},
		"a taken name, at apply":           {config: given{}, world: taken, do: apply, severity: "error", at: "name", summary: "Cannot create virtual machine", says: block},
		"a soft-deleted name":              {config: given{}, world: deleted, severity: "warning", at: "name", summary: `A soft-deleted machine has the name "web1"`, says: "cloudserver_vm_undelete"},
		"a soft-deleted name, at apply":    {config: given{}, world: deleted, do: apply, severity: "error", at: "name", summary: "Cannot create virtual machine", says: "cloudserver_vm_undelete"},
		"renamed to a taken name":          {had: given{"name": "web2"}, config: given{}, world: taken, severity: "warning", at: "name", summary: `The name "web1" is taken`, says: `has the name "web1"`},
		"renamed to a taken name, applied": {had: given{"name": "web2"}, config: given{}, world: taken, do: apply, severity: "error", at: "name", summary: "Cannot rename virtual machine", says: "has already been taken"},
	}
}

// TestMissingGroupOfAGivenAccount: the warning does not advise to set an account that is set.
func TestMissingGroupOfAGivenAccount(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
		for account, isAdvised := range map[any]bool{nil: true, emulator.DemoAccount: false} {
			plan := d.Plan(t.Context(), vmType, nil, configured(given{"group": "prod", "account": account}))
			if text := acctest.DiagText(plan.Warnings()); strings.Contains(text, "set account as well") != isAdvised {
				t.Errorf("account %v:\n%s", account, text)
			}
		}
	})
}
