package vm

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// defaultReadyTimeout is how long a machine that is on may take to become ready.
const defaultReadyTimeout = 5 * time.Minute

// readyModel is the block ready: when the machine counts as up.
type readyModel struct {
	Port          types.Int64  `tfsdk:"port"`
	Timeout       types.String `tfsdk:"timeout"`
	Host          types.String `tfsdk:"host"`
	HTTPPath      types.String `tfsdk:"http_path"`
	HTTPStatus    types.String `tfsdk:"http_status"`
	HTTPHost      types.String `tfsdk:"http_host"`
	HTTPS         types.Bool   `tfsdk:"https"`
	CACertificate types.String `tfsdk:"ca_certificate"`
	SSHHostKey    types.String `tfsdk:"ssh_host_key"`
}

// readyText returns a validator for texts that parse accepts.
func readyText[T any](accepts, summary string, parse func(string) (T, error)) tfkit.Text {
	return tfkit.Text{Accepts: accepts, Summary: summary, Problem: func(at path.Path, text string) string {
		if _, err := parse(text); err != nil {
			return fmt.Sprintf("%s %s.", at, err)
		}
		return ""
	}}
}

// host refuses a URL, and an address with brackets or a port.
var host = tfkit.TextOf("a hostname or an IP address, without scheme, brackets and port", "Invalid host", func(text string) string {
	if _, err := netip.ParseAddr(text); err == nil || text != "" && !strings.ContainsAny(text, "/:[] \t\r\n") {
		return ""
	}
	return fmt.Sprintf("%q must be a hostname or an IP address, without scheme, brackets and port.", text)
})

// readyBlock has no defaults, because they would be in the state of every machine.
func readyBlock() schema.SingleNestedBlock {
	return schema.SingleNestedBlock{
		MarkdownDescription: "When a machine that was switched on counts as up, as seen from where Terraform runs: when it accepts a TCP connection, " +
			"answers over HTTP (`http_path`), or shows a host key (`ssh_host_key`).",
		Attributes: map[string]schema.Attribute{
			"port": schema.Int64Attribute{
				CustomType:          tfkit.Int64Type{},
				MarkdownDescription: "TCP port. Required in this block.",
				Optional:            true,
				Validators:          []validator.Int64{tfkit.Number{Least: 1, Most: 65535, Means: "a TCP port"}},
			},
			"timeout": schema.StringAttribute{
				MarkdownDescription: "How long to wait after the machine is on, in addition to `timeouts`. Default: `5m`.",
				Optional:            true,
				Validators:          []validator.String{tfkit.PositiveDuration},
			},
			"host": schema.StringAttribute{
				MarkdownDescription: "Name or address to connect to. Default: `ipv4_address`, or else `ipv6_address`.",
				Optional:            true,
				Validators:          []validator.String{host},
			},
			"http_path": schema.StringAttribute{
				MarkdownDescription: "Path to `GET`, such as `/health`. It is in the state, and is no place for a secret.",
				Optional:            true,
				Validators:          []validator.String{readyText("a path that begins with a slash", "Invalid path", ready.ParseTarget)},
			},
			"http_status": schema.StringAttribute{
				MarkdownDescription: "Statuses that count, and ranges of them, such as `200,301-302`. Default: `200-299`.",
				Optional:            true,
				Validators:          []validator.String{readyText("statuses of HTTP, and ranges of them", "Invalid HTTP status", ready.ParseStatuses)},
			},
			"http_host": schema.StringAttribute{
				MarkdownDescription: "Header `Host`. Default: the address and port that are connected to.",
				Optional:            true,
				Validators:          []validator.String{readyText("a hostname, and perhaps a port", "Invalid host", parseHostHeader)},
			},
			"https": schema.BoolAttribute{
				MarkdownDescription: "Whether to use TLS. The certificate must be for `host`, or for the address where `host` is not set. Default: `false`.",
				Optional:            true,
			},
			"ca_certificate": schema.StringAttribute{
				MarkdownDescription: "Certificate authorities, in addition to the system's: PEM text, or the path of a PEM file.",
				Optional:            true,
				Validators:          []validator.String{readyText("PEM text, or the path of a PEM file", "Invalid ca_certificate", parseRoots)},
			},
			"ssh_host_key": schema.StringAttribute{
				MarkdownDescription: "Public host key, such as `ssh-ed25519 AAAA…`, asked for at most once in five seconds, without a login.",
				Optional:            true,
				Validators:          []validator.String{readyText("a public key of an SSH server", "Invalid SSH host key", ready.ParseHostKey)},
			},
		},
	}
}

