package vm

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// The machine of the table is on, and configured with its name, its discs and its image. A case says how the state, or
// the configuration, differs: as in "cores=2; disc=vda data", with "?" for an unknown value. An image is "distribution
// revision on_change". What the configuration leaves open stays, as Terraform proposes.
const (
	usualState = "id=1; account=demo; group=default; group_id=7; name=web1; cores=1; memory=1024; hardware_profile=virtio2013; hardware_profile_locked=false; " +
		"autoreboot_on=true; power_on=true; zone_name=york; last_imaged_with=bookworm; hostname=web1.default.demo.example; ipv4_address=192.0.2.1; " +
		"effective_hardware_profile=virtio2013; allow_stopping_for_update=true; shutdown_timeout=2m; on_shutdown_timeout=fail; " +
		"deletion_protection=false; purge_on_destroy=true; disc=1=vda 2=data; reimage=bookworm 1 replace"
	usualConfig = "name=web1; disc=vda data; reimage=bookworm 1 replace"
	isOff       = "power_on=false; autoreboot_on=false"
)

var updates = map[string]struct {
	state, config string
	private       private
	facts         facts
	defaultGroup  string // of the provider; "" is the machine's

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
	"more cores of one that must not stop": {
		config: "cores=2; allow_stopping_for_update=false", plans: "allow_stopping_for_update=false cores=2 effective_hardware_profile=?",
		does: "take a slot, stop, configure, start", refuses: `Cannot change cores of virtual machine "web1" without a restart`,
	},
	"fewer cores":                {state: "cores=2", config: "cores=1", plans: "cores=1", does: "configure", warns: "The guest sees the change after the next power cycle"},
	"unknown cores":              {config: "cores=?", plans: "cores=? effective_hardware_profile=?"},
	"another keymap":             {config: "keymap=de", plans: "keymap=de", does: "configure", asks: "whether keymap is offered"},
	"memory in gigabytes":        {config: "memory=4", plans: "memory=4", does: "configure", warns: "Value may be in gigabytes; The guest sees the change after the next power cycle"},
	"an older profile":           {state: "hardware_profile=virtio2020; effective_hardware_profile=virtio2020", config: "hardware_profile=virtio2013", plans: "hardware_profile=virtio2013", warns: "The hardware profile is only recorded", asks: "whether hardware_profile is offered"},
	"a profile that it has":      {state: "hardware_profile=virtio2013; effective_hardware_profile=virtio2020", config: "hardware_profile=virtio2020", plans: "hardware_profile=virtio2020", asks: "whether hardware_profile is offered"},
	"protection":                 {config: "deletion_protection=true", plans: "deletion_protection=true"},
	"a disc less":                {config: "disc=vda", does: "purge data", warns: "Discs will be purged: \"data\""},
	"a disc less, protected":     {state: "deletion_protection=true", config: "disc=vda; deletion_protection=true", does: "purge data", refuses: `Cannot purge disc "data" of virtual machine "web1"`},
	"a disc more, of a grade":    {config: "disc=vda data logs/200/ssd", does: "add logs", warns: "The guest sees the change after the next power cycle", asks: "whether disc[2].storage_grade is offered"},
	"cores and a disc that goes": {config: "cores=2; disc=vda", plans: "cores=2 effective_hardware_profile=?", does: "take a slot, stop, configure, purge data, start", warns: `Discs will be purged: "data"; The update restarts the machine: cores`},

	"off":               {config: "power_on=false", plans: "autoreboot_on=false effective_hardware_profile=? power_on=false", does: "stop"},
	"on":                {state: isOff, config: "power_on=true", plans: "autoreboot_on=true effective_hardware_profile=? power_on=true", does: "start"},
	"off, but restarts": {config: "power_on=false; autoreboot_on=true", plans: "effective_hardware_profile=? power_on=false", does: "stop", refuses: "Conflicting power settings"},
	"off with cores":    {config: "power_on=false; cores=2", plans: "autoreboot_on=false cores=2 effective_hardware_profile=? power_on=false", does: "stop, configure"},
	"no restarts":       {config: "autoreboot_on=false", plans: "autoreboot_on=false", does: "set autoreboot_on"},
	"power is owed":     {state: isOff, private: private{debts: debts{Owed: &owedPower{PowerOn: true, AutorebootOn: true}}}, plans: "autoreboot_on=true effective_hardware_profile=? power_on=true", does: "take a slot, start", warns: "The power of the machine is restored"},
	"readiness is owed": {state: "ready=22", config: "ready=22", private: private{debts: debts{Unready: true}}, plans: "effective_hardware_profile=?", does: "take a slot, wait until ready", warns: "The machine did not become ready in time"},

	"another name":                {config: "name=web2", plans: "hostname=? name=web2", does: "rename", asks: "who has web2 in default"},
	"a name of digits":            {config: "name=77", plans: "hostname=? name=77", does: "rename", refuses: "Invalid name of a virtual machine"},
	"another group":               {config: "group=other", plans: "group=other group_id=? hostname=? ipv4_address=? ipv6_address=? management_address=?", does: "move", warns: "The update moves the machine", asks: "who has web1 in other"},
	"the group has the name now":  {config: "group=other", facts: facts{location: locationFacts{follows: true}}, plans: "group=other hostname=?"},
	"this run renames the group":  {config: "group=other", facts: facts{location: locationFacts{renamed: true}}, plans: "group=other hostname=?"},
	"another group by its ID":     {config: "group_id=8", facts: facts{location: locationFacts{account: types.StringValue("demo")}}, plans: "group=? group_id=8 hostname=? ipv4_address=? ipv6_address=? management_address=?", does: "move", warns: "The update moves the machine", asks: "who has web1 in group 8"},
	"in another account, a group": {state: "account=theirs", config: "group=other", plans: "group=other group_id=? hostname=? ipv4_address=? ipv6_address=? management_address=?", does: "move", refuses: `Missing account of virtual machine "web1"`},

	"another image":                  {config: "reimage=trixie 1 replace", replaces: "reimage.distribution", warns: lossOfAll + "; " + chosenAgain, asks: "whether reimage.distribution, zone_name, hardware_profile, disc[0].storage_grade, disc[1].storage_grade is offered"},
	"another image in place":         {config: "reimage=trixie 1 reimage", plans: "effective_hardware_profile=? last_imaged_with=?", does: "take a slot, stop, reimage, start", warns: `The boot disc will be erased: "vda"; Nobody can log in to the new image`, asks: "whether reimage.distribution is offered"},
	"another revision in place":      {config: "reimage=bookworm 2 reimage", plans: "effective_hardware_profile=? last_imaged_with=?", does: "take a slot, stop, reimage, start", warns: `The boot disc will be erased: "vda"; Nobody can log in to the new image`},
	"another image, how is unknown":  {config: "reimage=trixie 1 ?", plans: "effective_hardware_profile=? last_imaged_with=?", refuses: `Cannot plan the image of virtual machine "web1"`},
	"an image in place, protected":   {state: "deletion_protection=true", config: "reimage=trixie 1 reimage; deletion_protection=true", plans: "effective_hardware_profile=? last_imaged_with=?", does: "take a slot, stop, reimage, start", refuses: `Cannot reimage virtual machine "web1"`},
	"the first image":                {state: "reimage=", private: private{From: imageless}, config: "reimage=bookworm 1 replace", plans: "effective_hardware_profile=? last_imaged_with=?", does: "take a slot, stop, reimage, start", warns: `The boot disc will be erased: "vda"; Nobody can log in to the new image`, asks: "whether reimage.distribution is offered"},
	"an image of an imported one":    {state: "reimage=", private: private{From: imported}, warns: "Settings of the machine are only recorded"},
	"another zone":                   {config: "zone_name=leeds", plans: "zone_name=leeds", replaces: "zone_name", warns: lossOfAll + "; " + chosenAgain, asks: "whether reimage.distribution, zone_name, hardware_profile, disc[0].storage_grade, disc[1].storage_grade is offered"},
	"another zone, protected":        {state: "deletion_protection=true", config: "zone_name=leeds; deletion_protection=true", plans: "zone_name=leeds", replaces: "zone_name", refuses: `Cannot replace virtual machine "web1"`},
	"another zone, to be protected":  {config: "zone_name=leeds; deletion_protection=true", plans: "deletion_protection=true zone_name=leeds", replaces: "zone_name", refuses: `Cannot replace virtual machine "web1"`},
	"another zone, may be protected": {config: "zone_name=leeds; deletion_protection=?", plans: "deletion_protection=? zone_name=leeds", replaces: "zone_name", refuses: `Cannot replace virtual machine "web1"`},
	"another zone, its name stays":   {state: "purge_on_destroy=false", config: "zone_name=leeds", plans: "zone_name=leeds", replaces: "zone_name", refuses: `Cannot replace virtual machine "web1" under the same name`},
	"another zone, and a default":    {defaultGroup: "other", config: "zone_name=leeds", plans: "zone_name=leeds", replaces: "zone_name", refuses: `Cannot replace virtual machine "web1" where it is`},
	"an address":                     {config: "ips=192.0.2.9", replaces: "ips.ipv4", warns: lossOfAll + "; " + chosenAgain, asks: "whether reimage.distribution, zone_name, hardware_profile, disc[0].storage_grade, disc[1].storage_grade is offered, who has 192.0.2.9"},
	"an address that it has":         {config: "ips=192.0.2.1", facts: facts{ips: ipsFacts{held: map[string]bool{"ipv4": true}}}},
	"an unknown address":             {config: "ips=?", replaces: "ips.ipv4", warns: lossOfAll + "; " + chosenAgain, asks: "whether reimage.distribution, zone_name, hardware_profile, disc[0].storage_grade, disc[1].storage_grade is offered"},
}

