package vm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

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
	probe, err := block.probe(ready.Dial(r.Data.Dial), host)
	if err != nil { // a file has changed since it was validated
		return &ready.Error{Err: fmt.Errorf("the block ready cannot be used: %w", err)}
	}
	fleet.Report(ctx, "waiting for "+probe.String())
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

// readyAdvice explains what to check if the machine did not become ready.
func (m *model) readyAdvice(err error) string {
	if none, ok := errors.AsType[*ready.Error](err); ok && none.NoAddress {
		return "Set ready.host, or remove the block ready."
	}
	return "Look at its console and firewall, raise ready.timeout, or remove the block ready."
}
