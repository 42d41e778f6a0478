// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// The machine of the table is on, and configured with its name, its discs and its image. A case says how the state, or
// the configuration, differs: as in "cores=2; disc=vda data", with "?" for an unknown value and "-" for none. An image
// is "distribution revision on_change". What the configuration leaves open stays, as Terraform proposes.
const (
	usualState = "id=1; account=demo; account_id=3; group=default; group_id=7; name=web1; cores=1; memory=1024; hardware_profile=virtio2013; " +
		"hardware_profile_locked=false; autoreboot_on=true; power_on=true; zone_name=york; last_imaged_with=bookworm; hostname=web1.default.demo.example; " +
		"ipv4_address=192.0.2.1; effective_hardware_profile=virtio2013; allow_stopping_for_update=true; disc=1=vda 2=data; reimage=bookworm 1 -"
	usualConfig = "name=web1; allow_stopping_for_update=true; disc=vda data; reimage=bookworm 1 -"
	isOff       = "power_on=false; autoreboot_on=false"
)

var (
	owesPower = private{Owed: owed{Power: &owedPower{PowerOn: true, AutorebootOn: true}}}
	inCloud   = facts{machine: &cloudserver.VirtualMachine{NetworkInterfaces: []cloudserver.NetworkInterface{{IPs: []string{"192.0.2.9"}}}}}
)

const elsewhere = "group_id=? hostname=? ipv4_address=? ipv6_address=? management_address=?"

