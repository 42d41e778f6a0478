// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestStories tells what users do and what they see. Each file of testdata/stories is one story. It runs from top to
// bottom against one service, in simulated time. These blocks change the configuration, as an editor does:
//
//	resource    adds a resource. A second block of the same resource changes only the attributes that it has
//	without     removes a resource from the configuration
//	provider    sets arguments of the provider. Another endpoint leads to another service, which is empty
//	import      imports a resource with the next plan or apply
//
// Blocks somebody, service, guest and user are events. The variable events has them all. In an apply, an event happens
// between the plan and the changes or, with after = "5s", so much later. These blocks are commands:
//
//	plan       refreshes and plans, as the CLI does
//	apply      does the same, and applies the plan if it has no error
//	invoke     invokes an action
//	untaint    keeps a resource that the next plan would replace
//
// These attributes are what the user expects of a command:
//
//	sees        the plan in the signs of the CLI, then each message with its severity, its attribute and its summary
//	leaves      what exists afterwards
//	mentions    texts that are in the messages
//	omits       texts that are not
//
// A line of sees and leaves that ends in … matches all lines that begin in the same way. With -update, both are
// rewritten where they do not match.
func TestStories(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/stories/*.hcl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".hcl")
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				newStory(t, file).tell()
				time.Sleep(time.Hour) // abandoned requests end
			})
			if t.Failed() {
				t.Logf("to repeat it: go test ./internal/e2e -run '^TestStories$/^%s$'", name)
			}
		})
	}
}

// story is a story while its steps run.
type story struct {
	*testing.T
	file      string
	source    []byte
	e         *acctest.Emulator            // that the provider's endpoint leads to
	services  map[string]*acctest.Emulator // by endpoint
	provider  map[string]any
	resources []*written // in the order in which they appear
	running   *acctest.Driver
	seen      []string
	messages  string // of the command, in full
}

func newStory(t *testing.T, file string) *story {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &story{T: t, file: file, source: source, services: map[string]*acctest.Emulator{}}
	s.configure(map[string]any{})
	return s
}

// configure sets the provider block, and starts the service at its endpoint if it is a new one.
func (s *story) configure(provider map[string]any) {
	s.provider = provider
	endpoint, ok := provider["endpoint"].(string)
	if !ok {
		endpoint = "http://127.0.0.1"
	}
	if s.services[endpoint] == nil {
		s.services[endpoint] = &acctest.Emulator{URL: endpoint, Emulator: emulator.New(emulator.Options{
			BootTime: 10 * time.Second, ShutdownTime: 5 * time.Second, CopyTime: 5 * time.Second,
			Guests: true, GuestBoot: 10 * time.Second, FirstID: int64(1000 * (len(s.services) + 1)),
		})}
	}
	s.e = s.services[endpoint]
}

// tell takes the steps of the story.
func (s *story) tell() {
	rewritten, diags := hclwrite.ParseConfig(s.source, s.file, hcl.InitialPos)
	if diags.HasErrors() {
		s.Fatal(diags)
	}
	for i, block := range acctest.ParseHCL(s, s.file, string(s.source)) {
		s.seen, s.messages = nil, ""
		s.e.ResetPower()
		if s.step(block) {
			s.judge(block, rewritten.Body().Blocks()[i].Body())
		}
	}
	if acctest.Updating() {
		if err := os.WriteFile(s.file, hclwrite.Format(rewritten.Bytes()), 0o600); err != nil {
			s.Fatal(err)
		}
	}
}

// step takes one step, and reports whether it was a command.
func (s *story) step(block *hclsyntax.Block) (command bool) {
	switch block.Type {
	case "provider":
		s.configure(acctest.HCLConfig(s, block.Body, nil))
	case "resource":
		r := s.resource(block)
		r.bodies = append(r.bodies, block.Body)
	case "without":
		s.resource(block).bodies = nil
	case "import":
		to, _ := hcl.AbsTraversalForExpr(block.Body.Attributes["to"].Expr)
		s.named(to.RootName(), to[1].(hcl.TraverseAttr).Name).importID = argument(block, "id")
	case "untaint":
		r := s.resource(block)
		if r.state == nil {
			s.Fatalf("%s: the object is not in the state", block.DefRange())
		}
		r.state = r.state.Untaint()
	case "somebody", "service", "guest", "user":
		s.event(block)()
		time.Sleep(time.Minute)
	case "invoke":
		s.invoke(block)
		return true
	case "plan":
		s.plan()
		return true
	case "apply":
		if s.plan() {
			s.apply(block)
		}
		time.Sleep(time.Minute) // machines boot
		return true
	default:
		s.Fatalf("%s:%d: %s is not a step of a story", s.file, block.TypeRange.Start.Line, block.Type)
	}
	return false
}

// event returns what an event does.
func (s *story) event(block *hclsyntax.Block) func() {
	s.Helper()
	name := block.Type + " " + block.Labels[0]
	do := events[name]
	if do == nil {
		s.Fatalf("%s:%d: there is no event %q", s.file, block.TypeRange.Start.Line, name)
	}
	with := arguments{}
	for name, value := range acctest.HCLConfig(s, block.Body, s.known(true)) {
		with[name] = fmt.Sprint(value)
	}
	return func() { do(s, with) }
}

func (s *story) invoke(block *hclsyntax.Block) {
	config := acctest.HCLConfig(s, block.Body, s.known(true))
	for _, name := range []string{"sees", "leaves", "mentions", "omits"} {
		delete(config, name)
	}
	_, diags := s.process().Invoke(s.Context(), block.Labels[0], config)
	if s.say(diags); len(diags) == 0 {
		s.seen = []string{"done"}
	}
	time.Sleep(time.Minute)
}

// judge compares what a command says with what happened.
func (s *story) judge(block *hclsyntax.Block, body *hclwrite.Body) {
	lists := map[string][]string{"sees": s.seen}
	if block.Type != "plan" {
		lists["leaves"] = s.world()
	}
	diff := ""
	for _, name := range []string{"sees", "leaves"} {
		want := listOf(block, name)
		switch got := lists[name]; {
		case slices.EqualFunc(want, got, matches):
		case acctest.Updating():
			if block.OpenBraceRange.Start.Line == block.CloseBraceRange.Start.Line && name == "sees" {
				body.AppendNewline()
			}
			body.SetAttributeRaw(name, tokens(got))
		default:
			diff += name + ":\n" + cmp.Diff(want, got)
		}
	}
	diff += s.misworded(block)
	if diff != "" {
		s.Errorf("%s:%d: the story (-) and what happened (+) differ in\n%s", s.file, block.TypeRange.Start.Line, diff)
	}
}

// misworded returns what the messages of a command do not mention, and what they should have omitted.
func (s *story) misworded(block *hclsyntax.Block) (diff string) {
	for _, name := range []string{"mentions", "omits"} {
		for _, words := range listOf(block, name) {
			if strings.Contains(s.messages, words) != (name == "mentions") {
				diff += fmt.Sprintf("%s: %q, and the messages are:\n%s", name, words, s.messages)
			}
		}
	}
	return diff
}

// matches reports whether a line of a story is what happened.
func matches(want, got string) bool {
	if beginning, ok := strings.CutSuffix(want, "…"); ok {
		return strings.HasPrefix(got, beginning)
	}
	return got == want
}

// argument returns an attribute of a step, or "" if it has none.
func argument(block *hclsyntax.Block, name string) string {
	if attribute := block.Body.Attributes[name]; attribute != nil {
		value, _ := attribute.Expr.Value(nil)
		return value.AsString()
	}
	return ""
}

func listOf(block *hclsyntax.Block, name string) (lines []string) {
	if attribute := block.Body.Attributes[name]; attribute != nil {
		value, _ := attribute.Expr.Value(nil)
		for _, line := range value.AsValueSlice() {
			lines = append(lines, line.AsString())
		}
	}
	return lines
}

// tokens returns a list in HCL, one element on each line.
func tokens(lines []string) hclwrite.Tokens {
	list := "x = [\n"
	for _, line := range lines {
		list += string(hclwrite.TokensForValue(cty.StringVal(line)).Bytes()) + ",\n"
	}
	parsed, _ := hclwrite.ParseConfig([]byte(list+"]\n"), "", hcl.InitialPos)
	return parsed.Body().GetAttribute("x").Expr().BuildTokens(nil)
}

// say adds messages to what is seen.
func (s *story) say(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		s.messages += d.Summary + "\n" + d.Detail + "\n"
		line := strings.ToLower(d.Severity.String())
		if at := acctest.Path(d.Attribute); at != "" {
			line += " at " + at
		}
		if line += ": " + d.Summary; !slices.Contains(s.seen, line) {
			s.seen = append(s.seen, line)
		}
	}
}
