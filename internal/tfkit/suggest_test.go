// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"slices"
	"testing"
)

var (
	distributions = []string{"trixie", "bookworm", "noble", "jammy", "rocky9", "rocky10", "leap16"}
	descriptions  = map[string]string{
		"trixie": "Debian 13 (Trixie)", "bookworm": "Debian 12 (Bookworm)", "noble": "Ubuntu 24.04 LTS", "jammy": "Ubuntu 22.04 LTS",
		"rocky9": "Rocky Linux 9", "rocky10": "Rocky Linux 10", // none for leap16
	}
)

func TestSuggest(t *testing.T) {
	t.Parallel()
	many := slices.Concat(distributions, []string{"a1", "a2", "a3", "a4", "a5", "a6"})
	const all = `The service offers: "trixie", "bookworm", "noble", "jammy", "rocky9", "rocky10", "leap16".`
	for _, test := range []struct {
		name         string
		names        []string
		descriptions map[string]string
		want         string
	}{
		{name: "x", want: "The service offers none."},
		{name: "default", names: []string{"york"}, want: `The service offers: "york".`},
		{name: "yorc", names: []string{"york", "manchester"}, want: `Did you mean "york"? The service offers: "york", "manchester".`},
		{name: "bookwurm", names: distributions, want: `Did you mean "bookworm"? ` + all},
		{name: "windows", names: distributions, want: all},
		{name: "ROCKY9", names: distributions, want: `Did you mean "rocky9"? ` + all},
		{name: "nob", names: distributions, want: `Did you mean "noble"? ` + all},
		{name: "b", names: []string{"a", "c", "b", "d"}, want: `Did you mean "b"? The service offers: "a", "c", "b", "d".`},
		{name: "--", names: []string{"a"}, descriptions: map[string]string{"a": "x"}, want: `The service offers: "a" (x).`},
		{name: "debian-12", names: []string{"trixie", "bookworm"}, descriptions: descriptions, want: `Did you mean "bookworm" (Debian 12 (Bookworm))? The service offers: "trixie" (Debian 13 (Trixie)), "bookworm" (Debian 12 (Bookworm)).`},
		{name: "GB", names: []string{"de", "en-gb"}, want: `Did you mean "en-gb"? The service offers: "de", "en-gb".`},
		{name: "bookwurm", names: many, want: `Did you mean "bookworm"? The closest of the 13 that the service offers: "bookworm", "rocky9", "rocky10".`},
		{name: "ubuntu-2204", names: many, descriptions: descriptions, want: `Did you mean "jammy" (Ubuntu 22.04 LTS)? The closest of the 13 that the service offers: "jammy" `},
		{name: "rocky-linux-10", names: many, descriptions: descriptions, want: `Did you mean "rocky10" (Rocky Linux 10)? `},
		{name: "debian-11", names: many, descriptions: descriptions, want: `The closest of the 13 `},
		{name: "debian-12", names: many, descriptions: descriptions, want: `Did you mean "bookworm" (Debian 12 (Bookworm))? The closest of the 13 that the service offers: "bookworm" (Debian 12 (Bookworm)), `},
	} {
		got := suggest(test.name, test.names, test.descriptions, "The service offers", "that the service offers")
		if got != test.want && (len(test.names) < 13 || len(got) < len(test.want) || got[:len(test.want)] != test.want) {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}