var updates = map[string]struct {
	state, config string
	private       private
	facts         facts
	planned       *inventory.PlannedGroup
	defaultGroup  string // of the provider; "" is the machine's
	protected     bool   // by the provider

	plans    string // the values that are not those of the state; the tables of discs have theirs
	does     string
	replaces string
	refuses  string // the summaries of errors
	warns    string // those of warnings
	asks     string // of the service, before the plan is shown
}{
	"nothing changes": {},

	"more cores":                    {config: "cores=2", plans: "cores=2 effective_hardware_profile=?", does: "take a slot, stop, configure, start", warns: "The update restarts the machine: cores"},
	"more cores of one that is off": {state: isOff, config: "cores=2", plans: "cores=2", does: "configure"},
	"more cores of one that is about to start": {
		state: "power_on=false", config: "cores=2", plans: "cores=2 effective_hardware_profile=?",
		does: "take a slot, stop, configure, start", warns: "The update restarts the machine: cores",
	},
	"more cores of one that must not stop": {
		config: "cores=2; allow_stopping_for_update=-", plans: "allow_stopping_for_update=- cores=2 effective_hardware_profile=?",
		does: "take a slot, stop, configure, start", refuses: `Cannot change cores of virtual machine "web1" without a restart`,
	},
	"fewer cores":                {state: "cores=2", config: "cores=1", plans: "cores=1", does: "configure", warns: "The guest sees the change after the next power cycle"},
	"unknown cores":              {config: "cores=?", plans: "cores=? effective_hardware_profile=?", warns: "The update may restart the machine"},
	"unknown cores, off":         {state: isOff, config: "cores=?", plans: "cores=? effective_hardware_profile=?"},
	"another keymap":             {config: "keymap=de", plans: "keymap=de", does: "configure", asks: "whether keymap is offered"},
	"an older profile":           {state: "hardware_profile=virtio2020; effective_hardware_profile=virtio2020", config: "hardware_profile=virtio2013", plans: "hardware_profile=virtio2013", warns: "The hardware profile is only recorded", asks: "whether hardware_profile is offered"},
	"a profile that it has":      {state: "hardware_profile=virtio2013; effective_hardware_profile=virtio2020", config: "hardware_profile=virtio2020", plans: "hardware_profile=virtio2020", asks: "whether hardware_profile is offered"},
	"protection":                 {config: "deletion_protection=true", plans: "deletion_protection=true"},
	"protection is lifted":       {state: "deletion_protection=true", config: "deletion_protection=false", plans: "deletion_protection=false"},
	"a disc less":                {config: "disc=vda", does: "purge data", warns: `Discs of virtual machine "web1" will be purged: "data"`},
	"a disc less, protected":     {state: "deletion_protection=true", config: "disc=vda; deletion_protection=true", does: "purge data", refuses: `Cannot purge disc "data" of virtual machine "web1"`},
	"a disc less, just lifted":   {state: "deletion_protection=true", config: "disc=vda; deletion_protection=false", plans: "deletion_protection=false", does: "purge data", refuses: `Cannot purge disc "data" of virtual machine "web1"`},
	"a disc less, by default":    {protected: true, config: "disc=vda", does: "purge data", refuses: `Cannot purge disc "data" of virtual machine "web1"`},
	"a disc less, not by it":     {protected: true, state: "deletion_protection=false", config: "disc=vda; deletion_protection=false", does: "purge data", warns: `Discs of virtual machine "web1" will be purged: "data"`},
	"a disc more, of a grade":    {config: "disc=vda data logs/200/ssd", does: "add logs", warns: "The guest sees the change after the next power cycle", asks: "whether disc[2].storage_grade is offered"},
	"cores and a disc that goes": {config: "cores=2; disc=vda", plans: "cores=2 effective_hardware_profile=?", does: "take a slot, stop, configure, purge data, start", warns: `Discs of virtual machine "web1" will be purged: "data"; The update restarts the machine: cores`},

	"off":               {config: "power_on=false", plans: "autoreboot_on=false effective_hardware_profile=? power_on=false", does: "stop"},
	"on":                {state: isOff, config: "power_on=true", plans: "autoreboot_on=true effective_hardware_profile=? power_on=true", does: "start"},
	"off, but restarts": {config: "power_on=false; autoreboot_on=true", plans: "effective_hardware_profile=? power_on=false", does: "stop", refuses: "Conflicting power settings"},
	"off with cores":    {config: "power_on=false; cores=2", plans: "autoreboot_on=false cores=2 effective_hardware_profile=? power_on=false", does: "stop, configure"},
	"no restarts":       {config: "autoreboot_on=false", plans: "autoreboot_on=false", does: "set autoreboot_on"},
	"the first start, which installs the image": {
		state: isOff + "; last_imaged_with=-", config: "power_on=true", does: "start",
		plans: "autoreboot_on=true effective_hardware_profile=? last_imaged_with=? power_on=true",
	},
	"power is owed": {state: isOff, private: owesPower, plans: "autoreboot_on=true effective_hardware_profile=? power_on=true", does: "take a slot, start", warns: "The power of the machine is restored"},
	"power is owed, and left off": {
		state: isOff, config: isOff, private: owesPower, warns: "The machine stays off",
	},
	"power is owed, and about to come": {
		state: "power_on=false", config: "power_on=false; autoreboot_on=true", private: owesPower,
	},
	"readiness is owed": {state: "ready=22", config: "ready=22", private: private{Owed: owed{Ready: true}}, does: "take a slot, wait until ready", warns: "The update waits until the machine is ready"},

	"another name":               {config: "name=web2", plans: "hostname=? name=web2", does: "rename", asks: "who has web2 in 7"},
	"a name of digits":           {config: "name=77", plans: "hostname=? name=77", does: "rename", refuses: "Invalid name of a virtual machine"},
	"another group":              {config: "group=other", plans: "group=other " + elsewhere, does: "move", warns: "The update moves the machine", asks: "who has web1 in other"},
	"another account":            {config: "account=other", plans: "account=other account_id=? " + elsewhere, does: "move", warns: "The update moves the machine", asks: "who has web1 in default"},
	"this run renames the group": {config: "group=other", planned: &inventory.PlannedGroup{ID: 7}, plans: "group=other hostname=?"},
	"this run creates the group": {config: "group=other", planned: &inventory.PlannedGroup{}, plans: "group=other " + elsewhere, does: "move", warns: "The update moves the machine"},
	"this run renames another":   {config: "group=other", planned: &inventory.PlannedGroup{ID: 8}, plans: "group=other " + elsewhere, does: "move", warns: "The update moves the machine", asks: "who has web1 in 8"},
	"an unknown group":           {config: "group=?", plans: "group=? " + elsewhere, does: "move", warns: "The update moves the machine"},

	"another image":                {config: "reimage=trixie 1 -", replaces: "reimage.distribution", warns: lossOfAll + "; " + chosenAgain, asks: asksAll},
	"another image in place":       {config: "reimage=trixie 1 reimage", plans: "effective_hardware_profile=? last_imaged_with=?", does: "take a slot, stop, reimage, start", warns: `The boot disc of virtual machine "web1" will be erased: "vda"; Nobody can log in to the new image`, asks: "whether reimage.distribution is offered"},
	"another revision in place":    {config: "reimage=bookworm 2 reimage", plans: "effective_hardware_profile=? last_imaged_with=?", does: "take a slot, stop, reimage, start", warns: `The boot disc of virtual machine "web1" will be erased: "vda"; Nobody can log in to the new image`},
	"a first revision":             {state: "reimage=bookworm - -", warns: "Settings of the machine are only recorded"},
	"no revision any more":         {config: "reimage=bookworm - -", warns: "Settings of the machine are only recorded"},
	"no image any more":            {config: "reimage="},
	"another way only":             {config: "reimage=bookworm 1 reimage"},
	"an unknown image":             {config: "reimage=? 1 -", replaces: "reimage.distribution", refuses: noImagePlan},
	"an unknown revision":          {config: "reimage=bookworm ? -", replaces: "reimage.revision", refuses: noImagePlan},
	"an unknown first revision":    {state: "reimage=bookworm - -", config: "reimage=bookworm ? -", warns: "Settings of the machine are only recorded"},
	"an unknown way":               {config: "reimage=bookworm 1 ?"},
	"an unknown way, and image":    {config: "reimage=trixie 1 ?", replaces: "reimage.distribution", refuses: noImagePlan},
	"an unknown way, first image":  {state: "reimage=", config: "reimage=bookworm 1 ?", private: private{From: imageless}, plans: "effective_hardware_profile=? last_imaged_with=?", does: "take a slot, stop, reimage, start", refuses: noImagePlan},
	"an unknown imported image":    {state: "reimage=bookworm - -", config: "reimage=? ? ?", private: private{From: imported}, warns: "Settings of the machine are only recorded"},
	"an unknown block, imported":   {state: "reimage=bookworm - -", config: "reimage=?", private: private{From: imported}},
	"an unknown zone":              {config: "zone_name=?", plans: "zone_name=?"},
	"an unknown block":             {config: "reimage=?", refuses: noImagePlan},
	"an image in place, protected": {state: "deletion_protection=true", config: "reimage=trixie 1 reimage; deletion_protection=true", plans: "effective_hardware_profile=? last_imaged_with=?", does: "take a slot, stop, reimage, start", refuses: `Cannot reimage virtual machine "web1"`},
	"the first image":              {state: "reimage=", config: "allow_stopping_for_update=-; reimage=bookworm 1 reimage", private: private{From: imageless}, plans: "allow_stopping_for_update=- effective_hardware_profile=? last_imaged_with=?", does: "take a slot, stop, reimage, start", warns: `The boot disc of virtual machine "web1" will be erased: "vda"; Nobody can log in to the new image`, asks: "whether reimage.distribution is offered"},
	"the first image, may stop":    {state: "reimage=", private: private{From: imageless}, plans: "effective_hardware_profile=? last_imaged_with=?", does: "take a slot, stop, reimage, start", warns: `The boot disc of virtual machine "web1" will be erased: "vda"; Nobody can log in to the new image`, asks: "whether reimage.distribution is offered"},
	"the first image, no stop": {
		state: "reimage=", config: "allow_stopping_for_update=-", private: private{From: imageless}, plans: "allow_stopping_for_update=- effective_hardware_profile=? last_imaged_with=?",
		does: "take a slot, stop, reimage, start", refuses: `Cannot install the image of virtual machine "web1" without a restart`,
	},
	"the first image, off":        {state: isOff + "; reimage=", config: "allow_stopping_for_update=-", private: private{From: imageless}, plans: "allow_stopping_for_update=- effective_hardware_profile=? last_imaged_with=?", does: "reimage", warns: `The boot disc of virtual machine "web1" will be erased: "vda"; Nobody can log in to the new image`, asks: "whether reimage.distribution is offered"},
	"an image of an imported one": {state: "reimage=", private: private{From: imported}, warns: "Settings of the machine are only recorded"},
	"another one of an imported":  {state: "reimage=bookworm - -", config: "reimage=trixie 1 -", private: private{From: imported}, warns: "Settings of the machine are only recorded"},

	"another zone":                   {config: "zone_name=leeds", plans: "zone_name=leeds", replaces: "zone_name", warns: lossOfAll + "; " + chosenAgain, asks: asksAll},
	"another zone, unmanaged disc":   {config: "zone_name=leeds", private: private{Discs: []unmanagedDisc{{ID: 9, Label: "theirs"}}}, plans: "zone_name=leeds", replaces: "zone_name", warns: `All discs of virtual machine "web1" will be lost: "vda", "data", "theirs"; ` + chosenAgain, asks: asksAll},
	"another zone, protected":        {state: "deletion_protection=true", config: "zone_name=leeds; deletion_protection=true", plans: "zone_name=leeds", replaces: "zone_name", refuses: noReplacement},
	"another zone, by default":       {protected: true, config: "zone_name=leeds", plans: "zone_name=leeds", replaces: "zone_name", refuses: noReplacement},
	"another zone, to be protected":  {config: "zone_name=leeds; deletion_protection=true", plans: "deletion_protection=true zone_name=leeds", replaces: "zone_name", refuses: noReplacement},
	"another zone, may be protected": {config: "zone_name=leeds; deletion_protection=?", plans: "deletion_protection=? zone_name=leeds", replaces: "zone_name", refuses: noReplacement},
	"another zone, its name stays":   {state: "purge_on_destroy=false", config: "zone_name=leeds", plans: "purge_on_destroy=- zone_name=leeds", replaces: "zone_name", refuses: noReplacement + " under the same name"},
	"another zone and name":          {state: "purge_on_destroy=false", config: "zone_name=leeds; name=web2", plans: "hostname=? name=web2 purge_on_destroy=- zone_name=leeds", replaces: "zone_name", warns: `All discs of virtual machine "web1" will be soft-deleted: "vda", "data"; ` + chosenAgain, asks: asksAll + ", who has web2 in 7"},
	"another zone, and a default":    {defaultGroup: "other", config: "zone_name=leeds", plans: "zone_name=leeds", replaces: "zone_name", refuses: noReplacement + " where it is"},
	"imported, another image":        {state: "reimage=bookworm 1 -", private: private{From: imported}, config: "reimage=bookworm 2 -", replaces: "reimage.revision", refuses: noReplacement + " where it is"},

	"an address":              {config: "ips=192.0.2.9", replaces: "ips.ipv4", warns: lossOfAll + "; " + chosenAgain, asks: asksAll},
	"an address of others":    {config: "ips=192.0.2.8", facts: inCloud, replaces: "ips.ipv4", warns: lossOfAll + "; " + chosenAgain, asks: asksAll},
	"its first address":       {config: "ips=192.0.2.1"},
	"another one that it has": {config: "ips=192.0.2.9", facts: inCloud},
	"no address any more":     {state: "ips=192.0.2.1"},
	"an unknown address":      {config: "ips=?", refuses: `Cannot plan the addresses of virtual machine "web1"`},
}

