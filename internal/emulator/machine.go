package emulator

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Machine is a virtual machine: the values that the service reports (API.md §8), and further ones that only the
// emulator knows. An empty string stands for null. Passwords and scripts are stored as SHA-256 sums. The tags are the
// source of world.schema.json.
type Machine struct {
	ID      int64 `json:"id,omitempty" minimum:"1" maximum:"9007199254740991" description:"Numeric ID. Assigned when absent."`
	GroupID int64 `json:"-"`
	// Account and Group are the names of the owners. Read only.
	Account string `json:"-"`
	Group   string `json:"-"`
	Name    string `json:"name" pattern:"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" description:"Name, unique in the group."`
	// Hostname is <name>.<group>.<account>.<cluster domain>. Read only.
	Hostname              string      `json:"-"`
	ManagementAddress     string      `json:"management_address,omitempty" description:"Management address. Assigned when absent."`
	Cores                 int64       `json:"cores,omitempty" minimum:"1" description:"CPU cores. Default: 1."`
	Memory                int64       `json:"memory,omitempty" minimum:"1" description:"Megabytes. Default: 1024."`
	HardwareProfile       string      `json:"hardware_profile,omitempty" description:"Hardware profile. Default: virtio2013."`
	HardwareProfileLocked bool        `json:"hardware_profile_locked,omitempty" description:"Whether restarts keep the profile."`
	AutorebootOn          bool        `json:"autoreboot_on,omitempty" description:"Whether the service starts the machine whenever it is off."`
	PowerOn               bool        `json:"power_on,omitempty" description:"Whether the machine is on."`
	Deleted               bool        `json:"deleted,omitempty" description:"Whether the machine is soft-deleted."`
	CDROMURL              string      `json:"cdrom_url,omitempty" description:"URL of the CD image."`
	Keymap                string      `json:"keymap,omitempty" description:"Keyboard map."`
	Head                  string      `json:"head,omitempty" description:"Head on which it runs."`
	ZoneName              string      `json:"zone_name,omitempty" description:"Zone. Default: york."`
	Discs                 []Disc      `json:"discs,omitempty" maxItems:"8" description:"Discs, the boot disc first."`
	Interfaces            []Interface `json:"network_interfaces,omitempty" description:"Network interfaces. Default: one, with addresses of the group's VLAN."`

	LastImagedWith        string `json:"last_imaged_with,omitempty" description:"Distribution of the last image."`
	RootPasswordSet       bool   `json:"root_password_set,omitempty" description:"Whether the image had a root password."`
	RootPasswordSHA256    string `json:"root_password_sha256,omitempty" pattern:"^[0-9a-f]{64}$" description:"SHA-256 of the root password."`
	FirstbootScriptSHA256 string `json:"firstboot_script_sha256,omitempty" pattern:"^[0-9a-f]{64}$" description:"SHA-256 of the first boot script."`
	SSHPublicKey          string `json:"ssh_public_key,omitempty" description:"authorized_keys of the image."`
	// Images counts completed installations of an image, including that of the creation.
	Images int `json:"images,omitempty" minimum:"0" description:"Number of images installed."`

	Deaf             bool   `json:"deaf,omitempty" description:"Whether the guest answers nobody, though the machine is on."`
	HTTPStatus       int    `json:"http_status,omitempty" minimum:"200" maximum:"599" description:"What the guest answers over HTTP. Default: what its image answers, or 200."`
	SSHHostKey       string `json:"ssh_host_key,omitempty" description:"Private SSH host key of the guest, in PEM. Default: the one in its first boot script, or one of its own."`
	IgnoresPowerdown bool   `json:"ignores_powerdown,omitempty" description:"Whether the guest ignores the powerdown signal."`
}

