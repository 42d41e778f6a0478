package vm_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

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
	for _, table := range []map[string]message{mistakes(), losses(), refusals(), takenNames(), importMessages()} {
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

func importOf(id string) func(*messageCase) []*tfprotov6.Diagnostic {
	return func(c *messageCase) []*tfprotov6.Diagnostic {
		o, diags := c.d.Import(c.Context(), vmType, id)
		if acctest.HasErrors(diags) {
			return diags
		}
		return append(diags, c.d.Plan(c.Context(), vmType, o, c.config).Diagnostics...)
	}
}

// mistakes are in a configuration alone, and values that the service does not offer.
func mistakes() map[string]message {
	return map[string]message{
		"a name with a slash":           {config: given{"name": "web/1"}, do: validate, severity: "error", at: "name", summary: "Invalid name", says: "/"},
		"a name of digits":              {config: given{"name": "2026"}, severity: "error", at: "name", summary: "Invalid name", says: "digits"},
		"two discs with one label":      {config: given{"disc": discs("vda:25600", "vda:51200")}, do: validate, severity: "error", at: "disc.1.label", summary: "Duplicate disc label", says: `"vda"`},
		"a disc without a size":         {config: given{"disc": discs("vda:0")}, do: validate, severity: "error", at: "disc.0.size", summary: "Invalid", says: "at least 1"},
		"no IPv4 address":               {config: given{"ips.ipv4": "192.0.2.300"}, do: validate, severity: "error", at: "ips.ipv4", summary: "Invalid", says: `"192.0.2.300"`},
		"off, and started again":        {config: given{"power_on": false, "autoreboot_on": true}, do: validate, severity: "error", at: "autoreboot_on", summary: "Conflicting power settings", says: "autoreboot_on"},
		"an image without distribution": {config: given{"reimage.root_password": "test-only"}, do: validate, severity: "error", at: "reimage.distribution", summary: "Missing", says: "reimage.distribution"},
		"another on_change":             {config: given{"reimage.distribution": "bookworm", "reimage.on_change": "rebuild"}, do: validate, severity: "error", at: "reimage.on_change", summary: "Invalid", says: `"replace"`},
		"a script without #!":           {config: with(image, "reimage.firstboot_script", "#cloud-config\n"), severity: "warning", at: "reimage.firstboot_script", summary: "The first boot script will not run", says: "#!"},
		"an image that nobody can use":  {config: given{"reimage.distribution": "bookworm"}, severity: "warning", at: "reimage", summary: "Nobody can log in", says: "root_password"},
		"a private key":                 {config: with(image, "reimage.ssh_public_key", "-----BEGIN OPENSSH PRIVATE KEY-----"), do: validate, severity: "error", at: "reimage.ssh_public_key", summary: "Invalid public key", says: ".pub"},
		"a port of 0":                   {config: given{"ready.port": 0}, do: validate, severity: "error", at: "ready.port", summary: "Invalid", says: "65535"},
		"a path without a slash":        {config: given{"ready.port": 80, "ready.http_path": "health"}, do: validate, severity: "error", at: "ready.http_path", summary: "Invalid", says: "slash"},
		"a status that is no range":     {config: given{"ready.port": 80, "ready.http_path": "/", "ready.http_status": "2xx"}, do: validate, severity: "error", at: "ready.http_status", summary: "Invalid HTTP status", says: "200-299"},
		"a timeout of nothing":          {config: given{"timeouts.create": "0s"}, do: validate, severity: "error", at: "timeouts.create", summary: "Invalid duration", says: `"0s"`},
		"a misspelt distribution":       {config: with(image, "reimage.distribution", "bokworm"), severity: "error", at: "reimage.distribution", summary: `The service does not offer the distribution "bokworm"`, says: `Did you mean "bookworm"`},
		"an unknown grade":              {config: given{"disc": discs("vda:25600:nvme")}, severity: "error", at: "disc.0.storage_grade", summary: `The service does not offer the storage grade "nvme"`, says: `"archive"`},
		"an unknown zone":               {config: given{"zone_name": "yrok"}, severity: "error", at: "zone_name", summary: `The service does not offer the zone "yrok"`, says: `Did you mean "york"?`},
		"a profile that is not listed":  {config: given{"hardware_profile": "virtio2014"}, severity: "warning", at: "hardware_profile", summary: "The service does not list a value", says: `"virtio2014"`},
		"a group that does not exist":   {config: given{"group": "defalt"}, severity: "warning", at: "group", summary: "The group does not exist yet", says: `Did you mean "default"?`},
		"an account that is not shown":  {config: given{"account": "dmeo"}, severity: "error", at: "account", summary: `The account "dmeo" does not exist or is not visible`, says: `Did you mean "demo"?`},
		"a group at apply":              {config: given{"group": "prod"}, do: apply, severity: "error", at: "group", summary: "Cannot create virtual machine", says: `has no group "prod"`},
		"memory that is not offered":    {options: emulator.Options{Faults: []emulator.Fault{unofferedMemory}}, config: given{"cores": 1, "memory": 1000}, do: apply, severity: "error", at: "memory", summary: "Cannot create virtual machine", says: "memory is not included in the list"},
		"an address in a public group":  {config: given{"ips.ipv4": "198.51.100.10"}, do: apply, severity: "error", at: "ips.ipv4", summary: "Cannot create virtual machine", says: "only valid in a private VLAN"},
	}
}

// unofferedMemory has the service refuse the amount of memory of a new machine.
var unofferedMemory = emulator.Fault{
	Match:  func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/vm_create") },
	Status: http.StatusBadRequest, Body: `{"memory":["is not included in the list"]}`,
	Header: http.Header{"Content-Type": {"application/json"}},
}

// losses say what is lost, restarted or recorded, before it is.
func losses() map[string]message {
	two := given{"disc": discs("vda:25600", "data:5000")}
	off := func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false }
	return map[string]message{
		"a disc":                   {had: two, config: given{}, severity: "warning", at: "disc", summary: `Discs will be purged: "data"`, says: "5000 megabytes"},
		"the boot disc":            {had: inPlace, config: with(inPlace, "reimage.distribution", "noble"), severity: "warning", at: "reimage", summary: `The boot disc will be erased: "vda"`, says: "is on again afterwards"},
		"all discs":                {had: image, config: with(image, "reimage.distribution", "noble"), severity: "warning", at: "reimage.distribution", summary: `All discs will be lost: "vda"`, says: "create_before_destroy"},
		"what was not configured":  {had: image, config: with(image, "reimage.distribution", "noble"), severity: "warning", at: "reimage.distribution", summary: "The service chooses parts", says: `zone_name = "york"`},
		"a name after a soft one":  {had: given{"purge_on_destroy": false}, severity: "warning", at: "purge_on_destroy", summary: "A soft-deleted machine keeps its name", says: "cloudserver_vm_undelete"},
		"power for a while":        {had: given{"cores": 1}, config: given{"cores": 2, leave: true}, severity: "warning", at: "cores", summary: "The update restarts the machine: cores", says: "stopped gracefully, or switched off after 2m"},
		"addresses":                {had: given{}, config: given{"group": "private"}, severity: "warning", at: "group", summary: "The update moves the machine", says: "addresses may change"},
		"a key that is recorded":   {had: with(image, "reimage.ssh_public_key", "ssh-ed25519 AAAA"), config: with(image, "reimage.ssh_public_key", "ssh-ed25519 BBBB"), severity: "warning", at: "reimage.ssh_public_key", summary: "The new key waits for the next image", says: "revision"},
		"a disc of somebody else":  {had: given{}, config: given{}, world: func(e *acctest.Emulator, id int64) { e.AddDisc(id, emulator.Disc{Label: "theirs", Size: 77}) }, severity: "warning", at: "disc", summary: "Unmanaged discs", says: `"theirs"`},
		"a disc that is gone":      {had: two, config: two, world: func(e *acctest.Emulator, id int64) { e.RemoveDisc(id, "data") }, severity: "warning", at: "disc", summary: "", says: `no longer on virtual machine "web1"`},
		"a machine that is gone":   {had: given{}, config: given{}, world: func(e *acctest.Emulator, id int64) { e.Purge(id) }, severity: "warning", at: "id", summary: "", says: `"web1"`},
		"soft-deleted elsewhere":   {had: given{}, config: given{}, world: func(e *acctest.Emulator, id int64) { e.SoftDelete(id) }, severity: "warning", at: "id", summary: "The machine was soft-deleted elsewhere", says: "its name stays taken"},
		"power, by somebody else":  {had: given{}, config: given{}, world: func(e *acctest.Emulator, id int64) { _ = e.Change(id, off) }, severity: "warning", at: "power_on", summary: "The machine has gone off", says: "left off"},
		"nothing, but not ready":   {options: emulator.Options{Guests: true}, had: given{"cores": 1, leave: true, "ready.port": 22}, config: given{"cores": 2, leave: true, "ready.port": 22}, world: func(e *acctest.Emulator, id int64) { e.SetDeaf(id, true) }, do: apply, severity: "error", at: "ready", summary: `Updated virtual machine "web1", but it is not ready`, says: "connection refused"},
		"a new one that is silent": {options: emulator.Options{Guests: true, GuestBoot: time.Hour}, config: given{"ready.port": 22, "ready.timeout": "1m"}, do: apply, severity: "error", summary: `Created virtual machine "web1"`, says: "terraform untaint"},
	}
}

