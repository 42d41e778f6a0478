package adopt

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// lost is a configuration whose state was lost. It is evaluated repeatedly, as far as possible: objects that were found
// in one pass make more values known in the next.
type lost struct {
	directories map[string]*configuration // by their path
	functions   *hcl.EvalContext
	index       *index

	resources []*resourceBlock              // of the last pass, in order
	notes     []string                      // what could not be evaluated
	instances map[string]map[string]element // of resources and module calls, by address
	outputs   map[string]cty.Value          // of modules, by address
}

// resourceBlock is a resource of a module, with its instances.
type resourceBlock struct {
	module         string // "module.web.", or ""
	typeName, name string
	elements       []element
	why            string // there are no elements: why they are unknown
}

func (r *resourceBlock) address() string { return r.module + r.typeName + "." + r.name }

// element is an instance of a resource.
type element struct {
	key       string // as it is written between brackets; "" for the only one
	self      map[string]cty.Value
	isNumber  bool
	found     *object     // nil: not yet
	why       string      // why it was not found
	isDeleted bool        // it is soft-deleted
	sought    machineName // of a machine, once its location and name are known
}

// scope is a module while it is evaluated.
type scope struct {
	*lost

	config   *configuration
	root     *scope               // the root module, which has the provider blocks
	module   string               // its address with a dot, or ""
	given    map[string]cty.Value // variables
	isGuest  bool                 // its provider is passed in by another module
	locals   map[string]cty.Value
	visiting map[string]bool // locals that are being evaluated
}

// pass evaluates the whole configuration once.
func (l *lost) pass(root string) error {
	l.resources, l.notes = nil, nil
	config, err := l.directory(root)
	if err != nil {
		return err
	}
	s := &scope{lost: l, config: config, given: config.given}
	s.root = s
	return l.visit(s)
}

// directory returns the configuration in a directory. Each is parsed once.
func (l *lost) directory(dir string) (*configuration, error) {
	if parsed := l.directories[dir]; parsed != nil {
		return parsed, nil
	}
	config, err := parse(dir)
	l.directories[dir] = config
	return config, err
}

// visit evaluates a module: its resources, its module calls, and their outputs.
func (l *lost) visit(s *scope) error {
	s.locals, s.visiting = map[string]cty.Value{}, map[string]bool{}
	for _, b := range s.config.resources {
		r := &resourceBlock{module: s.module, typeName: b.labels[0], name: b.labels[1]}
		l.resources = append(l.resources, r)
		r.elements, r.why = s.elements(b)
		for i := range r.elements {
			l.match(s, b, r, &r.elements[i])
		}
		l.remember(r.address(), r.elements)
	}
	for _, b := range s.config.modules {
		if err := s.call(b); err != nil {
			return err
		}
	}
	outputs := map[string]cty.Value{}
	for name, b := range s.config.outputs {
		outputs[name] = s.value(b.arguments["value"], nil)
	}
	l.outputs[s.module] = cty.ObjectVal(outputs)
	return nil
}

// remember keeps the instances of a block for the next pass.
func (l *lost) remember(address string, elements []element) {
	l.instances[address] = map[string]element{}
	for _, e := range elements {
		l.instances[address][e.key] = e
	}
}

// call evaluates the instances of a module block.
func (s *scope) call(b *block) error {
	name := "module." + b.labels[0]
	source := textOf(s.value(b.arguments["source"], nil))
	if !strings.HasPrefix(source, "./") && !strings.HasPrefix(source, "../") {
		s.notes = append(s.notes, fmt.Sprintf("%s%s (%s): its source is no directory of this configuration. Copy it there, or write the import blocks for its resources yourself.", s.module, name, b.at))
		return nil
	}
	elements, why := s.elements(b)
	if why != "" {
		s.notes = append(s.notes, fmt.Sprintf("%s%s: %s", s.module, name, why))
		return nil
	}
	config, err := s.directory(filepath.Join(s.config.dir, source))
	if err != nil {
		return err
	}
	s.remember(s.module+name, elements)
	for _, e := range elements {
		child := &scope{
			lost: s.lost, config: config, root: s.root, module: s.module + name + e.brackets() + ".",
			given: map[string]cty.Value{},
		}
		child.isGuest = s.isGuest || b.arguments["providers"] != nil
		for variable, argument := range b.arguments {
			child.given[variable] = s.value(argument, e.self)
		}
		if err := s.visit(child); err != nil {
			return err
		}
	}
	return nil
}

// brackets returns the key in the form that it has in an address.
func (e element) brackets() string {
	if e.key == "" {
		return ""
	}
	return "[" + e.key + "]"
}

