package check

var (
	text     = []string{"string"}
	number   = []string{"number"}
	truth    = []string{"boolean"}
	array    = []string{"array"}
	nullText = []string{"string", "null"}
	anyID    = []string{"number", "string"} // the type is specified for machines and discs alone
	anything = []string{"null", "string", "number", "boolean", "array", "object"}
)

const cannotManage = "machines cannot be managed"

// machineShape is API.md §8.1 and §3.
var machineShape = shape{"virtual machines", []field{
	{name: "id", kinds: number, breaks: cannotManage},
	{name: "name", kinds: text, breaks: cannotManage},
	{name: "group_id", kinds: number, breaks: "moves and renamed groups are not noticed"},
	{name: "power_on", kinds: truth, breaks: "no wait for a machine ends: creating, stopping and starting time out"},
	{name: "autoreboot_on", kinds: truth},
	{name: "cores", kinds: number},
	{name: "memory", kinds: number},
	{name: "hardware_profile", kinds: text},
	{name: "hardware_profile_locked", kinds: truth},
	{name: "deleted", kinds: truth},
	{name: "hostname", kinds: nullText},
	{name: "management_address", kinds: nullText},
	{name: "cdrom_url", kinds: nullText, optional: true},
	{name: "keymap", kinds: anything, optional: true},
	{name: "head", kinds: anything, optional: true},
	{name: "type", kinds: text, optional: true},
	{name: "zone_name", kinds: text},
	{name: "last_imaged_with", kinds: nullText, optional: true},
	{name: "discs", kinds: array, breaks: "discs are not refreshed, and drift of discs is not noticed"},
	{name: "network_interfaces", kinds: array, breaks: "ipv4_address and ipv6_address are null"},
}}

// discShape is API.md §8.2 and §4.
var discShape = shape{"discs", []field{
	{name: "id", kinds: number, breaks: "discs cannot be distinguished"},
	{name: "label", kinds: text, breaks: "discs cannot be distinguished"},
	{name: "size", kinds: number, breaks: "the size of discs is not refreshed"},
	{name: "storage_grade", kinds: text},
	{name: "storage_pool", kinds: nullText},
	{name: "virtual_machine_id", kinds: number},
	{name: "type", kinds: text, optional: true},
	{name: "new_storage_grade", kinds: nullText, optional: true},
	{name: "new_storage_pool", kinds: nullText, optional: true},
	{name: "migration_progress", kinds: []string{"number", "null"}, optional: true},
	{name: "backup_count", kinds: []string{"number", "null"}, optional: true},
	{name: "backup_schedules", kinds: []string{"array", "null"}, optional: true},
	{name: "backups_enabled", kinds: truth, optional: true},
}}

// interfaceShape is API.md §3.
var interfaceShape = shape{"network interfaces", []field{
	{name: "id", kinds: anyID},
	{name: "label", kinds: nullText, optional: true},
	{name: "mac", kinds: text},
	{name: "vlan_num", kinds: number},
	{name: "ips", kinds: array, breaks: "ipv4_address and ipv6_address are null"},
	{name: "extra_ips", kinds: []string{"object", "null"}, optional: true},
	{name: "virtual_machine_id", kinds: anyID, optional: true},
	{name: "type", kinds: text, optional: true},
}}

// accountShape and groupShape are API.md §5.
var (
	accountShape = shape{"accounts", []field{
		{name: "id", kinds: anyID, breaks: "accounts cannot be distinguished"},
		{name: "name", kinds: text, breaks: "accounts cannot be found by name"},
		{name: "suspended", kinds: truth, optional: true},
		{name: "type", kinds: text, optional: true},
	}}
	groupShape = shape{"groups", []field{
		{name: "id", kinds: anyID, breaks: "machines cannot be moved, and imports by id do not find their group"},
		{name: "name", kinds: text, breaks: "groups cannot be found by name"},
		{name: "account_id", kinds: anyID, optional: true},
		{name: "type", kinds: text, optional: true},
	}}
	addressShape = shape{"reverse DNS names", []field{
		{name: "address", kinds: text, optional: true},
		{name: "ip", kinds: text, optional: true},
		{name: "rdns", kinds: nullText, breaks: "cloudserver_rdns does not work"},
		{name: "type", kinds: text, optional: true},
	}}
	setShape = shape{"sets", []field{
		{name: "id", kinds: text, breaks: "no definitions are available, and plans are not checked"},
		{name: "data", kinds: []string{"array", "object"}, breaks: "no definitions are available, and plans are not checked"},
	}}
)

// definitionSets are the sets that plans use, with what is lost without them.
var definitionSets = []struct{ id, breaks string }{
	{"distributions", "an unknown distribution is found at apply only"},
	{"storage_grades", "an unknown storage grade is found at apply only"},
	{"hardware_profiles", "an unknown hardware profile is found at apply only"},
	{"zone_names", "an unknown zone is found at apply only"},
	{"keymaps", ""},
	{"sendkeys", "keys of cloudserver_vm_signal are not checked"},
	{"distribution_descriptions", ""},
	{"storage_grade_descriptions", ""},
}
