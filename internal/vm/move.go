package vm

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ resource.ResourceWithMoveState = (*vmResource)(nil)

// What an older community provider for this family of APIs calls itself and its
// machines.
const (
	olderProvider = "bigv"
	olderType     = "bigv_vm"
)

// MoveState takes machines over from the older provider's state, for a moved
// block. Like an import it only says which machine is meant, what the service
// cannot tell, and the defaults of the switches; the read that follows fills the
// rest.
func (r *vmResource) MoveState(ctx context.Context) []resource.StateMover {
	return []resource.StateMover{{StateMover: moveFromOlder}, tfkit.SameTypeMover(ctx, r, "cloudserver_vm", model.identity)}
}

func moveFromOlder(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	if req.SourceTypeName != olderType || !isOlder(req.SourceProviderAddress) {
		return
	}
	old, err := parseOlder(req.SourceRawState.JSON)
	if err != nil {
		resp.Diagnostics.AddError("Cannot move the state of a "+olderType,
			fmt.Sprintf("Its state cannot be used: %s. Take it out of the state with a removed block, and import the machine by its ID instead.", err))
		return
	}
	for name, value := range old.state() {
		resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root(name), value)...)
	}
	private{Adopted: true}.write(ctx, resp.TargetPrivate, &resp.Diagnostics)
	tfkit.Identity{"id": tfkit.IDOrNull(old.id)}.Save(ctx, resp.TargetIdentity, &resp.Diagnostics)
}

// isOlder accepts the bare name, too, which older releases of OpenTofu pass
// instead of the full address.
func isOlder(address string) bool {
	return address == olderProvider || strings.HasSuffix(address, "/"+olderProvider)
}

// older holds what is used of an older state. Sizes of discs are not: their unit
// is not certain, and the service reports them anyway.
type older struct {
	id            int64
	text          map[string]types.String
	cores, memory types.Int64
	groupID       types.String
	powerOn       types.Bool
}

// parseOlder reads the JSON of a state. The older provider's types are not
// certain, so a number may be written as text and the other way round.
func parseOlder(state []byte) (older, error) {
	var attributes map[string]json.RawMessage
	if err := json.Unmarshal(state, &attributes); err != nil {
		return older{}, fmt.Errorf("reading it as JSON: %w", err)
	}
	old := older{text: map[string]types.String{}}
	for name, raw := range attributes {
		old.text[name] = looseString(raw)
	}
	if old.id = tfkit.IDOf(old.text["id"]); old.id == 0 {
		return older{}, fmt.Errorf("its id %q is not a numeric id", old.text["id"].ValueString())
	}
	old.cores, old.memory, old.groupID = old.number("cores"), old.number("memory"), tfkit.IDOrNull(tfkit.IDOf(old.text["group_id"]))
	if on, err := strconv.ParseBool(old.text["power_on"].ValueString()); err == nil {
		old.powerOn = types.BoolValue(on)
	}
	return old, nil
}

// looseString is the text of a JSON string, number or bool; null for nothing and
// for what has parts.
func looseString(raw json.RawMessage) types.String {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return tfkit.StringOrNull(text)
	}
	switch text = string(raw); {
	case text == "null", strings.HasPrefix(text, "{"), strings.HasPrefix(text, "["):
		return types.StringNull()
	}
	return types.StringValue(text)
}

func (o older) number(name string) types.Int64 {
	n, err := strconv.ParseInt(o.text[name].ValueString(), 10, 64)
	if err != nil || n <= 0 {
		return types.Int64Null()
	}
	return types.Int64Value(n)
}

// state is what the moved machine starts with.
func (o older) state() map[string]any {
	state := importedState(tfkit.IDOrNull(o.id), "", "")
	state["name"], state["group"], state["group_id"] = o.text["name"], o.text["group"], o.groupID
	state["zone_name"], state["cores"], state["memory"] = o.text["zone"], o.cores, o.memory
	state["power_on"], state["reimage"] = o.powerOn, o.image()
	return state
}

// image returns the block reimage. The older state's password is left behind;
// what is write-only has no place in a state.
func (o older) image() types.Object {
	image := importedImage(o.text["os"])
	if image.IsNull() {
		return image
	}
	return reimageModel{
		Distribution: o.text["os"], SSHPublicKey: types.StringPointerValue(o.text["ssh_public_key"].ValueStringPointer()),
		OnChange: types.StringValue(onChangeReplace),
	}.object()
}
