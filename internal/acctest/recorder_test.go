// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"context"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// recording has the values of the requests that a provider received.
type recording struct {
	mu                     sync.Mutex
	planned, applied, read []string
}

// recorder is a provider whose requests are recorded.
type recorder struct {
	provider.Server
	into *recording
	typ  tftypes.Type
}

func record(ctx context.Context, server provider.Server, into *recording) (provider.Server, error) {
	typ, err := vmSchema(ctx, server)
	return &recorder{Server: server, into: into, typ: typ}, err
}

func (r *recorder) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	r.note(&r.into.planned, req.PriorState, req.ProposedNewState, req.Config)
	return r.Server.PlanResourceChange(ctx, req)
}

func (r *recorder) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	r.note(&r.into.applied, req.PriorState, req.PlannedState, req.Config)
	return r.Server.ApplyResourceChange(ctx, req)
}

func (r *recorder) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	r.note(&r.into.read, req.CurrentState)
	return r.Server.ReadResource(ctx, req)
}

func (r *recorder) note(into *[]string, values ...*tfprotov6.DynamicValue) {
	var texts []string
	for _, encoded := range values {
		value, err := encoded.Unmarshal(r.typ)
		if err != nil {
			texts = append(texts, err.Error())
			continue
		}
		texts = append(texts, value.String())
	}
	r.into.mu.Lock()
	defer r.into.mu.Unlock()
	*into = append(*into, strings.Join(texts, "\n"))
}
