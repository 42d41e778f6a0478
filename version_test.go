// SPDX-License-Identifier: MPL-2.0

package main

import "testing"

func TestVersionHasTheCommit(t *testing.T) {
	t.Parallel()
	for want, settings := range map[string]map[string]string{
		"1.0.0":                       {"vcs": "git"},
		"1.0.0+2851483dc33b":          {"vcs.revision": "2851483dc33b57c7583a48fedc4a2b391e9ddc49", "vcs.modified": "false"},
		"1.0.0+2851483dc33b.modified": {"vcs.revision": "2851483dc33b57c7583a48fedc4a2b391e9ddc49", "vcs.modified": "true"},
	} {
		if got := withCommit("1.0.0", settings); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
