package emulator

import (
	"maps"
	"slices"
	"time"
)

// Machine is a virtual machine: the fields that the service reports (API.md §8), and what the emulator knows beyond
// them. An empty string stands for null. It holds SHA-256 sums instead of passwords and scripts.
type Machine struct {
	ID      int64 `json:"id,omitempty"`
	GroupID int64 `json:"-"`
	// Account and Group are the names of the owners. Read only.
	Account string `json:"-"`
	Group   string `json:"-"`
	Name    string `json:"name"`
	// Hostname is <name>.<group>.<account>.<cluster domain>. Read only.
	Hostname              string      `json:"-"`
	ManagementAddress     string      `json:"management_address,omitempty"`
	Cores                 int64       `json:"cores,omitempty"`
	Memory                int64       `json:"memory,omitempty"` // megabytes
	HardwareProfile       string      `json:"hardware_profile,omitempty"`
	HardwareProfileLocked bool        `json:"hardware_profile_locked,omitempty"`
	AutorebootOn          bool        `json:"autoreboot_on,omitempty"`
	PowerOn               bool        `json:"power_on,omitempty"`
	Deleted               bool        `json:"deleted,omitempty"`
	CDROMURL              string      `json:"cdrom_url,omitempty"`
	Keymap                string      `json:"keymap,omitempty"`
	Head                  string      `json:"head,omitempty"`
	ZoneName              string      `json:"zone_name,omitempty"`
	Discs                 []Disc      `json:"discs,omitempty"`
	Interfaces            []Interface `json:"network_interfaces,omitempty"`

	// LastImagedWith is the distribution of the last completed reimage.
	LastImagedWith string `json:"last_imaged_with,omitempty"`
	// RootPasswordSet reports whether the image had a root password.
	RootPasswordSet bool `json:"root_password_set,omitempty"`
	// RootPasswordSHA256 and FirstbootScriptSHA256 are lower-case hex sums.
	RootPasswordSHA256    string `json:"root_password_sha256,omitempty"`
	FirstbootScriptSHA256 string `json:"firstboot_script_sha256,omitempty"`
	SSHPublicKey          string `json:"ssh_public_key,omitempty"`
	// Images counts completed reimages, including the one of the creation.
	Images int `json:"images,omitempty"`

	// Deaf keeps the guest from answering.
	Deaf bool `json:"deaf,omitempty"`
	// HTTPStatus is what the guest answers over HTTP; 0: what its image answers.
	HTTPStatus int `json:"http_status,omitempty"`
	// SSHHostKey is the private host key of the guest, in PEM; "": the one in its first boot script, or one of its own.
	SSHHostKey string `json:"ssh_host_key,omitempty"`
	// IgnoresPowerdown makes the guest ignore the powerdown signal.
	IgnoresPowerdown bool `json:"ignores_powerdown,omitempty"`
}

// Disc is one disc of a machine (API.md §4).
type Disc struct {
	ID           int64  `json:"id,omitempty"`
	Label        string `json:"label"`
	Size         int64  `json:"size"` // megabytes
	StorageGrade string `json:"storage_grade,omitempty"`
	StoragePool  string `json:"storage_pool,omitempty"`
	// NewStorageGrade, NewStoragePool and MigrationProgress (in percent) are reported while a disc is moved to another
	// grade.
	NewStorageGrade   string `json:"new_storage_grade,omitempty"`
	NewStoragePool    string `json:"new_storage_pool,omitempty"`
	MigrationProgress int64  `json:"migration_progress,omitempty"`
	// CopyBegan and CopyEnds are the times of a migration or restore that ends by itself.
	CopyBegan time.Time `json:"copy_began,omitzero"`
	CopyEnds  time.Time `json:"copy_ends,omitzero"`

	// Backups is nil for a disc that has none.
	Backups *Backups `json:"backups,omitempty"`
}

// Interface is one network interface of a machine (API.md §3).
type Interface struct {
	ID       int64             `json:"id,omitempty"`
	Label    string            `json:"label,omitempty"`
	MAC      string            `json:"mac,omitempty"`
	VLANNum  int64             `json:"vlan_num,omitempty"`
	IPs      []string          `json:"ips"`
	ExtraIPs map[string]string `json:"extra_ips,omitempty"`
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
