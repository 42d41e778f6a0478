// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"time"
)

// The default world.
const (
	DemoAccount  = "demo"
	DemoUser     = "demo"
	DemoPassword = "demo"
	DemoAPIKey   = "apikey.demo"
	// DefaultGroup is on the public VLAN.
	DefaultGroup = "default"
	// PrivateGroup is on a private VLAN, so that ips may be chosen in it.
	PrivateGroup = "private"
	// ClusterDomain is the suffix of every hostname.
	ClusterDomain = "cluster.example"
	// HiddenZone is listed only with a valid Authorization header.
	HiddenZone = "hidden"
)

// world is the data of the service: what the emulator works on, and the JSON of seeds, dumps and files. It may be used
// only with the emulator's lock held.
type world struct {
	NextID      int64             `json:"next_id,omitempty"` // after which IDs are assigned; in files only
	Guests      bool              `json:"guests,omitempty"`  // new machines get addresses in GuestIPv4
	Faults      []worldFault      `json:"faults,omitempty"`
	Users       []*User           `json:"users"`
	APIKeys     []*APIKey         `json:"api_keys"`
	Accounts    []*account        `json:"accounts"`
	RDNS        map[string]string `json:"rdns,omitempty"`        // reverse names that somebody has set, by address
	Definitions map[string]any    `json:"definitions,omitempty"` // sets by ID; null means that there is none

	Schema ignored `json:"$schema,omitzero"` // for editors

	groups   map[int64]*group
	machines map[int64]*machine
	holders  map[netip.Addr]*machine
	public   *vlan
}

// ignored is a key that a world may have, and that has no effect.
type ignored struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (ignored) UnmarshalJSON([]byte) error { return nil }

// worldFault is a fault that acts in every process that uses the world.
type worldFault struct {
	Fault string `json:"fault"`
}

// User is a user who can open sessions.
type User struct {
	Name     string `json:"name"`
	Password string `json:"password"`
	// SecondFactor requires a code that was not used before: one of Codes or, if there are none, any well-formed one.
	SecondFactor bool     `json:"second_factor,omitempty"`
	Codes        []string `json:"codes,omitempty"`
	// Accounts are the names of the accounts that the user can see. None means all.
	Accounts []string `json:"accounts,omitempty"`
}

// APIKey is a bearer token that is used as it is.
type APIKey struct {
	Key       string    `json:"key"`
	User      string    `json:"user"`
	ExpiresAt time.Time `json:"expires_at,omitzero"` // zero: never
}

// account owns groups.
type account struct {
	ID        int64    `json:"id,omitempty"`
	Name      string   `json:"name"`
	Suspended bool     `json:"suspended,omitempty"`
	Closed    bool     `json:"closed,omitempty"` // hidden from everybody
	Groups    []*group `json:"groups,omitempty"`
}

// group owns machines. Their names are unique in it, including those of soft-deleted ones.
type group struct {
	ID          int64      `json:"id,omitempty"`
	Name        string     `json:"name"`
	PrivateVLAN *vlan      `json:"private_vlan,omitempty"` // nil: the group is on the public VLAN
	Machines    []*machine `json:"virtual_machines,omitempty"`

	account *account
}

// machine is a Machine in its group, and what is happening to it.
type machine struct {
	Machine
	background
	group *group
	held  []netip.Addr
}