const (
	lossOfAll     = `All discs of virtual machine "web1" will be lost: "vda", "data"`
	chosenAgain   = "The service chooses parts of the new machine's specification; Nobody can log in to the new image"
	noImagePlan   = `Cannot plan the image of virtual machine "web1"`
	noReplacement = `Cannot replace virtual machine "web1"`
	asksAll       = "whether reimage.distribution, zone_name, hardware_profile, disc[0].storage_grade, disc[1].storage_grade is offered"
)

// TestUpdateDecisions tells what each change of a configuration means for a machine.
func TestUpdateDecisions(t *testing.T) {
	t.Parallel()
	for name, test := range updates {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := proposal{
				state: modelOf(usualState, test.state), config: modelOf(usualConfig, test.config), private: test.private, plannedGroup: test.planned,
				defaults:   tfkit.Defaults{Account: types.StringValue("demo"), Group: types.StringValue("default"), DeletionProtection: types.BoolValue(test.protected)},
				withAction: inWords,
			}
			if test.defaultGroup != "" {
				p.defaults.Group = types.StringValue(test.defaultGroup)
			}
			p.plan = p.config
			tfkit.KeepUnreported(&p.plan.common, p.state.common)
			p.plan.AccountID, p.plan.EffectiveHardwareProfile = p.state.AccountID, p.state.EffectiveHardwareProfile
			d := decideUpdate(p, test.facts)
			errors, warnings := d.refused.Errors(), append(d.refused.Warnings(), d.warned...)
			for _, of := range []struct{ what, got, want string }{
				{"plans", d.plan.differences(&d.state), test.plans},
				{"replaces", listPaths(d.replace), test.replaces},
				{"refuses", summaries(errors), test.refuses},
				{"warns", summaries(warnings), test.warns},
				{"asks", d.questions.String(), test.asks},
			} {
				if of.got != of.want {
					t.Errorf("%s\n%s\nwant\n%s", of.what, of.got, of.want)
				}
			}
			if does := d.change.String(); len(d.replace) == 0 && test.refuses != noImagePlan && does != test.does {
				t.Errorf("does\n%s\nwant\n%s", does, test.does)
			}
		})
	}
}

