// SPDX-License-Identifier: MPL-2.0

package functions

import (
	"strings"
	"testing"
)

func TestMegabytes(t *testing.T) {
	t.Parallel()
	for size, want := range map[string]int64{
		"25GiB": 25600, "1.5GiB": 1536, "512MiB": 512, "1 GiB": 1024, "2048KiB": 2, "1TiB": 1048576, "0.25TiB": 262144,
		"0GiB": 0, "007MiB": 7, "1.50GiB": 1536,
		"2048GB": 1953125, "16384MB": 15625, "256TB": 244140625, "16384000kB": 15625,
	} {
		if got, err := toMegabytes(size); err != nil || got != want {
			t.Errorf("megabytes(%q): want %d, got %v, %v", size, want, got, err)
		}
	}
}

func TestMegabytesRefuses(t *testing.T) {
	t.Parallel()
	const noSize, notWhole = "is not a size", "is not a whole number of megabytes"
	for size, want := range map[string]string{
		"": noSize, "25": noSize, "GiB": noSize, "-1GiB": noSize, "1e3GiB": noSize, "1,5GiB": noSize, " 1GiB": noSize, "1  GiB": noSize,
		"25gib": noSize, "25Mb": noSize, "25G": noSize, "1234567890MiB": noSize,
		"1GB": notWhole, "4096MB": notWhole, "1KiB": notWhole, "1.0001GiB": notWhole,
	} {
		if got, err := toMegabytes(size); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("megabytes(%q): want an error with %q, got %v, %v", size, want, got, err)
		}
	}
}