// Machine is a virtual machine: the values that the service reports (API.md §8), and further ones that only the
// emulator knows. An empty string stands for null. Passwords and scripts are stored as SHA-256 sums.
type Machine struct {
	ID      int64 `json:"id,omitempty"`
	GroupID int64 `json:"-"`
	// Account, Group and Hostname are read only.
	Account               string      `json:"-"`
	Group                 string      `json:"-"`
	Name                  string      `json:"name"`
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
	Discs                 []Disc      `json:"discs,omitempty"` // the boot disc first
	Interfaces            []Interface `json:"network_interfaces,omitempty"`

	LastImagedWith        string `json:"last_imaged_with,omitempty"`
	RootPasswordSet       bool   `json:"root_password_set,omitempty"`
	RootPasswordSHA256    string `json:"root_password_sha256,omitempty"`
	FirstbootScriptSHA256 string `json:"firstboot_script_sha256,omitempty"`
	SSHPublicKey          string `json:"ssh_public_key,omitempty"`
	// Images counts completed installations of an image, including that of the creation.
	Images int `json:"images,omitempty"`

	// Deaf means that the guest answers nobody, though the machine is on.
	Deaf bool `json:"deaf,omitempty"`
	// HTTPStatus is what the guest answers over HTTP. Default 200.
	HTTPStatus int `json:"http_status,omitempty"`
	// HTTPStatusImage is the distribution with which the guest answers so. Default: any.
	HTTPStatusImage  string `json:"http_status_image,omitempty"`
	IgnoresPowerdown bool   `json:"ignores_powerdown,omitempty"`
}

// Disc is one disc of a machine (API.md §4).
type Disc struct {
	ID           int64  `json:"id,omitempty"`
	Label        string `json:"label"`
	Size         int64  `json:"size"` // megabytes
	StorageGrade string `json:"storage_grade,omitempty"`
	StoragePool  string `json:"storage_pool,omitempty"`
	// NewStorageGrade, NewStoragePool and MigrationProgress (in percent) are reported while a disc is being moved to
	// another grade. CopyBegan and CopyEnds are the start and end of that.
	NewStorageGrade   string    `json:"new_storage_grade,omitempty"`
	NewStoragePool    string    `json:"new_storage_pool,omitempty"`
	MigrationProgress int64     `json:"migration_progress,omitempty"`
	CopyBegan         time.Time `json:"copy_began,omitzero"`
	CopyEnds          time.Time `json:"copy_ends,omitzero"`
	// Backups may be nil in a seed.
	Backups *Backups `json:"backups,omitzero"`
}

// Backups are the backups of a disc and their schedules.
type Backups struct {
	Schedules []BackupSchedule `json:"schedules,omitempty"`
	Taken     []Backup         `json:"taken,omitempty"`
}

// IsZero reports whether a world leaves b out.
func (b *Backups) IsZero() bool { return len(b.Schedules)+len(b.Taken) == 0 }

// Backup is a stored copy of a disc.
type Backup struct {
	ID     int64     `json:"id"`
	Label  string    `json:"label"`
	Size   int64     `json:"size"` // megabytes
	Manual bool      `json:"manual,omitempty"`
	Began  time.Time `json:"began,omitzero"`
	Stored time.Time `json:"stored,omitzero"` // when the copy is complete
	Grade  string    `json:"grade"`           // of the disc
}