const (
	lossOfAll   = `All discs will be lost: "vda", "data"`
	chosenAgain = "The service chooses parts of the new machine's specification; Nobody can log in to the new image"
)

// TestUpdateDecisions tells what each change of a configuration means for a machine.
func TestUpdateDecisions(t *testing.T) {
	t.Parallel()
	for name, test := range updates {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := proposal{
				state: modelOf(usualState, test.state), config: modelOf(usualConfig, test.config), private: test.private,
				account: types.StringValue("demo"), group: types.StringValue("default"), withAction: inWords,
			}
			if test.defaultGroup != "" {
				p.group = types.StringValue(test.defaultGroup)
			}
			p.plan = p.config
			tfkit.KeepUnreported(&p.plan.common, p.state.common)
			tfkit.KeepUnreported(&p.plan.treatment, p.state.treatment)
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
			if does := d.change.String(); len(d.replace) == 0 && does != test.does {
				t.Errorf("does\n%s\nwant\n%s", does, test.does)
			}
			if does := newChange(&d.state, &d.plan, d.private, d.change.discs); does.String() != d.change.String() {
				t.Errorf("the apply does\n%s\nand the plan shows\n%s", does, d.change)
			}
		})
	}
}

// creations has the plans of new machines. Terraform proposes what the configuration has.
var creations = map[string]struct {
	config  string
	private private // of the machine that is replaced
	facts   facts
	refuses string
	warns   string
	asks    string
}{
	"a machine":         {config: "disc=vda", warns: "Nobody can log in to the new image", asks: "whether reimage.distribution is offered, who has web1 in default"},
	"without an image":  {config: "disc=vda; reimage=", asks: "who has web1 in default"},
	"without a disc":    {config: "disc=; reimage=", warns: "The new machine has no disc", asks: "who has web1 in default"},
	"of an address":     {config: "disc=vda; reimage=; ips=192.0.2.9", asks: "who has web1 in default, who has 192.0.2.9"},
	"of chosen values":  {config: "disc=vda/100/ssd; reimage=; zone_name=york; keymap=de; cores=2", asks: "whether zone_name, keymap, disc[0].storage_grade is offered, who has web1 in default"},
	"of unknown values": {config: "disc=vda/100; reimage=; zone_name=?; name=?"},
	"of digits":         {config: "disc=7; name=77; reimage=", refuses: "Invalid name of a virtual machine; Invalid name of a disc"},
	"boot disc below":   {config: "disc=data vda; reimage=", warns: "Another disc becomes the boot disc of the new machine than its label says", asks: "who has web1 in default"},
	"replaces one that keeps its name": {
		config: "disc=vda; reimage=", private: private{marks: marks{Kept: []fleet.Name{{Account: "demo", Group: "default", Name: "web1"}}}},
		refuses: `Cannot replace virtual machine "web1" under the same name`,
	},
}

