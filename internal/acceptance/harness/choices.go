// SPDX-License-Identifier: MPL-2.0

package harness

import (
	"cmp"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Choice is the name of a local value in the configurations of all tests. It is null where a service has nothing of its kind.
type Choice string

// The choices. An operator sets those that have a variable.
const (
	Account              Choice = "account"
	Group                Choice = "group"
	Zone                 Choice = "zone" // null: the service chooses
	Distribution         Choice = "distribution"
	OtherDistribution    Choice = "other_distribution"
	HardwareProfile      Choice = "hardware_profile"
	OtherHardwareProfile Choice = "other_hardware_profile"
	Keymap               Choice = "keymap"
	OtherKeymap          Choice = "other_keymap"
	PrivateGroup         Choice = "private_group"
	PrivateIPv4          Choice = "private_ipv4"
	ReadyPort            Choice = "ready_port"
	Username             Choice = "username"
)

// variables are the environment variables that set a choice.
var variables = map[Choice]string{
	Account:           "CLOUDSERVER_ACCOUNT",
	Group:             "ACC_GROUP",
	Zone:              "ACC_ZONE",
	Distribution:      "ACC_DISTRIBUTION",
	OtherDistribution: "ACC_OTHER_DISTRIBUTION",
	PrivateGroup:      "ACC_PRIVATE_GROUP",
	PrivateIPv4:       "ACC_PRIVATE_IPV4",
	ReadyPort:         "ACC_READY_PORT",
	Username:          "CLOUDSERVER_USERNAME",
}

// lacks says why a test is skipped that needs a choice which the service does not have.
var lacks = map[Choice]string{
	Distribution:         "the service offers no distribution",
	OtherDistribution:    "the service offers one distribution alone",
	HardwareProfile:      "the service offers no hardware profile",
	OtherHardwareProfile: "the service offers one hardware profile alone",
	Keymap:               "the service lists no keymaps",
	OtherKeymap:          "the service lists no two keymaps",
	PrivateGroup:         "no group on a private VLAN is named: set ACC_PRIVATE_GROUP",
	PrivateIPv4:          "no free address of the private VLAN is named: set ACC_PRIVATE_IPV4",
	ReadyPort:            "no port is named on which a new machine answers: set ACC_READY_PORT, such as 22, where the addresses can be reached",
	Username:             "a session needs a user: set CLOUDSERVER_USERNAME and CLOUDSERVER_PASSWORD in place of a token",
}

// known are distributions that most services offer, in the order in which they are chosen.
var known = []string{"trixie", "bookworm", "noble", "jammy"}

// choose returns what is set, or else something that the service offers.
func choose(set func(Choice) string, offered *cloudserver.Definitions) map[Choice]string {
	images := slices.Clone(offered.Names[cloudserver.Distributions])
	slices.SortStableFunc(images, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	// A restart turns virtio2011 into another profile (API.md §3).
	profiles := without(offered.Names[cloudserver.HardwareProfiles], "virtio2011")
	keymaps := offered.Names[cloudserver.Keymaps]
	chosen := map[Choice]string{}
	for choice := range variables {
		chosen[choice] = set(choice)
	}
	chosen[Distribution] = cmp.Or(chosen[Distribution], at(images, 0))
	chosen[OtherDistribution] = cmp.Or(chosen[OtherDistribution], at(without(images, chosen[Distribution]), 0))
	chosen[HardwareProfile], chosen[OtherHardwareProfile] = at(profiles, 0), at(profiles, 1)
	chosen[Keymap], chosen[OtherKeymap] = at(keymaps, 0), at(keymaps, 1)
	return chosen
}

func rank(distribution string) int {
	if place := slices.Index(known, distribution); place >= 0 {
		return place
	}
	return len(known)
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(one string) bool { return one == name })
}

func at(names []string, place int) string {
	if place >= len(names) {
		return ""
	}
	return names[place]
}
