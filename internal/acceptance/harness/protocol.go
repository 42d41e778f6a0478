// SPDX-License-Identifier: MPL-2.0

package harness

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/querycheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/invoke"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// reference is a value of the state in an argument of an action, such as ${cloudserver_vm.web.id}.
var reference = regexp.MustCompile(`\$\{(\w+\.\w+)\.([\w.]+)\}`)

// Invoke runs an action as the command invoke does, with every CLI. Arguments may refer to values of the state.
func (a *Test) Invoke(action string, arguments ...string) {
	a.t.Helper()
	var output strings.Builder
	if err := a.invoke(action, arguments, &output); err != nil {
		a.fails.Fatalf("invoke %s: %v\n%s", action, err, output.String())
	}
}

func (a *Test) invoke(action string, arguments []string, output *strings.Builder) error {
	server, err := a.server(provider.WithInvokeAdvice())
	if err != nil {
		return err
	}
	actions, err := invoke.Actions(context.Background(), server)
	if err != nil {
		return err
	}
	place := slices.IndexFunc(actions, func(one *invoke.Action) bool { return one.Name == action })
	if place < 0 {
		return fmt.Errorf("there is no action %s", action)
	}
	for i, argument := range arguments {
		arguments[i] = reference.ReplaceAllStringFunc(argument, func(text string) string {
			found := reference.FindStringSubmatch(text)
			return a.Value(found[1], strings.Split(found[2], ".")...)
		})
	}
	return actions[place].Run(context.Background(), arguments, invoke.Options{Yes: true}, cmd.Streams{Out: output, Err: output})
}

// HasActions reports whether the CLI has actions and queries. What it lacks is proved over the provider's protocol.
func (a *Test) HasActions() bool { return own.hasActions() }

// Caller returns how an action refers to the machine web, which triggers it.
func (a *Test) Caller() string {
	if own.minor >= 16 {
		return "caller"
	}
	return "cloudserver_vm.web" // which is a cycle from 1.16 on
}

// driver returns a process of the provider that is configured by the environment.
func (a *Test) driver() (*acctest.Driver, error) {
	server, err := a.server()
	if err != nil {
		return nil, err
	}
	return acctest.NewDriver(a.t, server, nil), nil
}

// ImportByIdentity is a step that imports a resource by its identity, of which the state has the attributes.
func (a *Test) ImportByIdentity(address string, attributes ...string) resource.TestStep {
	if own.hasIdentity() {
		return resource.TestStep{
			ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithResourceIdentity,
		}
	}
	return a.overProtocol(func(d *acctest.Driver, state *terraform.State) error {
		has, typeName := state.RootModule().Resources[address].Primary.Attributes, strings.Split(address, ".")[0]
		identity := map[string]any{}
		for _, attribute := range attributes {
			identity[attribute] = has[attribute]
		}
		imported, diags := d.ImportByIdentity(context.Background(), typeName, identity)
		if acctest.HasErrors(diags) {
			return fmt.Errorf("%s", acctest.DiagText(diags))
		}
		if got := fmt.Sprint(imported.Get(attributes[0])); got != has[attributes[0]] {
			return fmt.Errorf("%s is imported as %s, not %s", address, got, has[attributes[0]])
		}
		return nil
	})
}

// List is a list block, and the display name of a result that it must have; "": any.
type List struct {
	Type   string // such as cloudserver_vm
	Config string // the arguments in its block config, each NAME = "VALUE" on a line
	Finds  string
}

// Query is a step that lists.
func (a *Test) Query(lists ...List) resource.TestStep {
	if own.hasActions() {
		step := resource.TestStep{Query: true}
		for _, list := range lists {
			step.Config += fmt.Sprintf("list %q \"all\" {\n  provider = cloudserver\n  config {\n%s\n  }\n}\n", list.Type, list.Config)
			step.QueryResultChecks = append(step.QueryResultChecks, finds(list), querycheck.ExpectLengthAtLeast(list.Type+".all", 1))
		}
		return step
	}
	return a.overProtocol(func(d *acctest.Driver, _ *terraform.State) error {
		for _, list := range lists {
			found := d.MustList(context.Background(), list.Type, arguments(list.Config), acctest.ListOptions{})
			if !slices.ContainsFunc(found, func(one acctest.Listed) bool { return finds(list).matches(one.DisplayName) }) {
				return fmt.Errorf("%s does not list %q: %+v", list.Type, list.Finds, found)
			}
		}
		return nil
	})
}

// finds is a check of a query: one of the results has the display name.
type finds List

// CheckQuery implements querycheck.QueryResultCheck.
func (f finds) CheckQuery(_ context.Context, req querycheck.CheckQueryRequest, resp *querycheck.CheckQueryResponse) {
	for _, found := range req.Query {
		if strings.HasSuffix(found.Address, f.Type+".all") && f.matches(found.DisplayName) {
			return
		}
	}
	resp.Error = fmt.Errorf("%s does not list %q", f.Type, f.Finds)
}

func (f finds) matches(name string) bool { return f.Finds == "" || name == f.Finds }

var argument = regexp.MustCompile(`(\w+)\s*=\s*"([^"]*)"`)

func arguments(config string) map[string]any {
	values := map[string]any{}
	for _, found := range argument.FindAllStringSubmatch(config, -1) {
		values[found[1]] = found[2]
	}
	return values
}

// overProtocol is a step that refreshes the state, and looks at it beside another process of the provider.
func (a *Test) overProtocol(look func(*acctest.Driver, *terraform.State) error) resource.TestStep {
	return resource.TestStep{RefreshState: true, Check: func(state *terraform.State) error {
		d, err := a.driver()
		if err != nil {
			return err
		}
		return look(d, state)
	}}
}
