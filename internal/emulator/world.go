package emulator

import "net/netip"

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
	// PrivateIPv4 and PrivateIPv6 are the ranges of PrivateGroup's VLAN.
	PrivateIPv4 = "192.0.2.0/24"
	PrivateIPv6 = "2001:db8:1::/64"
	// GuestIPv4 is the range of the public VLAN if guests answer: addresses of the loopback interface.
	GuestIPv4 = "127.77.0.0/16"
	// ClusterDomain is the suffix of every hostname.
	ClusterDomain = "cluster.example"
	// HiddenZone is listed only with a valid Authorization header.
	HiddenZone = "hidden"
)

// Values that the service chooses if a creation does not set them.
const (
	defaultCores           = 1
	defaultMemory          = 1024 // megabytes
	defaultHardwareProfile = "virtio2013"
	defaultZone            = "york"
	defaultGrade           = "sata"
)

// Limits (API.md §1, §3 and §4).
const (
	maxDiscs       = 8
	maxBackups     = 1000
	minDiscSize    = 50 // megabytes
	minName        = 3  // characters
	minRootPass    = 3  // characters
	generatedChars = 16
)

// A restart upgrades oldProfile to newProfile.
const (
	oldProfile = "virtio2011"
	newProfile = "virtio2013"
)

// publicRanges returns ranges with addresses for many thousands of machines: those for documentation, then those for
// benchmarks.
func publicRanges() []netip.Prefix {
	return prefixes("198.51.100.0/24", "203.0.113.0/24", "198.18.0.0/15")
}

// prefixes parses ranges that are known to be valid.
func prefixes(ranges ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(ranges))
	for i, text := range ranges {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// addDefaultWorld fills a new store.
func (s *store) addDefaultWorld() {
	s.users[DemoUser] = &User{Name: DemoUser, Password: DemoPassword}
	s.apiKeys[DemoAPIKey] = apiKey{user: DemoUser}
	account := s.addAccount(s.id(), DemoAccount)
	s.addGroup(s.id(), account, DefaultGroup, s.public)
	s.addGroup(s.id(), account, PrivateGroup, s.newPrivateVLAN())
}

// defaultDefinitions returns the sets of GET /definitions, by id.
func defaultDefinitions() map[string]any {
	distributions := map[string]any{
		"trixie":      "Debian 13 (Trixie)",
		"bookworm":    "Debian 12 (Bookworm)",
		"resolute":    "Ubuntu 26.04 LTS (Resolute Raccoon)",
		"noble":       "Ubuntu 24.04 LTS (Noble Numbat)",
		"jammy":       "Ubuntu 22.04 LTS (Jammy Jellyfish)",
		"almalinux10": "AlmaLinux 10",
		"almalinux9":  "AlmaLinux 9",
		"rocky10":     "Rocky Linux 10",
		"rocky9":      "Rocky Linux 9",
		"leap16":      "openSUSE Leap 16",
	}
	return map[string]any{
		"distributions": []string{
			"trixie", "bookworm", "resolute", "noble", "jammy",
			"almalinux10", "almalinux9", "rocky10", "rocky9", "leap16",
		},
		"storage_grades":            []string{"sata", "ssd", "archive"},
		"hardware_profiles":         []string{"virtio2013", "virtio2011", "compatibility2013", "compatibility2011"},
		"keymaps":                   []string{"en-gb", "en-us", "de", "es", "fr", "it", "ja", "pt", "sv"},
		"sendkeys":                  sendkeys(),
		"zone_names":                []string{"york", "manchester"},
		"distribution_descriptions": distributions,
		"storage_grade_descriptions": map[string]any{
			"sata":    "Standard storage, the default for new machines",
			"ssd":     "Fastest, premium storage",
			"archive": "Cheapest storage, for low performance requirements",
		},
	}
}

// sendkeys returns the keys that sendkey can press, each for itself.
func sendkeys() []string {
	keys := []string{"ctrl", "alt", "shift", "delete", "backspace", "esc", "tab", "ret", "spc", "sysrq"}
	for n := range 12 {
		keys = append(keys, "f"+itoa(n+1))
	}
	return keys
}
