// SPDX-License-Identifier: MPL-2.0

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
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
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
}

// parsed returns a validator for texts that parse accepts.
func parsed[T any](accepts, summary string, parse func(string) (T, error)) tfkit.Text {
	return tfkit.Text{Accepts: accepts, Summary: summary, Valid: func(text string) bool {
		_, err := parse(text)
		return err == nil
	}}
}

var (
	httpPath   = parsed("a path that begins with a slash", "Invalid path", ready.ParseTarget)
	httpStatus = parsed("HTTP statuses from 200 to 599 and ranges of them, such as 200-299,404",
		"Invalid HTTP status", ready.ParseStatuses)
	certificates = parsed("PEM text, or the path of a PEM file", "Invalid ca_certificate", parseRoots)
)

// host refuses a URL, and an address with brackets or a port.
var host = tfkit.Text{
	Accepts: "a hostname or an IP address, without scheme, brackets and port", Summary: "Invalid host",
	Valid: func(text string) bool {
		_, err := netip.ParseAddr(text)
		return err == nil || text != "" && !strings.ContainsAny(text, "/:[] \t\r\n")
	},
}

func readyBlock() schema.SingleNestedBlock {
	return schema.SingleNestedBlock{
		MarkdownDescription: "What the machine must answer to count as up: over TCP or, with `http_path`, HTTP.",
		Validators:          []validator.Object{tfkit.Requires{Attribute: "port"}, overHTTP{}},
		Attributes: map[string]schema.Attribute{
			"port": schema.Int64Attribute{
				MarkdownDescription: "TCP port. Required in this block.",
				Optional:            true,
				Validators:          []validator.Int64{int64validator.Between(1, 65535)},
			},
			"timeout": schema.StringAttribute{
				MarkdownDescription: "How long to wait, in addition to `timeouts`. Default: `5m`.",
				Optional:            true,
				Validators:          []validator.String{tfkit.PositiveDuration},
			},
			"host": schema.StringAttribute{
				MarkdownDescription: "Name or address to connect to. Default: `ipv4_address`, or else `ipv6_address`.",
				Optional:            true,
				Validators:          []validator.String{host},
			},
			"http_path": schema.StringAttribute{
				MarkdownDescription: "Path to `GET`, such as `/health`. It is in the state: put no secret into it.",
				Optional:            true,
				Validators:          []validator.String{httpPath},
			},
			"http_status": schema.StringAttribute{
				MarkdownDescription: "Statuses that count, and ranges of them, such as `200,301-302`. " +
					"Default: `200-299`.",
				Optional:   true,
				Validators: []validator.String{httpStatus},
			},
			"http_host": schema.StringAttribute{
				MarkdownDescription: "Header `Host`. Default: the address and port.",
				Optional:            true,
				Validators:          []validator.String{notEmpty},
			},
			"https": schema.BoolAttribute{
				MarkdownDescription: "Whether to use TLS, with a certificate for `host` or the address. Default: `false`.",
				Optional:            true,
			},
			"ca_certificate": schema.StringAttribute{
				MarkdownDescription: "Certificate authorities, in addition to the system's: PEM text, " +
					"or the path of a PEM file.",
				Optional:   true,
				Validators: []validator.String{certificates},
			},
		},
	}
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

// overHTTP refuses attributes of a request over HTTP in a block without a path for it.
type overHTTP struct{}

// Description implements validator.Object.
func (overHTTP) Description(context.Context) string { return "http_* and https need http_path" }

// MarkdownDescription implements validator.Object.
func (v overHTTP) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateObject implements validator.Object.
func (overHTTP) ValidateObject(_ context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	block := req.ConfigValue.Attributes()
	if !tfkit.Given(req.ConfigValue) || !block["http_path"].IsNull() {
		return
	}
	for _, name := range []string{"http_status", "http_host", "https", "ca_certificate"} {
		if tfkit.Given(block[name]) && !block[name].Equal(types.BoolValue(false)) {
			resp.Diagnostics.AddAttributeError(req.Path.AtName(name), "Missing http_path",
				fmt.Sprintf("ready.%s has an effect only on a request over HTTP. Set ready.http_path, "+
					"such as \"/\", or remove ready.%[1]s.", name))
		}
	}
}

// warnNotReady explains an update that changes nothing, of a machine that no apply has seen ready.
func (d *decision) warnNotReady(diags *diag.Diagnostics) {
	if d.change.owesReady {
		diags.AddAttributeWarning(path.Root("ready"), "The update waits until the machine is ready",
			"An earlier apply ended before "+d.state.title()+" was ready. "+
				"This update waits for it again before it ends; if it changes nothing else, it sends nothing. "+
				"To do without, remove the block ready.")
	}
}

// awaitReady waits until the machine is ready, if the configuration defines that. The wait has a timeout of its own.
// Its error is a *ready.Error.
func (r *vmResource) awaitReady(ctx context.Context, m *model) error {
	block, ok := blockOf[readyModel](m.Ready)
	if !ok {
		return nil
	}
	host, err := r.readyHost(block, m)
	if err != nil {
		return &ready.Error{NoAddress: true, Err: err}
	}
	probe, err := block.probe(r.Data.Dial, host)
	if err != nil { // a file has changed since it was validated
		return &ready.Error{Err: fmt.Errorf("the block ready cannot be used: %w", err)}
	}
	progress.Report(ctx, "waiting for "+probe.String())
	return ready.Wait(ctx, probe, tfkit.Duration(block.Timeout, defaultReadyTimeout))
}

// readyHost returns where to connect to: ready.host, or an address that the service reports.
func (r *vmResource) readyHost(block readyModel, m *model) (string, error) {
	if host := block.Host.ValueString(); host != "" {
		return host, nil
	}
	address := cmp.Or(m.IPv4Address.ValueString(), m.IPv6Address.ValueString())
	if address == "" {
		return "", errors.New("the service reports no address of the machine, and ready.host is not set")
	}
	return address, ready.CheckAddress(address, r.Data.ServiceIsHere)
}

// probe returns the probe of a block whose values were validated.
func (b readyModel) probe(dial ready.Dial, host string) (ready.Probe, error) {
	address := net.JoinHostPort(host, strconv.FormatInt(b.Port.ValueInt64(), 10))
	if b.HTTPPath.IsNull() {
		return ready.TCP{Dial: dial, Address: address}, nil
	}
	p := ready.HTTP{
		Dial: dial, Address: address, TLS: b.HTTPS.ValueBool(), Host: b.HTTPHost.ValueString(), Accepts: ready.Success,
	}
	var badTarget, badStatuses, badRoots error
	p.Target, badTarget = ready.ParseTarget(b.HTTPPath.ValueString())
	if !b.HTTPStatus.IsNull() {
		p.Accepts, badStatuses = ready.ParseStatuses(b.HTTPStatus.ValueString())
	}
	if !b.CACertificate.IsNull() {
		p.Roots, badRoots = parseRoots(b.CACertificate.ValueString())
	}
	return p, errors.Join(badTarget, badStatuses, badRoots)
}

// readyAdvice explains what to check if the machine did not become ready. After an interrupt there is nothing to check.
func (m *model) readyAdvice(err error) string {
	if errors.Is(err, context.Canceled) {
		return ""
	}
	if none, ok := errors.AsType[*ready.Error](err); ok && none.NoAddress {
		return "Set ready.host, or remove the block ready."
	}
	return "Look at its console and firewall, raise ready.timeout, or remove the block ready."
}
