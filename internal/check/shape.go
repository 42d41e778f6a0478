package check

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// field is one field of an object that the API describes.
type field struct {
	name     string
	kinds    []string // of JSON: string, number, boolean, null, array, object
	breaks   string   // what does not work without it; "": nothing
	optional bool     // the API allows it to be absent
}

// shape is an object that the API describes.
type shape struct {
	what   string // in the plural
	fields []field
}

// finding is how an object compares with its shape.
type finding struct {
	missing []string // fields that the provider needs and that are not there
	differs []string // fields of another kind, or absent without consequence
	unknown []string // fields that the API does not describe
	breaks  []string
}

// compare compares objects with the shape; any of them may show a difference.
func (s shape) compare(objects []map[string]any) finding {
	var f finding
	for _, object := range objects {
		for _, want := range s.fields {
			f.field(want, object)
		}
		for name := range object {
			if !slices.ContainsFunc(s.fields, func(w field) bool { return w.name == name }) {
				f.unknown = append(f.unknown, name)
			}
		}
	}
	for _, texts := range []*[]string{&f.missing, &f.differs, &f.unknown, &f.breaks} {
		sort.Strings(*texts)
		*texts = slices.Compact(*texts)
	}
	return f
}

func (f *finding) field(want field, object map[string]any) {
	value, there := object[want.name]
	switch {
	case there && slices.Contains(want.kinds, kindOf(value)):
	case !there && want.optional:
	case !there && want.breaks != "":
		f.missing = append(f.missing, want.name)
		f.breaks = append(f.breaks, want.breaks)
	case !there:
		f.differs = append(f.differs, want.name+" is absent")
	default:
		f.differs = append(f.differs, fmt.Sprintf("%s is %s, not %s", want.name, kindOf(value), list(want.kinds)))
		if want.breaks != "" {
			f.breaks = append(f.breaks, want.breaks)
		}
	}
}

// counted returns a number of things, whose name is given in the plural.
func counted(count int, what string) string {
	if count == 1 {
		what = strings.TrimSuffix(what, "s")
	}
	return fmt.Sprintf("%d %s", count, what)
}

// apply puts the finding into a line about count objects.
func (f finding) apply(l *Line, count int, what string) {
	l.Came = counted(count, what)
	switch {
	case len(f.missing) > 0:
		l.Result, l.Came = Missing, l.Came+", without "+list(f.missing)
	case len(f.differs) > 0:
		l.Result = Differs
	}
	if len(f.differs) > 0 {
		l.Came += "; " + list(f.differs)
	}
	l.Breaks = append(l.Breaks, f.breaks...)
	if len(f.unknown) > 0 {
		l.Notes = append(l.Notes, "fields that the provider does not know, and ignores: "+list(f.unknown))
	}
}

// kinds are the kinds of JSON values, by the Go type that they are decoded to.
var kinds = map[string]string{
	"<nil>": "null", "bool": "boolean", "float64": "number", "string": "string", "[]interface {}": "array", "map[string]interface {}": "object",
}

func kindOf(value any) string { return kinds[fmt.Sprintf("%T", value)] }

// objects returns the objects of an answer: an array of them, or a single one,
// which the service has been seen to return for a list of one.
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

// nested returns the objects below a field of objects.
func nested(parents []map[string]any, name string) (found []map[string]any) {
	for _, parent := range parents {
		below, _ := objects(parent[name])
		found = append(found, below...)
	}
	return found
}