// creations has the plans of new machines. Terraform proposes what the configuration has.
var creations = map[string]struct {
	config  string
	planned *inventory.PlannedGroup
	refuses string
	warns   string
	asks    string
}{
	"a machine":                  {config: "disc=vda", warns: "Nobody can log in to the new image", asks: "whether reimage.distribution is offered, who has web1 in default"},
	"without an image":           {config: "disc=vda; reimage=", asks: "who has web1 in default"},
	"without a disc":             {config: "disc=; reimage=", refuses: "Missing disc"},
	"of an address":              {config: "disc=vda; reimage=; ips=192.0.2.9", asks: "who has web1 in default"},
	"of chosen values":           {config: "disc=vda/100/ssd; reimage=; zone_name=york; keymap=de; cores=2", asks: "whether zone_name, keymap, disc[0].storage_grade is offered, who has web1 in default"},
	"of unknown values":          {config: "disc=vda/100; reimage=; zone_name=?; name=?"},
	"of digits":                  {config: "disc=7; name=77; reimage=", refuses: "Invalid name of a virtual machine; Invalid name of a disc"},
	"boot disc below":            {config: "disc=data vda; reimage=", warns: "Another disc than the first has the label of a boot disc", asks: "who has web1 in default"},
	"boot disc of any case":      {config: "disc=data OS; reimage=", warns: "Another disc than the first has the label of a boot disc", asks: "who has web1 in default"},
	"two labels of boot discs":   {config: "disc=vda root; reimage=", asks: "who has web1 in default"},
	"in a group of this run":     {config: "disc=vda; reimage=", planned: &inventory.PlannedGroup{}},
	"in a group with an ID":      {config: "disc=vda; reimage=", planned: &inventory.PlannedGroup{ID: 8}, asks: "who has web1 in 8"},
	"off, with autoreboot":       {config: "disc=vda; reimage=; power_on=false; autoreboot_on=true", refuses: "Conflicting power settings"},
	"off, and left off":          {config: "disc=vda; reimage=; power_on=false", asks: "who has web1 in default"},
	"an unknown block, no state": {config: "disc=vda; reimage=?", asks: "who has web1 in default"},
}

