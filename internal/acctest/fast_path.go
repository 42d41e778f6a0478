// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"context"
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// bothWays has the framework make each plan that the provider's fast path answers, and fails the test if the answers
// differ.
type bothWays struct {
	provider.Server
	t testing.TB
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s bothWays) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	got, err := s.Server.PlanResourceChange(ctx, req)
	if err != nil || got.PlannedState == nil || got.PlannedState != req.PriorState {
		return got, err
	}
	fast, ok := s.Server.(interface{ Framework() provider.Server })
	if !ok {
		s.t.Fatalf("%T has no fast path", s.Server)
	}
	want, err := fast.Framework().PlanResourceChange(ctx, req)
	if err != nil {
		return nil, err
	}
	all, err := ownSchemas()
	if err != nil {
		return nil, err
	}
	state, err := got.PlannedState.Unmarshal(all.resources[req.TypeName].typ)
	if err != nil {
		return nil, err
	}
	planned, err := want.PlannedState.Unmarshal(state.Type())
	if err != nil || !planned.Equal(state) {
		s.t.Errorf("the fast path plans %s, the framework %s (%v)", state, planned, err)
	}
	want.PlannedState = got.PlannedState // the framework encodes it again
	if req.PriorIdentity == nil {
		want.PlannedIdentity = nil // a CLI that knows no identities: the framework answers a null one
	}
	if !reflect.DeepEqual(want, got) {
		s.t.Errorf("the fast path answers %+v, the framework %+v", got, want)
	}
	return got, nil
}
