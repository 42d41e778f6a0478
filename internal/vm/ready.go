package vm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// defaultReadyTimeout is how long a machine that is on may take until it is ready.
const defaultReadyTimeout = 5 * time.Minute

// readyModel is the block ready: when the machine counts as up.
type readyModel struct {
	Port    types.Int64  `tfsdk:"port"`
	Timeout types.String `tfsdk:"timeout"`
	Host    types.String `tfsdk:"host"`
}

// host refuses a URL, and an address with brackets or a port.
var host = tfkit.TextOf("a hostname or an IP address, without scheme, brackets and port", "Invalid host", func(text string) string {
	if _, err := netip.ParseAddr(text); err == nil || text != "" && !strings.ContainsAny(text, "/:[] \t\r\n") {
		return ""
	}
	return fmt.Sprintf("%q must be a hostname or an IP address, without scheme, brackets and port.", text)
})

// readyBlock has no defaults: they would be in the state of every machine.
func readyBlock() schema.SingleNestedBlock {
	return schema.SingleNestedBlock{
		MarkdownDescription: "When the machine counts as up: the apply waits, after the machine was switched on, until it accepts a TCP connection from where Terraform runs.",
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
		},
	}
}

// awaitReady waits until the machine is ready, where its configuration says when it
// is. It is no part of the timeouts of creations and updates.
func (r *vmResource) awaitReady(ctx context.Context, m *model) error {
	block, ok := blockOf[readyModel](m.Ready)
	if !ok {
		return nil
	}
	host := cmp.Or(block.Host.ValueString(), m.IPv4Address.ValueString(), m.IPv6Address.ValueString())
	if host == "" {
		return &operation.NotReadyError{}
	}
	address := net.JoinHostPort(host, strconv.FormatInt(block.Port.ValueInt64(), 10))
	tflog.Info(ctx, m.title()+": waiting until it accepts a TCP connection to "+address)
	return operation.AwaitReady(ctx, r.Data.Dial, address, tfkit.Timeout(m.Ready, "timeout", defaultReadyTimeout))
}

// addNotReady reports an update that is done, of a machine that does not answer.
func (m *model) addNotReady(err error, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("ready"), "Updated "+m.title()+", but it is not ready", tfkit.Detail(err,
		"What was planned is done, and the state has it. Until the machine is ready, every plan shows an update of it, which waits again and sends nothing. "+readyAdvice(err)))
}

// readyAdvice says what to look at.
func readyAdvice(err error) string {
	if none, ok := errors.AsType[*operation.NotReadyError](err); ok && none.Address == "" {
		return "Set ready.host, or remove the block ready."
	}
	return "Look at why it does not answer: its console, its firewall, and whether this port of it can be reached from here. To wait longer, raise ready.timeout; to do without, remove the block ready."
}

// awaitReady waits for a machine that was off during the update, or that owes it.
func (u *update) awaitReady(ctx context.Context) error {
	if !u.machine.On || !u.cycled() && !u.change.owesReady {
		return nil
	}
	return u.resource.awaitReady(ctx, &u.plan)
}

// cycled reports whether this update may have had the machine off and on.
func (u *update) cycled() bool { return u.machine.Touched && u.machine.WentOff }

// warnNotReady explains the update of a machine that nobody has changed.
func (u *updatePlan) warnNotReady(diags *diag.Diagnostics) {
	if u.change.owesReady {
		diags.AddAttributeWarning(path.Root("ready"), "The "+u.state.title()+" was not ready when it was looked at last",
			"An earlier apply ended before the machine accepted a connection. This update waits for it again before it ends, and sends nothing for that. To do without, remove the block ready.")
	}
}
