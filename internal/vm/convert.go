package vm

import (
	"context"
	"net/netip"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// createRequest gives the body of vm_create (service.md §4.1). Write-only values
// are in the configuration alone, so the block reimage comes from there.
func (m model) createRequest(ctx context.Context, config model, diags *diag.Diagnostics) cloudserver.VirtualMachineCreate {
	create := cloudserver.VirtualMachineCreate{
		VirtualMachine: cloudserver.VirtualMachineSpec{
			Name:                  m.Name.ValueString(),
			Cores:                 given(m.Cores, m.Cores.ValueInt64Pointer()),
			Memory:                given(m.Memory, m.Memory.ValueInt64Pointer()),
			HardwareProfile:       given(m.HardwareProfile, m.HardwareProfile.ValueStringPointer()),
			HardwareProfileLocked: given(m.HardwareProfileLocked, m.HardwareProfileLocked.ValueBoolPointer()),
			AutorebootOn:          given(m.AutorebootOn, m.AutorebootOn.ValueBoolPointer()),
			PowerOn:               given(m.PowerOn, m.PowerOn.ValueBoolPointer()),
			Keymap:                given(m.Keymap, m.Keymap.ValueStringPointer()),
			CDROMURL:              given(m.CDROMURL, m.CDROMURL.ValueStringPointer()),
			ZoneName:              given(m.ZoneName, m.ZoneName.ValueStringPointer()),
		},
		IPs: ipsFrom(ctx, m.IPs, diags).toAPI(),
	}
	discs, _ := discsFrom(ctx, m.Disc, diags)
	for _, disc := range discs {
		create.Discs = append(create.Discs, disc.toAPI())
	}
	if !config.Reimage.IsNull() {
		create.Reimage = new(config.image(ctx, diags))
	}
	return create
}

// image is what a configuration's block reimage installs.
func (m model) image(ctx context.Context, diags *diag.Diagnostics) cloudserver.Reimage {
	block, _ := reimageFrom(ctx, m.Reimage, diags)
	return block.toAPI()
}

// read takes over everything that the service tells of the machine and leaves
// what only the provider knows. What the service does not tell stays as it was.
func (m *model) read(ctx context.Context, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) {
	fresh := m.Name.IsNull()
	m.Account, m.Group = m.readPlace(vm)
	m.ID = types.StringValue(strconv.FormatInt(vm.ID, 10))
	m.GroupID = told(m.GroupID, int64OrNull(vm.GroupID))
	if vm.Name != "" {
		m.Name = types.StringValue(vm.Name)
	}
	m.Cores = told(m.Cores, types.Int64PointerValue(vm.Cores))
	m.Memory = told(m.Memory, types.Int64PointerValue(vm.Memory))
	m.HardwareProfile = readProfile(m.HardwareProfile, vm.HardwareProfile)
	m.EffectiveHardwareProfile = told(m.EffectiveHardwareProfile, types.StringPointerValue(vm.HardwareProfile))
	m.HardwareProfileLocked = told(m.HardwareProfileLocked, types.BoolPointerValue(vm.HardwareProfileLocked))
	m.AutorebootOn = told(m.AutorebootOn, types.BoolPointerValue(vm.AutorebootOn))
	m.PowerOn = told(m.PowerOn, types.BoolPointerValue(vm.PowerOn))
	m.ZoneName = told(m.ZoneName, types.StringPointerValue(vm.ZoneName))
	m.Hostname = told(m.Hostname, types.StringPointerValue(vm.Hostname))
	m.ManagementAddress = told(m.ManagementAddress, types.StringPointerValue(vm.ManagementAddress))
	m.Keymap = types.StringPointerValue(vm.Keymap)
	m.CDROMURL = types.StringPointerValue(vm.CDROMURL)
	m.Head = types.StringPointerValue(vm.Head)
	m.readImage(ctx, vm.LastImagedWith, fresh, diags)
	m.readNetwork(vm.NetworkInterfaces)
	m.readDiscs(ctx, vm.Discs, diags)
}

// readPlace keeps the names that the configuration uses while the machine is
// where it was, and takes them from the host name (service.md §2.1) otherwise.
// An account may be configured by its id, so it has changed only where the host
// name's account has.
func (m *model) readPlace(vm *cloudserver.VirtualMachine) (account, group types.String) {
	moved := m.GroupID.ValueInt64() != 0 && vm.GroupID != 0 && m.GroupID.ValueInt64() != vm.GroupID
	hostGroup, hostAccount := splitHostname(vm.Name, vm.Hostname)
	_, oldAccount := splitHostname(m.Name.ValueString(), m.Hostname.ValueStringPointer())
	leftAccount := moved && hostAccount != "" && oldAccount != "" && hostAccount != oldAccount
	account, group = m.Account, m.Group
	if !tfkit.Given(account) || leftAccount {
		account = stringOrNull(hostAccount)
	}
	if tfkit.Given(group) && !moved {
		return account, group
	}
	if hostGroup == "" && vm.GroupID != 0 {
		hostGroup = strconv.FormatInt(vm.GroupID, 10)
	}
	return account, stringOrNull(hostGroup)
}

// splitHostname takes group and account from the host name of the machine that
// has the name: name.group.account.cluster-domain. A name may have dots.
func splitHostname(name string, hostname *string) (group, account string) {
	if hostname == nil {
		return "", ""
	}
	place, ok := strings.CutPrefix(*hostname, name+".")
	labels := strings.SplitN(place, ".", 3)
	if !ok || len(labels) < 3 {
		return "", ""
	}
	return labels[0], labels[1]
}

func isNumber(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)
	return err == nil
}

