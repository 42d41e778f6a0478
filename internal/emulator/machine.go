package emulator

import (
	"maps"
	"slices"
)

// Machine is a virtual machine as tests see and change it: the fields of
// service.md §2.1, and what the emulator knows beyond them. An empty string
// stands for null. It holds no password and no script, only their SHA-256.
type Machine struct {
	ID      int64
	GroupID int64
	// Account and Group are the names of the owners. Read only.
	Account, Group string
	Name           string
	// Hostname is <name>.<group>.<account>.<cluster domain>. Read only.
	Hostname              string
	ManagementAddress     string
	Cores                 int64
	Memory                int64 // megabytes
	HardwareProfile       string
	HardwareProfileLocked bool
	AutorebootOn          bool
	PowerOn               bool
	Deleted               bool
	CDROMURL              string
	Keymap                string
	Head                  string
	ZoneName              string
	Discs                 []Disc
	Interfaces            []Interface

	// LastImagedWith is the distribution of the last completed reimage.
	LastImagedWith string
	// RootPasswordSet tells that an image was given a root password.
	RootPasswordSet bool
	// RootPasswordSHA256 and FirstbootScriptSHA256 are lower-case hex sums.
	RootPasswordSHA256    string
	FirstbootScriptSHA256 string
	SSHPublicKey          string
	// Images counts completed reimages, the one of the creation included.
	Images int

	// IgnoresPowerdown makes the guest deaf to the powerdown signal.
	IgnoresPowerdown bool
}

// Disc is one disc of a machine (service.md §2.2).
type Disc struct {
	ID           int64
	Label        string
	Size         int64 // megabytes
	StorageGrade string
	StoragePool  string
	// NewStorageGrade, NewStoragePool and MigrationProgress are shown while
	// a disc is moved between grades (api.md §4). MigrationProgress counts
	// percent.
	NewStorageGrade   string
	NewStoragePool    string
	MigrationProgress int64
}

// Interface is one network interface of a machine (api.md §3).
type Interface struct {
	ID       int64
	Label    string
	MAC      string
	VLANNum  int64
	IPs      []string
	ExtraIPs map[string]string
}

// clone copies m deeply, so that callers cannot reach into the store.
func (m Machine) clone() Machine {
	m.Discs = slices.Clone(m.Discs)
	m.Interfaces = slices.Clone(m.Interfaces)
	for i := range m.Interfaces {
		m.Interfaces[i].IPs = slices.Clone(m.Interfaces[i].IPs)
		m.Interfaces[i].ExtraIPs = maps.Clone(m.Interfaces[i].ExtraIPs)
	}
	return m
}
