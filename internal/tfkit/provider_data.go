// Package tfkit is the glue between Terraform's plugin framework and the rest of the provider. It serves every resource
// and is specific to none: it passes on the configured provider, turns the client's errors into diagnostics at the
// attribute to blame, and has value types that the framework lacks.
package tfkit

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// ProviderData is what the configured provider passes to every resource, data source, list resource and action.
type ProviderData struct {
	// Client calls the service. It is nil while Unknown is not empty.
	Client *cloudserver.Client
	// ServiceIsHere reports whether the service runs on this computer, as an emulator does. Its machines may then be
	// here as well.
	ServiceIsHere bool
	// Session returns a client with other credentials, or with another endpoint for sessions. An empty argument means
	// that of Client.
	Session func(username, password, authEndpoint string) (*cloudserver.Client, error)
	// Fleet reads machines, and waits for them, in few requests. Its directory maps names of accounts and groups to
	// IDs.
	Fleet *fleet.Fleet
	// Notes are what the plans and reads of a run note for each other.
	Notes run.Notes
	// Running tracks the operations of this process.
	Running run.Operations
	// Dial connects to machines.
	Dial Dial
	// Rollout limits how many machines may be down at the same time.
	Rollout *run.Rollout
	// Defaults are for objects that do not set these values themselves.
	Defaults
	// Catalogue returns the service's definitions, which are requested once in a process. They need no credentials, so
	// it is nil only while another argument is unknown.
	Catalogue func(context.Context) (*cloudserver.Definitions, error)
	// NoActions reports that the CLI is known not to support actions.
	NoActions bool
	// PlanChecks reports whether plans are checked against the service.
	PlanChecks bool
	// Unknown lists the provider arguments that are not known yet and without which no request can be made.
	Unknown []string

	// Turns makes operations on the same object run one after the other.
	Turns run.Turns
	// Memory is what Terraform has of each object.
	Memory run.Memory
}

// Defaults are what the provider's configuration says for objects that do not say it themselves. A value is null if there
// is none, and unknown if Terraform does not know it yet.
type Defaults struct {
	Account, Group     types.String
	DeletionProtection types.Bool // of machines

	// UnknownVariables is a sentence, after a space, about variables of the environment that look like the provider's
	// and are not, or "".
	UnknownVariables string
}

// Dial connects to an address, as [net.Dialer.DialContext] does.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Configured returns the provider's data from the argument of a Configure method. Before the provider is configured,
// Terraform passes nil: then the data says that nothing is known.
func Configured(providerData any, diags *diag.Diagnostics) *ProviderData {
	if configured, ok := providerData.(*ProviderData); ok {
		return configured
	}
	if providerData != nil {
		diags.AddError("Unexpected provider data",
			fmt.Sprintf("The provider passed %T to a component that expects *tfkit.ProviderData. Please report this to the provider's developers.", providerData))
	}
	return &ProviderData{Defaults: Defaults{Account: types.StringUnknown(), Group: types.StringUnknown(), DeletionProtection: types.BoolUnknown()}}
}

// All is for what uses most of the provider's data.
func All(d *ProviderData) *ProviderData { return d }

// Common is what all nouns may use of the provider: whether requests can be made, and what reads and plans have in
// common.
type Common interface {
	// RequireReady reports an error if no request can be made.
	RequireReady(what string, diags *diag.Diagnostics) bool
	// BeginRead writes the identity, and notes that the resource reads the object. It reports whether requests can be
	// made.
	BeginRead(ctx context.Context, identity Identity, object run.Object, resp *resource.ReadResponse) bool
	// PlanCheck returns the context for requests that only check a plan, or false if no check is possible.
	PlanCheck(ctx context.Context) (context.Context, context.CancelFunc, bool)
	// AddPlanCheckError reports that a plan check failed.
	AddPlanCheckError(err error, diags *diag.Diagnostics)
	// CheckChoices validates values against the service's definitions, as a plan check.
	CheckChoices(ctx context.Context, choices []Choice, diags *diag.Diagnostics)
	// AddWayOut adds to an error of a plan how a destroy does without it.
	AddWayOut(o run.Object, diags *diag.Diagnostics)
	// WithAction describes how users do what an action does.
	WithAction(action string, arguments ...string) string
}

// Issuer returns the client that opens sessions: the provider's, or one with other credentials or another endpoint for
// sessions, where these are not empty.
func (d *ProviderData) Issuer(username, password, authEndpoint string) (*cloudserver.Client, error) {
	if username == "" && authEndpoint == "" {
		return d.Client, nil
	}
	return d.Session(username, password, authEndpoint)
}

// DefaultProtection returns the deletion_protection of machines that do not set it. It may be unknown.
func (d *ProviderData) DefaultProtection() types.Bool {
	if d.DeletionProtection.IsNull() {
		return types.BoolValue(false)
	}
	return d.DeletionProtection
}

// Ready reports whether requests can be made. They cannot while Terraform does not know the provider's own arguments,
// which is not an error during a plan.
func (d *ProviderData) Ready() bool {
	return d != nil && d.Client != nil
}

// RequireReady is Ready for an operation that needs the service: it reports an error if no request can be made.
func (d *ProviderData) RequireReady(what string, diags *diag.Diagnostics) bool {
	if d.Ready() {
		return true
	}
	diags.AddError("Cannot "+what,
		fmt.Sprintf("The provider's configuration is not known yet (%s), because it depends on something that is not applied yet. "+
			"Apply that first, with -target if necessary, or give the provider values that are known at plan.", strings.Join(d.Unknown, ", ")))
	return false
}

// BeginRead writes the identity, which every read must do, and notes that the resource reads the object. It reports
// whether requests can be made.
func (d *ProviderData) BeginRead(ctx context.Context, identity Identity, object run.Object, resp *resource.ReadResponse) bool {
	identity.Save(ctx, resp.Identity, &resp.Diagnostics)
	if !d.Ready() {
		return false
	}
	d.Notes.Read(object)
	return !resp.Diagnostics.HasError()
}

// forgetAfter is how long after its end a machine is remembered: what this run has read before may still show it.
const forgetAfter = 2 * time.Minute

// Forget drops what is known about a machine that no longer exists, after a while. A process may live long, as under a
// debugger.
func (d *ProviderData) Forget(machine int64) {
	time.AfterFunc(forgetAfter, func() {
		d.Fleet.Forget(machine)
		object := run.ObjectWithID(run.VirtualMachine, machine)
		d.Memory.Forget(object)
		d.Notes.Forget(object)
	})
}

// WithAction describes how users do what an action does, such as "vm_power", with these arguments: each a name and a
// value, as in "state=stop". Where the CLI has no actions, that is the command invoke.
func (d *ProviderData) WithAction(action string, arguments ...string) string {
	if d.NoActions {
		text := "with terraform-provider-cloudserver invoke " + action
		for _, argument := range arguments {
			text += " " + shellWord(argument)
		}
		return text
	}
	text := "with the action cloudserver_" + action
	if len(arguments) == 0 {
		return text
	}
	written := make([]string, len(arguments))
	for i, argument := range arguments {
		name, value, _ := strings.Cut(argument, "=")
		written[i] = name + " = " + strconv.Quote(value)
	}
	return fmt.Sprintf("%s (%s)", text, strings.Join(written, ", "))
}

// shellWord quotes an argument that a shell would not take as one word. Names come from the service.
func shellWord(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=._-") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