// BackupSchedule takes backups of a disc at intervals.
type BackupSchedule struct {
	ID              int64  `json:"id"`
	StartAt         string `json:"start_at"` // as time.DateTime, in UTC
	IntervalSeconds int64  `json:"interval_seconds"`
	Capacity        int64  `json:"capacity"`        // how many scheduled backups are kept
	Taken           int64  `json:"taken,omitempty"` // backups so far
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

// background is what is happening to a machine. It is data, not code, so that a file can have it.
type background struct {
	// UnderWay is the transition of the machine's power, if any.
	UnderWay *transition `json:"under_way,omitempty"`
	// Image is installed by the reimage under way, or at the first start.
	Image *image `json:"image,omitempty"`
	// OnSince is when the machine last came on, and WentOff whether it was ever off after it was on.
	OnSince time.Time `json:"on_since,omitzero"`
	WentOff bool      `json:"went_off,omitempty"`

	DescribedAt   ignored `json:"described_at,omitzero"`
	KnownAt       ignored `json:"known_at,omitzero"`
	Pending       ignored `json:"pending,omitzero"`
	GuestBooting  ignored `json:"guest_booting,omitzero"`
	ScriptHostKey ignored `json:"script_host_key,omitzero"`
	SSHHostKey    ignored `json:"ssh_host_key,omitzero"`
}

// id returns a number that was never used as an ID before.
func (w *world) id() int64 {
	w.NextID++
	return w.NextID
}

// idOr returns an ID, which is not assigned again, or a new one for 0.
func (w *world) idOr(id int64) int64 {
	if id == 0 {
		return w.id()
	}
	w.NextID = max(w.NextID, id)
	return id
}

// user, account and group return what has a name, or nil.
func (w *world) user(name string) *User {
	return findIn(w.Users, func(u *User) bool { return u.Name == name })
}

func (w *world) account(name string) *account {
	return findIn(w.Accounts, func(a *account) bool { return a.Name == name })
}

func (a *account) group(name string) *group {
	return findIn(a.Groups, func(g *group) bool { return g.Name == name })
}

// machine returns the machine with a name, including a soft-deleted one, or nil.
func (g *group) machine(name string) *machine {
	return findIn(g.Machines, func(m *machine) bool { return m.Name == name })
}

// groupNamed returns a group by the names of account and group, or nil.
func (w *world) groupNamed(account, name string) *group {
	if a := w.account(account); a != nil {
		return a.group(name)
	}
	return nil
}

// vlanOf returns the network of a group.
func (w *world) vlanOf(g *group) *vlan {
	if g.PrivateVLAN != nil {
		return g.PrivateVLAN
	}
	return w.public
}

// addGroup adds an empty group, whose name must be free.
func (w *world) addGroup(a *account, name string) *group {
	g := &group{ID: w.id(), Name: name, account: a}
	a.Groups = append(a.Groups, g)
	w.groups[g.ID] = g
	return g
}

// place puts a machine into a group under a name that is free there. Groups have their machines in the order of IDs.
func (w *world) place(m *machine, g *group, name string) {
	if m.group != nil {
		m.group.remove(m)
	}
	m.group, m.GroupID, m.Name = g, g.ID, name
	n, _ := slices.BinarySearchFunc(g.Machines, m, func(a, b *machine) int { return cmp.Compare(a.ID, b.ID) })
	g.Machines = slices.Insert(g.Machines, n, m)
	w.machines[m.ID] = m
}

// remove takes a machine out of a group.
func (g *group) remove(m *machine) {
	g.Machines = slices.DeleteFunc(g.Machines, func(other *machine) bool { return other == m })
}

// purge destroys a machine and frees its name and addresses.
func (w *world) purge(m *machine) {
	_ = w.hold(m, nil) // frees its addresses
	m.group.remove(m)
	delete(w.machines, m.ID)
}

// sorted returns all machines by ID.
func (w *world) sorted() []*machine {
	return slices.SortedFunc(maps.Values(w.machines), func(a, b *machine) int { return cmp.Compare(a.ID, b.ID) })
}

// hostname returns the machine's name in the service's own domain (API.md §8).
func (m *machine) hostname() string {
	return m.Name + "." + m.group.Name + "." + m.group.account.Name + "." + ClusterDomain
}

// export returns a copy of a machine for a caller.
func (m *machine) export() Machine {
	copied := m.Machine.clone()
	copied.Account, copied.Group, copied.Hostname = m.group.account.Name, m.group.Name, m.hostname()
	return copied
}

// clone returns a deep copy, so that callers cannot reach into the world.
func (m Machine) clone() Machine {
	m.Discs = slices.Clone(m.Discs)
	for n := range m.Discs {
		m.Discs[n] = m.Discs[n].clone()
	}
	m.Interfaces = slices.Clone(m.Interfaces)
	for n := range m.Interfaces {
		m.Interfaces[n].IPs = slices.Clone(m.Interfaces[n].IPs)
		m.Interfaces[n].ExtraIPs = maps.Clone(m.Interfaces[n].ExtraIPs)
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