// parseHostHeader refuses characters that a header must not contain.
func parseHostHeader(text string) (string, error) {
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`/\@?#"<>,;`, r) }) {
		return "", errors.New("must be a hostname, and perhaps a port, such as www.example.com")
	}
	return text, nil
}

// parseRoots reads the certificates of a PEM text or file.
func parseRoots(value string) (*x509.CertPool, error) {
	text, err := cloudserver.ReadPEM(value)
	if err != nil {
		return nil, fmt.Errorf("is neither PEM text nor the path of a PEM file that can be read: %w", err)
	}
	roots, err := cloudserver.ParseCertificates(text)
	if problem, ok := errors.AsType[*cloudserver.ConfigError](err); ok {
		return nil, errors.New(problem.Problem)
	}
	if err == nil && roots == nil {
		err = errors.New("must not be empty")
	}
	return roots, err
}

const portOfHTTPS = 443

// validate refuses a block without a port, and attributes that have no effect or contradict each other.
func (b readyModel) validate(diags *diag.Diagnostics) {
	at := path.Root("ready")
	if b.Port.IsNull() {
		diags.AddAttributeError(at.AtName("port"), "Missing port",
			"The block ready needs a port, and ready.port is absent or null. Set it, or remove the block.")
	}
	if b.Port.ValueInt64() == portOfHTTPS && tfkit.Given(b.HTTPPath) && b.HTTPS.IsNull() {
		diags.AddAttributeWarning(at.AtName("https"), "Plain HTTP on the port of HTTPS",
			"ready.port is 443, and ready.https is not set: the request is plain HTTP, which a port for HTTPS refuses. "+
				"Set ready.https = true, or false if the port speaks plain HTTP.")
	}
	for _, of := range []struct {
		name  string
		value attr.Value
		isSet bool
	}{
		{"http_path", b.HTTPPath, tfkit.Given(b.HTTPPath)},
		{"http_status", b.HTTPStatus, tfkit.Given(b.HTTPStatus)},
		{"http_host", b.HTTPHost, tfkit.Given(b.HTTPHost)},
		{"https", b.HTTPS, b.HTTPS.ValueBool()},
		{"ca_certificate", b.CACertificate, tfkit.Given(b.CACertificate)},
	} {
		switch {
		case !of.isSet:
		case tfkit.Given(b.SSHHostKey):
			diags.AddAttributeError(at.AtName(of.name), "Conflicting checks of readiness",
				fmt.Sprintf("ready.ssh_host_key asks over SSH, and ready.%s is for HTTP. Remove one of the two.", of.name))
		case b.HTTPPath.IsNull() && !b.SSHHostKey.IsUnknown():
			diags.AddAttributeError(at.AtName(of.name), "Missing http_path",
				fmt.Sprintf("ready.%s has an effect only on a request over HTTP. Set ready.http_path, such as \"/\", or remove ready.%[1]s.", of.name))
		case of.name == "ca_certificate" && !b.HTTPS.IsUnknown() && !b.HTTPS.ValueBool():
			diags.AddAttributeError(at.AtName(of.name), "Unused ca_certificate",
				"ready.ca_certificate has an effect only over TLS. Set ready.https = true, or remove it.")
		}
	}
}

// probe returns the probe for the machine. The values were validated.
func (b readyModel) probe(dial ready.Dial, host string) (probe ready.Probe, err error) {
	address := net.JoinHostPort(host, strconv.FormatInt(b.Port.ValueInt64(), 10))
	switch {
	case tfkit.Given(b.SSHHostKey):
		p := ready.SSH{Dial: dial, Address: address}
		p.Key, err = ready.ParseHostKey(b.SSHHostKey.ValueString())
		return p, err
	case tfkit.Given(b.HTTPPath):
		p := ready.HTTP{
			Dial: dial, Address: address, TLS: b.HTTPS.ValueBool(), Host: b.HTTPHost.ValueString(),
			Accepts: ready.Success,
		}
		p.Target, err = ready.ParseTarget(b.HTTPPath.ValueString())
		if err == nil && tfkit.Given(b.HTTPStatus) {
			p.Accepts, err = ready.ParseStatuses(b.HTTPStatus.ValueString())
		}
		if err == nil && tfkit.Given(b.CACertificate) {
			p.Roots, err = parseRoots(b.CACertificate.ValueString())
		}
		return p, err
	}
	return ready.TCP{Dial: dial, Address: address}, nil
}