// TestCreationDecisions tells what is refused of a new machine, what is warned of, and what the service is asked.
func TestCreationDecisions(t *testing.T) {
	t.Parallel()
	for name, test := range creations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := decideCreation(newMachine(test.config, test.planned), facts{})
			if got := summaries(d.refused.Errors()); got != test.refuses {
				t.Errorf("refuses\n%s\nwant\n%s", got, test.refuses)
			}
			if got := summaries(append(d.refused.Warnings(), d.warned...)); got != test.warns {
				t.Errorf("warns\n%s\nwant\n%s", got, test.warns)
			}
			if got := d.questions.String(); got != test.asks {
				t.Errorf("asks\n%s\nwant\n%s", got, test.asks)
			}
		})
	}
}

// newMachine returns the proposal of a new machine.
func newMachine(config string, planned *inventory.PlannedGroup) proposal {
	p := proposal{config: modelOf(usualConfig, config), plannedGroup: planned, withAction: inWords}
	p.plan = p.config
	p.plan.Account, p.plan.Group = types.StringValue("demo"), types.StringValue("default")
	planPowerCreate(&p.config, &p.plan)
	return p
}

// TestAnswers tells what the answers mean of the plan of a new machine with a zone.
func TestAnswers(t *testing.T) {
	t.Parallel()
	stranger, deleted := &cloudserver.VirtualMachine{ID: 5}, &cloudserver.VirtualMachine{ID: 5, Deleted: true}
	for name, test := range map[string]struct {
		answers answers
		refuses string
		warns   string
	}{
		"nothing in the way":          {answers: answers{location: locationFinding{}}},
		"plan checks turned off":      {},
		"the name is taken":           {answers: answers{location: locationFinding{existing: stranger, warns: true}}, warns: `The name "web1" is taken`},
		"by a machine of a state":     {answers: answers{location: locationFinding{existing: stranger}}},
		"by a soft-deleted one":       {answers: answers{location: locationFinding{existing: deleted, warns: true}}, warns: `A soft-deleted machine has the name "web1"`},
		"soft-deleted, and in states": {answers: answers{location: locationFinding{existing: deleted}}},
		"no such account":             {answers: answers{location: locationFinding{missing: &tfkit.AttributeError{At: path.Root("account"), Detail: "No."}}}, refuses: `Cannot find account "demo"`},
		"no such group":               {answers: answers{location: locationFinding{missing: &tfkit.AttributeError{At: path.Root("group"), Detail: "No."}}}, warns: "The group does not exist"},
		"no such zone":                {answers: answers{definitions: &cloudserver.Definitions{Names: map[string][]string{"zone_names": {"leeds"}}}}, refuses: `Invalid zone "york"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			told := decideCreation(newMachine("disc=vda; reimage=; zone_name=york", nil), facts{}).judge(test.answers)
			if refuses, warns := summaries(told.Errors()), summaries(told.Warnings()); refuses != test.refuses || warns != test.warns {
				t.Errorf("refuses\n%s\nwant\n%s\nwarns\n%s\nwant\n%s", refuses, test.refuses, warns, test.warns)
			}
		})
	}
}

// TestTakenAdvice: an import block makes no sense for a machine that is in the state, and a soft-deleted machine never
// gives its name up by itself.
func TestTakenAdvice(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		deleted, renames bool
		says             []string
		hides            string
	}{
		"a new machine":            {says: []string{`id = "5"`, "moved", "create_before_destroy", "run apply again"}},
		"a rename":                 {renames: true, says: []string{"Virtual machine 5", "choose another name"}, hides: "import"},
		"of a soft-deleted one":    {deleted: true, says: []string{"with vm_undelete", "with vm_purge", `id = "5"`}},
		"to that of a deleted one": {deleted: true, renames: true, says: []string{"with vm_purge"}, hides: "import"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			advice := withAction(inWords).takenAdvice(&cloudserver.VirtualMachine{ID: 5, Deleted: test.deleted}, "web1", test.renames)
			for _, phrase := range test.says {
				if !strings.Contains(advice, phrase) {
					t.Errorf("%q lacks %q", advice, phrase)
				}
			}
			if test.hides != "" && strings.Contains(advice, test.hides) {
				t.Errorf("%q has %q", advice, test.hides)
			}
		})
	}
}

// inWords stands for the words about an action.
func inWords(action string, _ ...string) string { return "with " + action }

// modelOf reads a machine of the table.
func modelOf(texts ...string) (m model) {
	m.Reimage, m.IPs, m.Ready = types.ObjectNull(reimageTypes()), types.ObjectNull(nil), types.ObjectNull(nil)
	for _, text := range texts {
		for assignment := range strings.SplitSeq(text, "; ") {
			name, value, _ := strings.Cut(assignment, "=")
			switch name {
			case "":
			case "disc":
				m.Disc = discList(parseDiscs(value))
			case "reimage":
				switch parts := strings.Fields(value); len(parts) {
				case 0:
					m.Reimage = types.ObjectNull(reimageTypes())
				case 1:
					m.Reimage = types.ObjectUnknown(reimageTypes())
				default:
					m.Reimage = objectOf(reimageTypes(), reimageModel{Distribution: textOf(parts[0]), Revision: textOf(parts[1]), OnChange: textOf(parts[2])})
				}
			case "ips":
				m.IPs = objectOf(attributesOf(ipsBlock().Type()), ipsModel{IPv4: textOf(value)})
			case "ready":
				port, _ := strconv.ParseInt(value, 10, 64)
				m.Ready = objectOf(attributesOf(readyBlock().Type()), readyModel{Port: types.Int64Value(port)})
			default:
				m.assign(name, value)
			}
		}
	}
	return m
}

func attributesOf(object attr.Type) map[string]attr.Type {
	return typesOf(func() attr.Type { return object })()
}

func textOf(value string) types.String {
	switch value {
	case "?":
		return types.StringUnknown()
	case "-":
		return types.StringNull()
	}
	return types.StringValue(value)
}

// assign sets a scalar attribute.
func (m *model) assign(name, value string) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[model]()) {
		if field.Tag.Get("tfsdk") != name {
			continue
		}
		at := reflect.ValueOf(m).Elem().FieldByIndex(field.Index)
		switch at.Interface().(type) {
		case types.String:
			at.Set(reflect.ValueOf(textOf(value)))
		case types.Bool:
			is := types.BoolValue(value == "true")
			switch value {
			case "?":
				is = types.BoolUnknown()
			case "-":
				is = types.BoolNull()
			}
			at.Set(reflect.ValueOf(is))
		case types.Int64:
			number, _ := strconv.ParseInt(value, 10, 64)
			is := types.Int64Value(number)
			if value == "?" {
				is = types.Int64Unknown()
			}
			at.Set(reflect.ValueOf(is))
		}
		return
	}
	panic("no attribute " + name)
}

// differences lists the scalar attributes that the plan changes.
func (m *model) differences(state *model) string {
	var changed []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[model]()) {
		if name, ok := field.Tag.Lookup("tfsdk"); ok {
			before, after := reflect.ValueOf(state).Elem().FieldByIndex(field.Index).Interface(), reflect.ValueOf(m).Elem().FieldByIndex(field.Index).Interface()
			switch value := after.(type) {
			case types.String, types.Bool, types.Int64:
				if !reflect.DeepEqual(before, after) {
					changed = append(changed, name+"="+strings.NewReplacer("<unknown>", "?", "<null>", "-", `"`, "").Replace(fmt.Sprint(value)))
				}
			}
		}
	}
	slices.Sort(changed)
	return strings.Join(changed, " ")
}

