package adopt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	framework "github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

// run is one run of the command.
type run struct {
	*Command

	factory  func() framework.Provider
	version  string
	terminal command.Streams
	progress *command.Progress
}

// read reads the estate.
func (r *run) read(ctx context.Context) (*service, *estate, error) {
	s, err := connect(ctx, r.factory)
	if err != nil {
		return nil, nil, err
	}
	defer r.progress.End()
	e, err := readEstate(ctx, s, r.selection, r.progress)
	return s, e, err
}

// adopt writes a configuration for what exists.
func (r *run) adopt(ctx context.Context) error {
	if err := r.directory.check(); err != nil {
		return err
	}
	s, e, err := r.read(ctx)
	if err != nil {
		return err
	}
	account, isWritten := e.defaultAccount(s.data.Account.ValueString())
	r.options.account = account
	w := &writer{service: s, options: r.options, taken: map[string]names{}}
	files := fileNames()
	for _, g := range e.groups {
		if out := w.group(ctx, g, len(e.accounts) > 1); !out.isEmpty() {
			if err := r.directory.write(files.takeFile(g.title(len(e.accounts) > 1)), out.bytes()); err != nil {
				return err
			}
		}
	}
	if len(w.resources) == 0 && len(e.unread) == 0 && len(e.deleted) > 0 {
		return errors.New("only soft-deleted machines match. Undelete first what you want to manage, with " + undelete + ":\n- " + strings.Join(e.deleted, "\n- "))
	}
	if len(w.resources) == 0 && len(e.unread) == 0 {
		return fmt.Errorf("nothing matches: the selected accounts have no such groups and machines (%s)", cloudserver.Shown(strings.Join(e.accounts, ", ")))
	}
	if !isWritten {
		account = ""
	}
	if err := r.writeProvider(account); err != nil {
		return err
	}
	out := newSource()
	writeImports(out, w.resources)
	if err := r.directory.write(importsFile, out.bytes("Apply imports these objects. The blocks can be removed afterwards.")); err != nil {
		return err
	}
	return r.report(e, w)
}

// defaultAccount returns the account that resources need not name: that of the environment, or the only one, which is
// then written into the provider block.
func (e *estate) defaultAccount(environment string) (account string, isWritten bool) {
	for _, account := range e.accounts {
		if account == environment {
			return account, false
		}
	}
	if len(e.accounts) == 1 {
		return e.accounts[0], true
	}
	return "", false
}

// writeProvider writes the files terraform.tf and provider.tf. The endpoint and the credentials stay in the
// environment.
func (r *run) writeProvider(account string) error {
	if err := r.directory.write("terraform.tf", requirement(r.version)); err != nil {
		return err
	}
	var body hclwrite.Tokens
	if account != "" {
		body = expression("\naccount = ", text(account), "\n")
	}
	block := expression("# The endpoint and the credentials come from CLOUDSERVER_* in the environment.\nprovider \"cloudserver\" {", body, "}\n")
	return r.directory.write("provider.tf", hclwrite.Format(block.Bytes()))
}

// requirement returns the terraform block, which requires this release or a later minor version.
func requirement(version string) []byte {
	series := "1.0"
	if parts := strings.Split(version, "."); len(parts) >= 3 && cloudserver.IsDigits(parts[0]) && cloudserver.IsDigits(parts[1]) {
		series = parts[0] + "." + parts[1]
	}
	out := newSource()
	body := out.block("terraform")
	body.AppendUnstructuredTokens(expression(
		"required_version = \">= 1.11\"\n\nrequired_providers {\ncloudserver = {\nsource = \"cloudserver/cloudserver\"\nversion = ", text("~> "+series), "\n}\n}\n",
	))
	return out.bytes()
}

// report reports what was written and what was not.
func (r *run) report(e *estate, w *writer) error {
	count := map[string]int{}
	for _, resource := range w.resources {
		count[resource.typeName] += len(resource.instances)
	}
	text := fmt.Sprintf("Wrote %s: %s, %s, %s and %s.\nNothing was sent that changes anything. Next, in that directory:\n\n%s"+
		"The plan imports them and adds, changes and destroys nothing%s.\n", r.directory,
		plural(count[groupType], "group"), plural(count[machineType], "machine"),
		plural(count[scheduleType], "backup schedule"), plural(count[nameType], "reverse name"),
		r.commands(string(r.directory), "terraform init && terraform apply"),
		map[bool]string{true: ", but records the protection, which is a setting of the provider"}[r.options.protection])
	if _, err := fmt.Fprint(r.terminal.Out, text); err != nil {
		return err
	}
	if len(e.deleted) > 0 {
		if err := (list{"Soft-deleted, so not written. To manage one, undelete it first, with " + undelete + ":", e.deleted}).print(r.terminal.Out); err != nil {
			return err
		}
	}
	return complain(r.terminal.Err,
		list{"Could not read:", e.unread},
		list{"Left out, because Terraform would refuse it:", w.refused},
	)
}

const importsFile = "imports.tf"

// undelete is the command that undeletes a machine.
const undelete = command.Program + " invoke vm_undelete virtual_machine_id=ID"

// list is a list in the report, with a title.
type list struct {
	title string
	items []string
}

func (l list) print(out io.Writer) error {
	text := "\n" + l.title + "\n"
	for _, item := range l.items {
		text += "- " + cloudserver.Shown(item) + "\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

// complain prints what is missing. It returns nil if nothing is.
func complain(out io.Writer, lists ...list) error {
	missing := false
	for _, l := range lists {
		if len(l.items) == 0 {
			continue
		}
		missing = true
		if err := l.print(out); err != nil {
			return err
		}
	}
	if missing {
		return command.Failed(1)
	}
	return nil
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
