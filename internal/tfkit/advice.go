package tfkit

import (
	"net/http"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// requestAdvice returns what may be wrong with a request that was refused or failed, or "" if nothing is known. It
// follows the service's own reason.
func requestAdvice(e *cloudserver.Error) string {
	changes := e.Method == http.MethodPut && strings.Contains(e.Path, "/virtual_machines/") && !strings.Contains(e.Path, "/discs/")
	reason := strings.ToLower(e.Message)
	mentions := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(reason, word) })
	}
	creates := strings.HasSuffix(e.Path, "/vm_create")
	switch {
	case isFull(e):
		return "The service has no capacity for this machine: configure a smaller one or another zone_name, or run the same command again later."
	case e.StatusCode == http.StatusInternalServerError && (changes || creates): // API.md §3
		return "If cdrom_url is configured, check it: the service answers this way when it cannot use one."
	case e.StatusCode != http.StatusForbidden:
		return ""
	case reason == "":
		return "These credentials lack permission: use others or request access."
	case mentions("suspend"):
		return "Nothing in a suspended account can be changed: ask the service's operator to reactivate it."
	case mentions("quota", "limit", "exceed", "too many"):
		return "A limit of the account is reached: remove what is no longer needed, or ask the service's operator to raise the limit."
	}
	return "If these credentials lack permission, use others or request access."
}

// isFull reports whether a creation was refused because the service has no capacity for the machine.
func isFull(e *cloudserver.Error) bool {
	return e != nil && e.StatusCode == http.StatusServiceUnavailable && strings.HasSuffix(e.Path, "/vm_create") &&
		strings.Contains(strings.ToLower(e.Message), "room")
}

// problemAdvice returns what to do about a problem that the service names, or "" if the problem's text is enough.
func problemAdvice(p cloudserver.Problem) string {
	switch {
	case p.Attribute == "ips": // API.md §7, rules for ips
		return "Addresses can be chosen in a group on a private VLAN only, and there among those that no other machine holds. " +
			"Choose others, or leave them out to have them allocated."
	case p.Attribute == "name" && !strings.Contains(p.Message, "taken"): // API.md §1
		return "Choose another name: lower-case letters, digits and dashes, " +
			"at least three characters and beginning with a letter, such as web1 or db-2, are usually valid."
	case strings.Contains(p.Message, "not included in the list") && slices.Contains([]string{"cores", "memory"}, p.Attribute):
		return "The service offers only certain values, which its definitions do not list: choose another one."
	case strings.Contains(p.Message, "not included in the list"):
		return "The data source cloudserver_definitions lists what the service offers."
	}
	return ""
}