// elements returns the instances of a block, or the reason why they are unknown.
func (s *scope) elements(b *block) (all []element, why string) {
	if expr := b.arguments["count"]; expr != nil {
		count := s.value(expr, nil)
		if !count.IsKnown() || count.IsNull() || count.Type() != cty.Number {
			return nil, "its count is not known from the configuration alone"
		}
		number, _ := count.AsBigFloat().Int64()
		for i := range number {
			index := cty.ObjectVal(map[string]cty.Value{"index": cty.NumberIntVal(i)})
			all = append(all, element{key: fmt.Sprint(i), self: map[string]cty.Value{"count": index}, isNumber: true})
		}
		return all, ""
	}
	expr := b.arguments["for_each"]
	if expr == nil {
		return []element{{}}, ""
	}
	over := s.value(expr, nil)
	if !over.IsKnown() || over.IsNull() || !over.CanIterateElements() {
		return nil, "its for_each is not known from the configuration alone"
	}
	for key, value := range over.Elements() {
		if over.Type().IsSetType() {
			key = value
		}
		if textOf(key) == "" {
			return nil, "its for_each has a key that is not known from the configuration alone"
		}
		each := cty.ObjectVal(map[string]cty.Value{"key": key, "value": value})
		all = append(all, element{key: string(text(key.AsString()).Bytes()), self: map[string]cty.Value{"each": each}})
	}
	return all, ""
}

// value evaluates an expression. If it depends on something unknown, the result is unknown.
func (s *scope) value(expr hcl.Expression, self map[string]cty.Value) cty.Value {
	if expr == nil {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	visible := s.functions.NewChild()
	visible.Variables = map[string]cty.Value{}
	locals := map[string]cty.Value{}
	for _, reference := range expr.Variables() {
		name := reference.RootName()
		if name == "local" && len(reference) > 1 {
			if step, ok := reference[1].(hcl.TraverseAttr); ok {
				locals[step.Name] = s.local(step.Name)
			}
			visible.Variables[name] = cty.ObjectVal(locals)
			continue
		}
		if own, ok := self[name]; ok {
			visible.Variables[name] = own
			continue
		}
		visible.Variables[name] = s.named(name)
	}
	value, diags := expr.Value(visible)
	if diags.HasErrors() {
		return cty.DynamicVal
	}
	unmarked, _ := value.Unmark()
	return unmarked
}

// local returns the value of a local.
func (s *scope) local(name string) cty.Value {
	if value, ok := s.locals[name]; ok {
		return value
	}
	if s.visiting[name] || s.config.locals[name] == nil {
		return cty.DynamicVal
	}
	s.visiting[name] = true
	s.locals[name] = s.value(s.config.locals[name], nil)
	return s.locals[name]
}

// named returns the value that the first name of a reference refers to.
func (s *scope) named(name string) cty.Value {
	switch name {
	case "var":
		values := map[string]cty.Value{}
		for variable := range s.config.variables {
			values[variable] = s.config.variable(variable, s.given[variable])
		}
		return cty.ObjectVal(values)
	case "path":
		return cty.ObjectVal(map[string]cty.Value{"module": cty.StringVal(s.config.dir)})
	case "terraform":
		return cty.ObjectVal(map[string]cty.Value{"workspace": cty.StringVal("default")})
	case "module":
		return s.calls()
	case groupType, machineType, scheduleType, nameType:
		return s.siblings(name)
	}
	return cty.DynamicVal
}

// calls returns the outputs of the module's calls, as of the previous pass.
func (s *scope) calls() cty.Value {
	values := map[string]cty.Value{}
	for _, b := range s.config.modules {
		address := s.module + "module." + b.labels[0]
		values[b.labels[0]] = s.collect(address, func(e element) cty.Value {
			if outputs, ok := s.outputs[address+e.brackets()+"."]; ok {
				return outputs
			}
			return cty.DynamicVal
		})
	}
	return cty.ObjectVal(values)
}

// siblings returns the module's resources of a type, as far as they were found in the previous pass.
func (s *scope) siblings(typeName string) cty.Value {
	values := map[string]cty.Value{}
	for _, b := range s.config.resources {
		if b.labels[0] != typeName {
			continue
		}
		r := resourceBlock{module: s.module, typeName: typeName, name: b.labels[1]}
		values[r.name] = s.collect(r.address(), func(e element) cty.Value {
			if e.found == nil {
				return cty.DynamicVal
			}
			return e.found.state
		})
	}
	return cty.ObjectVal(values)
}

// collect returns the values of instances in the form in which an expression sees them: a single value, a tuple or an
// object.
func (s *scope) collect(address string, value func(element) cty.Value) cty.Value {
	elements, ok := s.instances[address]
	if !ok {
		return cty.DynamicVal
	}
	keyed, listed := map[string]cty.Value{}, make([]cty.Value, len(elements))
	for _, e := range elements {
		switch {
		case e.key == "":
			return value(e)
		case e.isNumber:
			index, _ := e.self["count"].GetAttr("index").AsBigFloat().Int64()
			listed[index] = value(e)
		default:
			keyed[e.self["each"].GetAttr("key").AsString()] = value(e)
		}
	}
	if len(keyed) > 0 || len(elements) == 0 {
		return cty.ObjectVal(keyed)
	}
	return cty.TupleVal(listed)
}
