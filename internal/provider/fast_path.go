package provider

import (
	"bytes"
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// fastPath answers the plan of a machine that stays as it is. The framework comes to the same answer, but takes half of
// the provider's CPU time for it in a plan of many machines. The tests compare each of its answers with the framework's.
//
// That is sound because the resource has no schema default, and its ModifyPlan leaves a plan alone that equals the
// state unless something is owed in the private state.
type fastPath struct {
	Server
	machine func() machineSchema
}

// machineSchema is what a comparison of two states of a machine needs.
type machineSchema struct {
	object    tftypes.Type
	writeOnly map[string]bool // names after those of their blocks, such as "reimage.root_password"
}

// Framework returns the server that makes the plans of everything else.
func (s fastPath) Framework() Server { return s.Server }

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s fastPath) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	if !s.stays(req) {
		return s.Server.PlanResourceChange(ctx, req)
	}
	return &tfprotov6.PlanResourceChangeResponse{
		PlannedState: req.PriorState, PlannedPrivate: req.PriorPrivate, PlannedIdentity: req.PriorIdentity,
	}, nil
}

// stays reports whether Terraform proposes the prior state of a machine, and the private state is empty.
func (s fastPath) stays(req *tfprotov6.PlanResourceChangeRequest) bool {
	mayBeDeferred := req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed
	if req.TypeName != "cloudserver_vm" || mayBeDeferred || len(req.PriorPrivate) > 0 {
		return false
	}
	if req.PriorState == nil || req.ProposedNewState == nil {
		return false
	}
	if isNull, err := req.PriorState.IsNull(); err != nil || isNull {
		return false
	}
	if bytes.Equal(req.PriorState.MsgPack, req.ProposedNewState.MsgPack) {
		return true
	}
	machine := s.machine()
	prior, err := req.PriorState.Unmarshal(machine.object)
	if err != nil {
		return false
	}
	proposed, err := req.ProposedNewState.Unmarshal(machine.object)
	if err != nil {
		return false
	}
	proposed, err = machine.withoutWriteOnly(proposed)
	return err == nil && proposed.Equal(prior)
}

// withoutWriteOnly sets the write-only attributes to null. Terraform proposes their values from the configuration, but
// a state has none.
func (m machineSchema) withoutWriteOnly(state tftypes.Value) (tftypes.Value, error) {
	return tftypes.Transform(state, func(at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		if m.writeOnly[argumentName(at)] {
			return tftypes.NewValue(value.Type(), nil), nil
		}
		return value, nil
	})
}

// withFastPath puts the fast path before a server.
func withFastPath(server Server) fastPath {
	return fastPath{server, sync.OnceValue(func() machineSchema {
		m := machineSchema{object: tftypes.Object{}, writeOnly: map[string]bool{}}
		schemas, err := server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
		if err != nil {
			return m // no state has this type, so the framework makes the plans
		}
		block := schemas.ResourceSchemas["cloudserver_vm"].Block
		m.object = block.ValueType()
		m.findWriteOnly(block, "")
		return m
	})}
}

// findWriteOnly notes the write-only attributes of a block, and of the blocks in it.
func (m machineSchema) findWriteOnly(block *tfprotov6.SchemaBlock, prefix string) {
	for _, attribute := range block.Attributes {
		if attribute.WriteOnly {
			m.writeOnly[prefix+attribute.Name] = true
		}
	}
	for _, nested := range block.BlockTypes {
		m.findWriteOnly(nested.Block, prefix+nested.TypeName+".")
	}
}
