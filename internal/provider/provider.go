// SPDX-License-Identifier: MPL-2.0

// Package provider assembles the provider: its configuration block, the sources of its values, and the lists of what it
// offers. It contains no logic of any resource.
package provider

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/rollout"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ provider.Provider = (*cloudserverProvider)(nil)

type cloudserverProvider struct {
	version   string
	transport http.RoundTripper
	emulator  Emulator
	dial      ready.Dial
	noActions bool                // messages name the command invoke in place of actions
	data      *tfkit.ProviderData // nil until it is configured
}

// Option configures a provider.
type Option func(*cloudserverProvider)

// WithEmulator sets the emulator for endpoints that begin with emulator:.
func WithEmulator(emulator Emulator) Option {
	return func(p *cloudserverProvider) { p.emulator = emulator }
}

// WithTransport sets the innermost HTTP transport, for tests that talk to an emulator without a socket.
func WithTransport(transport http.RoundTripper) Option {
	return func(p *cloudserverProvider) { p.transport = transport }
}

// WithDial sets how the provider connects to machines, for tests without a network.
func WithDial(dial ready.Dial) Option {
	return func(p *cloudserverProvider) { p.dial = dial }
}

// WithInvokeAdvice has messages name the command invoke in place of actions, for that command itself.
func WithInvokeAdvice() Option {
	return func(p *cloudserverProvider) { p.noActions = true }
}

// New returns a factory of the provider for Terraform's plugin server. version is that of the release, and is part of
// the User-Agent.
func New(version string, options ...Option) func() provider.Provider {
	return func() provider.Provider {
		p := &cloudserverProvider{version: version, dial: new(net.Dialer).DialContext}
		for _, option := range options {
			option(p)
		}
		return p
	}
}

func (p *cloudserverProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "cloudserver"
	resp.Version = p.version
}

func (p *cloudserverProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manages virtual machines of a cloud server service, with their discs, images and addresses.",
		Attributes:          attributes(),
	}
}

// Configure sends no request: wrong credentials are found on first use, and what does not need the service works
// without it.
func (p *cloudserverProvider) Configure(
	ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse,
) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	s := resolve(m, p.emulator, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	data := &tfkit.ProviderData{
		Defaults:   tfkit.Defaults{Account: s.account, Group: s.group, DeletionProtection: m.DeletionProtection},
		PlanChecks: s.planChecks, Unknown: s.unknown, NoActions: p.noActions || lacksActions(req.TerraformVersion),
		IsInvoking: p.noActions,
		Dial:       p.dial, Rollout: rollout.New(s.maxUnavailable),
	}
	s.client.UserAgent = userAgent(p.version, req.TerraformVersion)
	if s.client.Transport == nil {
		s.client.Transport = p.transport
	}
	if s.world != "" {
		warnEmulated(s.world, &resp.Diagnostics)
	}
	if len(s.unknown) == 0 {
		p.connect(data, s, m, &resp.Diagnostics)
	} else {
		s.warnUnknown(&resp.Diagnostics)
		if req.ClientCapabilities.DeferralAllowed {
			resp.Deferred = &provider.Deferred{Reason: provider.DeferredReasonProviderConfigUnknown}
		}
	}
	if resp.Diagnostics.HasError() {
		return
	}
	p.data = data
	resp.ResourceData = data
	resp.DataSourceData = data
	resp.EphemeralResourceData = data
	resp.ActionData = data
	resp.ListResourceData = data
}

// connect adds what makes requests.
func (p *cloudserverProvider) connect(data *tfkit.ProviderData, s settings, m model, diags *diag.Diagnostics) {
	client, err := cloudserver.New(s.client)
	if err != nil {
		addConfigError(diags, m, err)
		return
	}
	data.Client, data.Session = client, s.session
	data.ServiceIsHere = client.IsLocal() || s.world != ""
	data.Inventory = inventory.New(client)
	data.Inventory.DefaultAccount = s.account.ValueString()
}

// lacksActions reports whether a version of Terraform or OpenTofu is known not to support actions, which Terraform does
// since 1.14.
func lacksActions(version string) bool {
	var major, minor int
	n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor)
	return n == 2 && (major < 1 || major == 1 && minor < 14)
}

// userAgent returns the User-Agent of all requests: the versions of the provider and of Terraform, which is "" in a
// command of the program, and the value of TF_APPEND_USER_AGENT, as in other providers.
func userAgent(version, terraform string) string {
	parts := []string{"terraform-provider-cloudserver/" + version}
	if terraform != "" {
		parts = append(parts, "(Terraform/"+terraform+")")
	}
	if extra := strings.TrimSpace(os.Getenv("TF_APPEND_USER_AGENT")); extra != "" {
		parts = append(parts, extra)
	}
	return strings.Join(parts, " ")
}