// attributes are the values that the service reports for a machine, apart from its discs and interfaces: how each is
// shown in answers, set by clients and described in events. Worlds contain the fields above.
var attributes = []attribute{
	reported("id", func(m *storedMachine) any { return m.ID }),
	reported("group_id", func(m *storedMachine) any { return m.GroupID }),
	reported("name", func(m *storedMachine) any { return m.Name }),
	reported("hostname", func(m *storedMachine) any { return m.hostname() }),
	reported("management_address", func(m *storedMachine) any { return m.ManagementAddress }),
	settable("cores", func(m *Machine) *int64 { return &m.Cores }, (*call).atLeastOne,
		func(was, is int64) string { return fmt.Sprintf("cores %d → %d", was, is) }),
	settable("memory", func(m *Machine) *int64 { return &m.Memory }, (*call).memory,
		func(was, is int64) string { return fmt.Sprintf("memory %s → %s", FormatSize(was), FormatSize(is)) }),
	settable("hardware_profile", func(m *Machine) *string { return &m.HardwareProfile }, (*call).profile,
		func(was, is string) string { return fmt.Sprintf("hardware profile %s → %s", was, is) }),
	settable("hardware_profile_locked", func(m *Machine) *bool { return &m.HardwareProfileLocked }, (*call).boolean,
		func(_, is bool) string { return "hardware profile " + choose(is, "locked", "unlocked") }),
	settable("autoreboot_on", func(m *Machine) *bool { return &m.AutorebootOn }, (*call).boolean,
		func(_, _ bool) string { return "" }),
	reported("power_on", func(m *storedMachine) any { return m.PowerOn }),
	reported("deleted", func(m *storedMachine) any { return m.Deleted }),
	settable("keymap", func(m *Machine) *string { return &m.Keymap }, (*call).keymap,
		func(_, is string) string { return "keymap " + orElse(is, "reset") }),
	settable("cdrom_url", func(m *Machine) *string { return &m.CDROMURL }, (*call).nullable,
		func(_, is string) string { return "CD " + choose(is != "", "inserted", "ejected") }),
	reported("head", func(m *storedMachine) any { return orNull(m.Head) }),
	reported("zone_name", func(m *storedMachine) any { return m.ZoneName }),
	reported("last_imaged_with", func(m *storedMachine) any { return orNull(m.LastImagedWith) }),
}

// Disc is one disc of a machine (API.md §4).
type Disc struct {
	ID           int64  `json:"id,omitempty" minimum:"1" maximum:"9007199254740991" description:"Numeric ID. Assigned when absent."`
	Label        string `json:"label" minLength:"1" description:"Label, unique on the virtual machine."`
	Size         int64  `json:"size" minimum:"1" description:"Megabytes."` // megabytes
	StorageGrade string `json:"storage_grade,omitempty" description:"Storage grade. Default: sata."`
	StoragePool  string `json:"storage_pool,omitempty" description:"Storage pool. Default: tier1-GRADE."`
	// NewStorageGrade, NewStoragePool and MigrationProgress (in percent) are reported while a disc is being moved to
	// another grade.
	NewStorageGrade   string `json:"new_storage_grade,omitempty" description:"Target of a migration or restore."`
	NewStoragePool    string `json:"new_storage_pool,omitempty" description:"Its pool."`
	MigrationProgress int64  `json:"migration_progress,omitempty" minimum:"0" maximum:"100" description:"Percent; computed when copy_ends is present."`
	// CopyBegan and CopyEnds are the start and end of a migration or restore.
	CopyBegan time.Time `json:"copy_began,omitzero" description:"Beginning of the migration or restore."`
	CopyEnds  time.Time `json:"copy_ends,omitzero" description:"Its end."`

	// Backups is nil for a disc that has none.
	Backups *Backups `json:"backups,omitempty" description:"Backups and what takes them."`
}

// Interface is one network interface of a machine (API.md §3).
type Interface struct {
	ID       int64             `json:"id,omitempty" minimum:"1" maximum:"9007199254740991" description:"Numeric ID. Assigned when absent."`
	Label    string            `json:"label,omitempty" description:"Label."`
	MAC      string            `json:"mac,omitempty" description:"MAC address. Assigned when absent."`
	VLANNum  int64             `json:"vlan_num,omitempty" minimum:"1" maximum:"9007199254740991" description:"Number of the VLAN. Default: the group's."`
	IPs      []string          `json:"ips" description:"IPv4 and IPv6 addresses."`
	ExtraIPs map[string]string `json:"extra_ips,omitempty" description:"Extra addresses, each with the address to which it is routed."`
}

// clone returns a deep copy, so that callers cannot reach into the store.
func (m Machine) clone() Machine {
	m.Discs = slices.Clone(m.Discs)
	for i := range m.Discs {
		m.Discs[i] = m.Discs[i].clone()
	}
	m.Interfaces = slices.Clone(m.Interfaces)
	for i := range m.Interfaces {
		m.Interfaces[i].IPs = slices.Clone(m.Interfaces[i].IPs)
		m.Interfaces[i].ExtraIPs = maps.Clone(m.Interfaces[i].ExtraIPs)
	}
	return m
}

// clone returns a deep copy.
func (d Disc) clone() Disc {
	if d.Backups != nil {
		d.Backups = &Backups{slices.Clone(d.Backups.Schedules), slices.Clone(d.Backups.Taken)}
	}
	return d
}
