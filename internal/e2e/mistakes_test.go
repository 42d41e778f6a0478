package e2e_test

import (
	"fmt"
	"io"
	"log"
	"maps"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	framework "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

const catalogue = "mistakes.md"

// mistake is one entry of the catalogue.
type mistake struct {
	title   string
	options emulator.Options
	socket  bool // the network is part of the mistake
	https   bool // with socket: the service has a certificate of an authority of its own
	env     map[string]string
	// had is what was applied before, and world changes the service after that.
	had   string
	world func(e *acctest.Emulator, id int64)
	// config is what the user writes, and do what the user does with it; "" means a plan.
	config string
	do     string
}

// chapter is a part of the catalogue.
type chapter struct {
	title    string
	mistakes []mistake
}

// TestMistakes makes every mistake, and compares the provider's messages with the catalogue.
func TestMistakes(t *testing.T) {
	var text strings.Builder
	text.WriteString("# Mistakes\n\nWhat the provider says about typical mistakes, word for word. The tests of this package make each of them;\n" +
		"`go test ./internal/e2e -update` writes this file.\n")
	made := 0
	for _, chapter := range []chapter{
		{"The provider block", providerBlock()},
		{"Reaching the service", reaching()},
		{"A machine, alone", validated()},
		{"A machine, against the service", planned()},
		{"Names", names()},
		{"Changing a machine", changed()},
		{"Creating a machine", applied()},
		{"Import", imports()},
		{"Looking things up, functions and actions", others()},
		{"Rarer mistakes", rarer()},
		{"Numbers", numbers()},
		{"What is probably not meant", meant()},
		{"A second round", newer()},
		{"A third round", third()},
		{"A fourth round", fourth()},
	} {
		fmt.Fprintf(&text, "\n## %s\n", chapter.title)
		for _, m := range chapter.mistakes {
			t.Run(m.title, func(t *testing.T) {
				said := m.said(t)
				if said == "" {
					t.Error("the provider says nothing")
				}
				for message := range strings.SplitSeq(said, "\n**") {
					if lines := printedLines(message); lines > mostLines {
						t.Errorf("a message has %d lines, more than %d:\n%s", lines, mostLines, message)
					}
				}
				for _, words := range []string{"provider developer", "inconsistent", "Must set a configuration value", "Invalid Attribute"} {
					if strings.Contains(said, words) {
						t.Errorf("%q is not for users:\n%s", words, said)
					}
				}
				fmt.Fprintf(&text, "\n### %s\n%s\n%s", m.title, m.written(), said)
				made++
			})
		}
	}
	if *update {
		if err := os.WriteFile(catalogue, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(catalogue)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); made >= 40 && diff != "" {
		t.Errorf("%s differs: run the test with -update, and read the difference.\n%s", catalogue, diff)
	}
	if made < 40 && !t.Failed() {
		t.Skip("only a part of the catalogue was tested")
	}
}

// written shows what the user has written and done.
func (m mistake) written() string {
	var text strings.Builder
	show := func(title, written string) {
		fmt.Fprintf(&text, "\n%s\n\n```terraform\n%s\n```\n", title, hclwrite.Format([]byte(strings.TrimSpace(written))))
	}
	for _, name := range slices.Sorted(maps.Keys(m.env)) {
		value := m.env[name]
		fmt.Fprintf(&text, "\nIn the environment: `%s=%s`\n", name, value)
	}
	if m.had != "" {
		show("Applied before:", m.had)
	}
	switch {
	case m.config == "":
	case m.do == "":
		show("Configured:", m.config)
	default:
		show("Configured, and "+m.do+":", m.config)
	}
	if m.config == "" && m.do != "" {
		fmt.Fprintf(&text, "\nDone: %s\n", m.do)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// said makes the mistake and returns the provider's messages. If no socket is needed, it runs in simulated time.
func (m mistake) said(t *testing.T) (text string) {
	for name, value := range m.env {
		t.Setenv(name, value)
	}
	if m.socket {
		e := acctest.StartEmulator(t, m.options)
		if m.https {
			server := httptest.NewUnstartedServer(e)
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.StartTLS()
			t.Cleanup(server.Close)
			e.URL = server.URL
		}
		return m.make(t, e, provider.New("test"))
	}
	synctest.Test(t, func(t *testing.T) {
		e := &acctest.Emulator{Emulator: acctest.NewEmulator(t, m.options), URL: "http://127.0.0.1:8787"} // never dialled
		text = m.make(t, e, provider.NewWithTransport("test", e.Transport()))
	})
	return text
}

func (m mistake) make(t *testing.T, e *acctest.Emulator, newProvider func() framework.Provider) string {
	var diags diagnostics
	settings, configured := m.settings(t, e)
	d := acctest.OpenProcess(t, newProvider())
	if diags = d.Configure(t.Context(), settings); acctest.HasErrors(diags) || configured && len(m.rest(t)) == 0 {
		return say(diags)
	}
	if !m.socket {
		d.DialGuests(e)
	}
	var prior *acctest.Object
	var id int64
	for _, block := range acctest.ParseHCL(t, "had", m.had) {
		prior = d.MustApply(t.Context(), block.Labels[0], nil, acctest.HCLConfig(t, block.Body, nil))
		_, _ = fmt.Sscan(fmt.Sprint(prior.Get("id")), &id)
	}
	if m.world != nil {
		m.world(e, id)
	}
	d.OneRun()
	if prior != nil {
		read, found := d.Refresh(t.Context(), prior)
		prior, diags = read, append(diags, found...)
	}
	diags = append(diags, m.perform(t, d, prior)...)
	return say(diags)
}

// settings returns the provider block: the emulator's, overridden by what the mistake configures.
func (m mistake) settings(t *testing.T, e *acctest.Emulator) (settings map[string]any, configured bool) {
	more := map[string]any{"max_retries": 0}
	for _, block := range acctest.ParseHCL(t, "config", m.config) {
		if block.Type != "provider" {
			continue
		}
		configured = true
		known := &hcl.EvalContext{Variables: map[string]cty.Value{"emulator": cty.StringVal(emulatorAddress(e))}}
		for name, value := range acctest.HCLConfig(t, block.Body, known) {
			more[name] = value
		}
	}
	if _, set := more["endpoint"]; len(m.env) > 0 && !set {
		more["endpoint"] = nil
	}
	return e.ProviderConfig(more), configured
}

// emulatorAddress returns the host and port of an emulator.
func emulatorAddress(e *acctest.Emulator) string {
	_, address, _ := strings.Cut(e.URL, "://")
	return address
}

// rest returns the blocks other than the provider's.
func (m mistake) rest(t *testing.T) hclsyntax.Blocks {
	var blocks hclsyntax.Blocks
	for _, block := range acctest.ParseHCL(t, "config", m.config) {
		if block.Type != "provider" {
			blocks = append(blocks, block)
		}
	}
	return blocks
}

func (m mistake) perform(t *testing.T, d *acctest.Driver, prior *acctest.Object) (diags diagnostics) {
	ctx := t.Context()
	if strings.HasPrefix(m.do, "destroyed") {
		plan := d.Plan(ctx, prior.TypeName, prior, nil)
		if acctest.HasErrors(plan.Diagnostics) || m.do == "destroyed" {
			return plan.Diagnostics
		}
		_, diags = d.Apply(ctx, prior.TypeName, plan)
		return diags
	}
	for _, block := range m.rest(t) {
		switch block.Type {
		case "resource":
			config := acctest.HCLConfig(t, block.Body, nil)
			// Terraform validates in a separate process, which is not configured.
			diags = append(diags, acctest.OpenDriver(t, acctest.NewServer(t, provider.New("test")())).Validate(block.Labels[0], config)...)
			if acctest.HasErrors(diags) {
				return diags
			}
			var plan *acctest.PlanResult
			if m.do == "replaced with -replace" {
				plan = d.PlanReplace(ctx, prior, config)
			} else {
				plan = d.Plan(ctx, block.Labels[0], prior, config)
			}
			diags = append(diags, plan.Diagnostics...)
			if m.do == "applied" && !acctest.HasErrors(diags) {
				_, more := d.OneRun().Apply(ctx, block.Labels[0], plan) // in another process
				diags = append(diags, more...)
			}
		case "data":
			_, more := d.ReadData(ctx, block.Labels[0], acctest.HCLConfig(t, block.Body, nil))
			diags = append(diags, more...)
		case "list":
			config, _ := acctest.HCLConfig(t, block.Body, nil)["config"].(map[string]any)
			for _, more := range d.List(ctx, block.Labels[0], config, acctest.ListOptions{}) {
				diags = append(diags, more...)
			}
		case "action":
			config, _ := acctest.HCLConfig(t, block.Body, nil)["config"].(map[string]any)
			planned := d.PlanAction(ctx, block.Labels[0], config)
			if diags = append(diags, planned...); acctest.HasErrors(planned) {
				return diags
			}
			_, more := d.Invoke(ctx, block.Labels[0], config)
			diags = append(diags, more...)
		case "import":
			id, _ := block.Body.Attributes["id"].Expr.Value(nil)
			to, _ := hcl.AbsTraversalForExpr(block.Body.Attributes["to"].Expr)
			return append(diags, m.importAs(t, d.OneRun(), to.RootName(), id.AsString())...)
		case "output":
			diags = append(diags, call(t, d, block)...)
		}
	}
	return diags
}

// importAs imports an object, reads it, and plans the configuration that goes with the import block.
func (m mistake) importAs(t *testing.T, d *acctest.Driver, typeName, id string) diagnostics {
	o, diags := d.Import(t.Context(), typeName, id)
	if acctest.HasErrors(diags) || o == nil {
		return diags
	}
	for _, block := range m.rest(t) {
		if block.Type == "resource" {
			diags = append(diags, d.Plan(t.Context(), typeName, o, acctest.HCLConfig(t, block.Body, nil)).Diagnostics...)
		}
	}
	return diags
}

// call calls the function of an output's value, such as megabytes("4 gigs").
func call(t *testing.T, d *acctest.Driver, block *hclsyntax.Block) diagnostics {
	value, ok := block.Body.Attributes["value"].Expr.(*hclsyntax.FunctionCallExpr)
	if !ok {
		t.Fatal("the output calls no function")
	}
	var arguments []any
	for _, argument := range value.Args {
		text, _ := argument.Value(nil)
		arguments = append(arguments, text.AsString())
	}
	_, err := d.Call(t.Context(), strings.TrimPrefix(value.Name, "provider::cloudserver::"), arguments...)
	if err == nil {
		return nil
	}
	return diagnostics{{Severity: tfprotov6.DiagnosticSeverityError, Summary: "Error in function call", Detail: err.Text}}
}

const (
	mostLines     = 12 // of one message
	terminalWidth = 78 // characters, as the CLI assumes where there is no terminal
)

// printedLines returns how many lines a terminal needs for the detail of a message of the catalogue.
func printedLines(message string) (lines int) {
	for line := range strings.Lines(message) {
		detail, ok := strings.CutPrefix(strings.TrimSpace(line), ">")
		if !ok {
			continue
		}
		lines++
		width := 0
		for word := range strings.FieldsSeq(detail) {
			if width > 0 && width+1+len(word) > terminalWidth {
				lines, width = lines+1, 0
			}
			width += len(word) + 1
		}
	}
	return lines
}

var port = regexp.MustCompile(`127\.0\.0\.1:\d{4,}`) // of the emulator

// say returns diagnostics as text for people.
func say(diags diagnostics) string {
	var text strings.Builder
	said := map[string]bool{} // validate, plan and apply each warn, and a CLI shows one of them
	for _, diag := range diags {
		if key := acctest.DiagText(diagnostics{diag}); said[key] {
			continue
		} else {
			said[key] = true
		}
		severity := "Error"
		if diag.Severity == tfprotov6.DiagnosticSeverityWarning {
			severity = "Warning"
		}
		at := ""
		if path := acctest.Path(diag.Attribute); path != "" {
			at = " (at `" + path + "`)"
		}
		fmt.Fprintf(&text, "\n**%s: %s**%s\n", severity, diag.Summary, at)
		for line := range strings.SplitSeq(strings.TrimSpace(diag.Detail), "\n") {
			text.WriteString(strings.TrimRight("> "+line, " ") + "\n")
		}
	}
	return port.ReplaceAllString(text.String(), "127.0.0.1:8787")
}