// refusals are plans that would lose or stop what must not be, and that name the line to write or the switch to set.
func refusals() map[string]message {
	two := given{"disc": discs("vda:25600", "data:5000:archive")}
	return map[string]message{
		"a smaller disc":          {had: two, config: given{"disc": discs("vda:25600", "data:4000:archive")}, severity: "error", at: "disc.1.size", summary: `Cannot shrink disc "data"`, says: "size = 5000"},
		"another grade":           {had: two, config: given{"disc": discs("vda:25600", "data:5000:ssd")}, severity: "error", at: "disc.1.storage_grade", summary: `Cannot change the storage grade of disc "data"`, says: `storage_grade = "archive"`},
		"another boot disc":       {had: two, config: given{"disc": discs("data:5000:archive", "vda:25600")}, severity: "error", at: "disc", summary: "Cannot change the boot disc", says: `Put "vda" first`},
		"a restart":               {had: given{"cores": 1}, config: given{"cores": 2}, severity: "error", at: "cores", summary: `Cannot change cores of virtual machine "web1" without a restart`, says: "Set allow_stopping_for_update = true"},
		"a protected disc":        {had: with(protected, "disc", discs("vda:25600", "data:5000")), config: protected, severity: "error", at: "disc", summary: `Cannot purge disc "data"`, says: "apply deletion_protection = false"},
		"a protected image":       {had: with(inPlace, "deletion_protection", true), config: with(with(inPlace, "deletion_protection", true), "reimage.distribution", "noble"), severity: "error", at: "reimage", summary: "Cannot reimage virtual machine", says: "apply deletion_protection = false"},
		"a protected machine":     {had: protected, severity: "error", at: "deletion_protection", summary: `Cannot destroy virtual machine "web1"`, says: "deletion_protection = false first"},
		"a name that is kept":     {had: given{"zone_name": "york", "purge_on_destroy": false}, config: given{"zone_name": "manchester", "purge_on_destroy": false}, severity: "error", at: "zone_name", summary: `Cannot replace virtual machine "web1" under the same name`, says: "purge_on_destroy"},
		"a group that is not yet": {had: given{}, config: given{"group": "prod"}, severity: "warning", at: "group", summary: "The group does not exist yet", says: "cloudserver_group"},
	}
}