// String lists what an update does, in its order.
func (c change) String() string {
	var steps []string
	add := func(does bool, step string) {
		if does {
			steps = append(steps, step)
		}
	}
	add(c.moves, "move")
	add(c.renames, "rename")
	add(c.takesSlot(), "take a slot")
	add(c.restarts() || c.stops(), "stop")
	add(c.settings != (cloudserver.Settings{}), "configure")
	if discs := (discDecision{change: c.discs}).String(); discs != "" {
		steps = append(steps, strings.Split(strings.TrimPrefix(discs, "; "), "; ")...)
	}
	add(c.image.install, "reimage")
	add(c.restarts() || c.starts(), "start")
	add(c.autoreboot && c.power == nil, "set autoreboot_on")
	add(c.owesReady, "wait until ready")
	return strings.Join(steps, ", ")
}

// String lists what the service is asked.
func (q questions) String() string {
	var asked []string
	if len(q.choices) > 0 {
		asked = append(asked, "whether "+strings.Join(mapped(q.choices, func(c tfkit.Choice) string { return c.At.String() }), ", ")+" is offered")
	}
	if q.location != nil {
		group := q.location.group
		if q.location.groupID != 0 {
			group = cloudserver.IDText(q.location.groupID)
		}
		asked = append(asked, "who has "+q.location.name+" in "+group)
	}
	return strings.Join(asked, ", ")
}
