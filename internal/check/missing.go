package check

import (
	"fmt"
	"slices"
	"strings"
)

// shape lists the fields of an object without which something in the provider does not work. Other fields are ignored.
type shape struct {
	what   string // in the plural
	fields []field
}

// field is a field that the provider needs.
type field struct {
	name   string
	kinds  string // of JSON: string, number, boolean, null, array, object
	breaks string // what does not work without it
}

const (
	id           = "number, string" // specified for machines and discs alone
	cannotManage = "machines cannot be managed"
	noAddress    = "ipv4_address and ipv6_address are null"
	noOffers     = "no definitions are available, and plans are not checked"
	noGroups     = "machines cannot be moved, and imports by id do not find their group"
)

// The shapes of API.md §§3–8.
var (
	machineShape = shape{"virtual machines", []field{
		{"id", "number", cannotManage},
		{"name", "string", cannotManage},
		{"group_id", "number", "moves and renamed groups are not noticed"},
		{"power_on", "boolean", "no wait for a machine ends: creating, stopping and starting time out"},
		{"discs", "array", "discs are not refreshed, and drift of discs is not noticed"},
		{"network_interfaces", "array", noAddress},
	}}
	discShape = shape{"discs", []field{
		{"id", "number", "discs cannot be distinguished"},
		{"label", "string", "discs cannot be distinguished"},
		{"size", "number", "the size of discs is not refreshed"},
	}}
	interfaceShape = shape{"network interfaces", []field{{"ips", "array", noAddress}}}
	accountShape   = shape{"accounts", []field{{"id", id, "accounts cannot be distinguished"}, {"name", "string", "accounts cannot be found by name"}}}
	groupShape     = shape{"groups", []field{{"id", id, noGroups}, {"name", "string", "groups cannot be found by name"}}}
	addressShape   = shape{"reverse DNS names", []field{{"rdns", "string, null", "cloudserver_rdns does not work"}}}
	setShape       = shape{"sets", []field{{"id", "string", noOffers}, {"data", "array, object", noOffers}}}
)

// definitionSets are the sets that plans use, and what is lost without them.
var definitionSets = []struct{ id, breaks string }{
	{"distributions", "an unknown distribution is found at apply only"},
	{"storage_grades", "an unknown storage grade is found at apply only"},
	{"hardware_profiles", "an unknown hardware profile is found at apply only"},
	{"zone_names", "an unknown zone is found at apply only"},
	{"sendkeys", "keys of cloudserver_vm_signal are not checked"},
}

// compare adds to a line what the objects are and which fields of the shape they lack. A field is missing if any of the
// objects lacks it.
func (s shape) compare(objects []map[string]any, l *Line) {
	var missing, differs []string
	for _, want := range s.fields {
		for _, object := range objects {
			value, there := object[want.name]
			switch kind := kindOf(value); {
			case !there:
				missing = append(missing, want.name)
			case !strings.Contains(want.kinds, kind):
				differs = append(differs, fmt.Sprintf("%s is %s, not %s", want.name, kind, want.kinds))
			default:
				continue
			}
			l.Breaks = append(l.Breaks, want.breaks)
		}
	}
	text := counted(len(objects), s.what)
	if len(missing) > 0 {
		text += ", without " + list(missing)
		l.worsen(Missing)
	}
	if len(differs) > 0 {
		text += "; " + list(differs)
		l.worsen(Differs)
	}
	l.Got = strings.TrimPrefix(l.Got+"; "+text, "; ")
	l.Breaks = slices.Compact(l.Breaks)
}

// list joins names with commas, and drops those that repeat the one before.
func list(names []string) string { return strings.Join(slices.Compact(names), ", ") }

// counted returns a quantity such as "2 discs". what is in the plural.
func counted(count int, what string) string {
	if count == 1 {
		what = strings.TrimSuffix(what, "s")
	}
	return fmt.Sprintf("%d %s", count, what)
}

// kinds maps the Go type of a decoded value to its kind in JSON.
var kinds = map[string]string{
	"<nil>": "null", "bool": "boolean", "float64": "number", "string": "string", "[]interface {}": "array", "map[string]interface {}": "object",
}

func kindOf(value any) string { return kinds[fmt.Sprintf("%T", value)] }

// objects returns the objects of an answer: those of an array, or a single one, which the service has been seen to
// return instead of a list of one.
func objects(value any) (found []map[string]any, ok bool) {
	list, isList := value.([]any)
	if !isList && value != nil {
		list = []any{value}
	}
	for _, element := range list {
		object, ok := element.(map[string]any)
		if !ok {
			return nil, false
		}
		found = append(found, object)
	}
	return found, true
}

// nested returns the objects in one field of several objects.
func nested(parents []map[string]any, name string) (found []map[string]any) {
	for _, parent := range parents {
		below, _ := objects(parent[name])
		found = append(found, below...)
	}
	return found
}