// takenNames are those of machines that no resource has, with the block that imports them.
func takenNames() map[string]message {
	const block = `id = "1004"`
	taken := func(e *acctest.Emulator, _ int64) { addTwin(e) }
	deleted := func(e *acctest.Emulator, _ int64) { e.SoftDelete(addTwin(e)) }
	return map[string]message{
		"a taken name":                     {config: given{}, world: taken, severity: "warning", at: "name", summary: "The name of the machine is taken", says: block},
		"a taken name, at apply":           {config: given{}, world: taken, do: apply, severity: "error", at: "name", summary: "Cannot create virtual machine", says: block},
		"a soft-deleted name":              {config: given{}, world: deleted, severity: "warning", at: "name", summary: "A soft-deleted machine holds the name", says: "cloudserver_vm_undelete"},
		"a soft-deleted name, at apply":    {config: given{}, world: deleted, do: apply, severity: "error", at: "name", summary: "Cannot create virtual machine", says: "cloudserver_vm_undelete"},
		"renamed to a taken name":          {had: given{"name": "web2"}, config: given{}, world: taken, severity: "warning", at: "name", summary: "The name of the machine is taken", says: `has the name "web1"`},
		"renamed to a taken name, applied": {had: given{"name": "web2"}, config: given{}, world: taken, do: apply, severity: "error", at: "name", summary: "Cannot rename virtual machine", says: "has already been taken"},
	}
}

// importMessages name what is to be written instead.
func importMessages() map[string]message {
	legacy := func(e *acctest.Emulator, _ int64) {
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
			Name: "legacy", PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "data", Size: 51200}},
		})
	}
	deleted := func(e *acctest.Emulator, id int64) {
		legacy(e, id)
		e.SoftDelete(1004)
	}
	own := given{"name": "legacy"}
	return map[string]message{
		"no form of an ID":       {do: importOf("legacy"), severity: "error", summary: "Cannot import a virtual machine", says: "account/group/name (demo/default/web1)"},
		"a misspelt name":        {world: legacy, do: importOf("default/legcy"), severity: "error", summary: `Cannot import virtual machine "legcy"`, says: `Did you mean "legacy"?`},
		"a number":               {do: importOf("4711"), severity: "error", summary: "Cannot import virtual machine 4711", says: "Check the ID"},
		"soft-deleted":           {world: deleted, do: importOf("1004"), severity: "error", summary: "Cannot import virtual machine 1004", says: "cloudserver_vm_undelete"},
		"discs without a block":  {world: legacy, config: with(own, "disc", nil), do: importOf("1004"), severity: "error", at: "disc", summary: "The imported machine has discs that the configuration lacks", says: `label = "vda"`},
		"discs that are swapped": {world: legacy, config: with(own, "disc", discs("vda:1000", "data:25600")), do: importOf("1004"), severity: "error", at: "disc.0.size", summary: `Cannot shrink disc "vda"`, says: "Correct the disc blocks"},
	}
}