// readProfile tells the service's own upgrade of a virtio profile, which is no
// drift, from a change by somebody (service.md §2.4).
func readProfile(state types.String, told *string) types.String {
	if told == nil {
		return nullIfUnknown(state)
	}
	if tfkit.Given(state) && isUpgrade(state.ValueString(), *told) {
		return state
	}
	return types.StringValue(*told)
}

func isUpgrade(from, to string) bool {
	const family = "virtio"
	before, okBefore := strings.CutPrefix(from, family)
	after, okAfter := strings.CutPrefix(to, family)
	return okBefore && okAfter && isNumber(before) && isNumber(after) && before < after
}

// readImage notices that somebody installed another distribution, and fills the
// block of a machine that was just imported. A name that the service merely
// words differently than the configuration is never seen as a change.
func (m *model) readImage(ctx context.Context, distribution *string, fresh bool, diags *diag.Diagnostics) {
	before := m.LastImagedWith
	m.LastImagedWith = types.StringPointerValue(distribution)
	if fresh && m.Reimage.IsNull() {
		m.Reimage = reimageTold(distribution)
		return
	}
	if distribution == nil || !tfkit.Given(before) || before.ValueString() == *distribution {
		return
	}
	block, ok := reimageFrom(ctx, m.Reimage, diags)
	if !ok {
		return
	}
	block.Distribution = types.StringValue(*distribution)
	object, d := types.ObjectValueFrom(ctx, reimageAttrTypes, block)
	diags.Append(d...)
	m.Reimage = object
}

func (m *model) readNetwork(interfaces []cloudserver.NetworkInterface) {
	if interfaces == nil {
		m.IPv4Address, m.IPv6Address = nullIfUnknown(m.IPv4Address), nullIfUnknown(m.IPv6Address)
		if m.NetworkInterfaces.IsUnknown() {
			m.NetworkInterfaces = types.ListNull(interfaceType)
		}
		return
	}
	m.IPv4Address = firstAddress(interfaces, netip.Addr.Is4)
	m.IPv6Address = firstAddress(interfaces, netip.Addr.Is6)
	m.NetworkInterfaces = interfacesFromAPI(interfaces)
}

func (m *model) readDiscs(ctx context.Context, told []cloudserver.Disc, diags *diag.Diagnostics) {
	state, ok := discsFrom(ctx, m.Disc, diags)
	switch {
	case told != nil:
		m.Disc = discList(mergeDiscs(state, told))
	case ok:
		m.Disc = discList(settleDiscs(state, nil))
	default:
		m.Disc = discList(nil)
	}
}

// fill completes a plan that was carried out with what the service tells.
func (m *model) fill(ctx context.Context, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) {
	now := *m
	now.read(ctx, vm, diags)
	m.settle(ctx, now, diags)
}

// settle completes a plan: what it promised stays, and what it left open is as
// it is now.
func (m *model) settle(ctx context.Context, now model, diags *diag.Diagnostics) {
	m.ID = now.ID
	m.GroupID = tfkit.Settled(m.GroupID, now.GroupID)
	m.Account = tfkit.Settled(m.Account, now.Account)
	m.Group = tfkit.Settled(m.Group, now.Group)
	m.Cores = tfkit.Settled(m.Cores, now.Cores)
	m.Memory = tfkit.Settled(m.Memory, now.Memory)
	m.HardwareProfile = tfkit.Settled(m.HardwareProfile, now.HardwareProfile)
	m.EffectiveHardwareProfile = tfkit.Settled(m.EffectiveHardwareProfile, now.EffectiveHardwareProfile)
	m.HardwareProfileLocked = tfkit.Settled(m.HardwareProfileLocked, now.HardwareProfileLocked)
	m.AutorebootOn = tfkit.Settled(m.AutorebootOn, now.AutorebootOn)
	m.PowerOn = tfkit.Settled(m.PowerOn, now.PowerOn)
	m.Keymap = tfkit.Settled(m.Keymap, now.Keymap)
	m.ZoneName = tfkit.Settled(m.ZoneName, now.ZoneName)
	m.LastImagedWith = tfkit.Settled(m.LastImagedWith, now.LastImagedWith)
	m.Hostname = tfkit.Settled(m.Hostname, now.Hostname)
	m.ManagementAddress = tfkit.Settled(m.ManagementAddress, now.ManagementAddress)
	m.Head = tfkit.Settled(m.Head, now.Head)
	m.IPv4Address = tfkit.Settled(m.IPv4Address, now.IPv4Address)
	m.IPv6Address = tfkit.Settled(m.IPv6Address, now.IPv6Address)
	m.NetworkInterfaces = tfkit.Settled(m.NetworkInterfaces, now.NetworkInterfaces)
	planned, ok := discsFrom(ctx, m.Disc, diags)
	discs, _ := discsFrom(ctx, now.Disc, diags)
	if m.Disc = now.Disc; ok {
		m.Disc = discList(settleDiscs(planned, discs))
	}
}

// nullUnknown makes what nobody told null, so that a state can be saved before
// the machine is described.
func (m *model) nullUnknown(ctx context.Context, diags *diag.Diagnostics) {
	m.fill(ctx, &cloudserver.VirtualMachine{ID: m.numericID()}, diags)
}