// awaitReady waits until the machine is ready, if the configuration defines that. The wait is not part of the timeouts
// of creates and updates. Its error is a [*ready.Error].
func (r *vmResource) awaitReady(ctx context.Context, m *model) error {
	block, ok := blockOf[readyModel](m.Ready)
	if !ok {
		return nil
	}
	host := block.Host.ValueString()
	if host == "" {
		host = cmp.Or(m.IPv4Address.ValueString(), m.IPv6Address.ValueString())
		if host == "" {
			return &ready.Error{NoAddress: true, Err: errors.New("the service reports no address of the machine, and ready.host is not set")}
		}
		if err := ready.CheckAddress(host, r.Data.ServiceIsHere); err != nil {
			return &ready.Error{NoAddress: true, Err: err}
		}
	}
	probe, err := block.probe(ready.Dial(r.Data.Dial), host)
	if err != nil { // a file has changed since it was validated
		return &ready.Error{Err: fmt.Errorf("the block ready cannot be used: %w", err)}
	}
	progress.Report(ctx, "waiting for "+probe.String())
	on, end := r.whileOn(ctx, m)
	defer end()
	if err = ready.Wait(on, probe, tfkit.Timeout(m.Ready, "timeout", defaultReadyTimeout)); errors.Is(context.Cause(on), operation.ErrSwitchedOff) {
		return &ready.Error{Err: operation.ErrSwitchedOff}
	}
	return err
}

// lookEvery is how often a machine is looked at while it is not ready. Most machines are ready before the first look.
const lookEvery = 30 * time.Second

// whileOn returns a context that ends if two looks in turn show that somebody has switched the machine off, and its
// autoreboot_on. Without autoreboot_on, a machine that goes off may have done so by itself.
func (r *vmResource) whileOn(ctx context.Context, m *model) (on context.Context, end func()) {
	on, cancel := context.WithCancelCause(ctx)
	if !m.AutorebootOn.ValueBool() {
		return on, func() { cancel(nil) }
	}
	var looking sync.WaitGroup
	looking.Go(func() {
		off := 0
		for cloudserver.Pause(on, lookEvery) == nil {
			vm, err := r.Data.Fleet.Look(on, m.address(r.Data.Fleet.Directory))
			if off++; err != nil || !vm.IsOff() || vm.AutorebootOn == nil || *vm.AutorebootOn {
				off = 0
			}
			if off == operation.LooksOff {
				cancel(operation.ErrSwitchedOff)
			}
		}
	})
	return on, func() {
		cancel(nil)
		looking.Wait()
	}
}

// addNotReady reports that the update is done, but the machine does not answer.
func (u *update) addNotReady(err error, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("ready"), "Updated "+u.plan.title()+", but it is not ready", tfkit.Detail(err,
		"What was planned is done, and the state has it. "+
			"Until the machine is ready, every plan shows an update of it, which waits again and, "+
			"if it changes nothing else, sends nothing. "+u.plan.readyAdvice(err)+u.resource.aloneFirst()))
}

// readyAdvice explains what to check.
func (m *model) readyAdvice(err error) string {
	if none, ok := errors.AsType[*ready.Error](err); ok && none.NoAddress {
		return "Set ready.host, or remove the block ready."
	}
	if errors.Is(err, operation.ErrSwitchedOff) {
		return "Find out who switched it off, and start it when it may run."
	}
	look := "Look at why it does not answer: its console, its firewall, and whether this port of it can be reached from here."
	switch block, _ := blockOf[readyModel](m.Ready); {
	case tfkit.Given(block.SSHHostKey):
		look = "A machine shows another key as long as its first boot script has not installed this one, " +
			"and so does another machine at its address. Look at its console, and at what its first boot script says."
	case tfkit.Given(block.HTTPPath):
		look = "Look at why it does not answer so: its console, the logs of what serves there, its firewall, and whether this port of it can be reached from here."
	}
	return look + " To wait longer, raise ready.timeout; to do without, remove the block ready."
}

// awaitReadyAgain waits for a machine that was off during the update, or that did not become ready in an earlier apply.
func (u *update) awaitReadyAgain(ctx context.Context) error {
	if !u.machine.On || !u.cycled() && !u.change.owesReady {
		return nil
	}
	return u.resource.awaitReady(ctx, &u.plan)
}

// cycled reports whether this update may have switched the machine off and on.
func (u *update) cycled() bool { return u.machine.Touched && u.machine.WentOff }

// warnNotReady explains an update that changes nothing, of a machine that did not become ready.
func (d *decision) warnNotReady(diags *diag.Diagnostics) {
	if d.change.owesReady {
		diags.AddAttributeWarning(path.Root("ready"), "The machine did not become ready in time",
			"An earlier apply ended before "+d.state.title()+" was ready. This update waits for it again before it ends; if it changes nothing else, it sends nothing. "+
				"To do without, remove the block ready.")
	}
}