// TestCreationDecisions tells what is refused of a new machine, what is warned of, and what the service is asked.
func TestCreationDecisions(t *testing.T) {
	t.Parallel()
	for name, test := range creations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := proposal{config: modelOf(usualConfig, test.config), private: test.private, withAction: inWords}
			p.plan = p.config
			p.plan.Account, p.plan.Group = types.StringValue("demo"), types.StringValue("default")
			planPowerCreate(&p.config, &p.plan)
			d := decideCreation(p, test.facts)
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

// TestAnswers tells what the answers mean of the plan of a new machine with a zone and an address.
func TestAnswers(t *testing.T) {
	t.Parallel()
	atGroup, atAccount := path.Root("group"), path.Root("account")
	for name, test := range map[string]struct {
		name    string // of the machine
		group   string
		answers answers
		refuses string
		warns   string
	}{
		"nothing in the way":       {answers: answers{asked: true, addresses: make([]addressAnswer, 1)}},
		"plan checks turned off":   {},
		"an unusual name":          {name: "Web", answers: answers{asked: true}, warns: "The service may refuse the name"},
		"the name is taken":        {answers: answers{name: nameAnswer{holder: &cloudserver.VirtualMachine{ID: 5}}}, warns: "The name of the machine is taken"},
		"by a soft-deleted one":    {answers: answers{name: nameAnswer{holder: &cloudserver.VirtualMachine{ID: 5, Deleted: true}}}, warns: "A soft-deleted machine holds the name"},
		"no such account":          {answers: answers{name: nameAnswer{missing: missingAnswer{at: atAccount, why: "No."}}}, refuses: `The account "demo" does not exist or is not visible`},
		"no such group":            {answers: answers{name: nameAnswer{missing: missingAnswer{at: atGroup, why: "No."}}}, warns: "The group does not exist yet"},
		"no such group, of digits": {group: "12", answers: answers{name: nameAnswer{missing: missingAnswer{at: atGroup, why: "No."}}}, refuses: `Account "demo" has no group "12"`},
		"a group that this creates": {
			answers: answers{name: nameAnswer{missing: missingAnswer{at: atGroup}}},
		},
		"the address is in use": {answers: answers{addresses: []addressAnswer{{inUse: true}}}, warns: "The address is in use"},
		"no such zone":          {answers: answers{definitions: &cloudserver.Definitions{ZoneNames: []string{"leeds"}}}, refuses: `The service does not offer the zone "york"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := proposal{config: modelOf(usualConfig, "disc=vda; reimage=; zone_name=york; ips=192.0.2.9"), withAction: inWords}
			p.plan = p.config
			p.plan.Account, p.plan.Group = types.StringValue("demo"), types.StringValue("default")
			if test.name != "" {
				p.plan.Name = types.StringValue(test.name)
			}
			if test.group != "" {
				p.plan.Group = types.StringValue(test.group)
			}
			told := decideCreation(p, facts{}).judge(test.answers)
			if refuses, warns := summaries(told.Errors()), summaries(told.Warnings()); refuses != test.refuses || warns != test.warns {
				t.Errorf("refuses\n%s\nwant\n%s\nwarns\n%s\nwant\n%s", refuses, test.refuses, warns, test.warns)
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
				m.Disc = discList(discsOf(value))
			case "reimage":
				m.Reimage = types.ObjectNull(reimageTypes())
				if parts := strings.Fields(value); len(parts) > 0 {
					m.Reimage = reimageModel{Distribution: textOf(parts[0]), Revision: textOf(parts[1]), OnChange: textOf(parts[2])}.object()
				}
			case "ips":
				m.IPs = tfkit.Object(tfkit.AttributeTypes(ipsBlock().Type()), ipsModel{IPv4: textOf(value)})
			case "ready":
				port, _ := strconv.ParseInt(value, 10, 64)
				m.Ready = tfkit.Object(tfkit.AttributeTypes(readyBlock().Type()), readyModel{Port: types.Int64Value(port)})
			default:
				m.assign(name, value)
			}
		}
	}
	return m
}

func textOf(value string) types.String {
	if value == "?" {
		return types.StringUnknown()
	}
	return types.StringValue(value)
}

// assign sets a scalar attribute.
func (m *model) assign(name, value string) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[model]()) {
		if field.Tag.Get("tfsdk") != name {
			continue
		}
		at, unknown := reflect.ValueOf(m).Elem().FieldByIndex(field.Index), value == "?"
		switch at.Interface().(type) {
		case types.String:
			at.Set(reflect.ValueOf(textOf(value)))
		case types.Bool:
			is := types.BoolValue(value == "true")
			if unknown {
				is = types.BoolUnknown()
			}
			at.Set(reflect.ValueOf(is))
		case types.Int64:
			number, _ := strconv.ParseInt(value, 10, 64)
			is := types.Int64Value(number)
			if unknown {
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
					changed = append(changed, name+"="+strings.ReplaceAll(strings.Trim(fmt.Sprint(value), `"`), "<unknown>", "?"))
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
	if q.name != nil {
		asked = append(asked, "who has "+q.name.name.Name+" in "+cmp.Or(q.name.plan.Group.ValueString(), "group "+q.name.plan.GroupID.ValueString()))
	}
	for _, address := range q.addresses {
		asked = append(asked, "who has "+address.address.String())
	}
	return strings.Join(asked, ", ")
}
