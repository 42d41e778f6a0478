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
	for size, want := range map[string]string{
		"":                          "is not a size",
		"25":                        "is not a size",
		"GiB":                       "is not a size",
		"-1GiB":                     "is not a size",
		"1e3GiB":                    "is not a size",
		"1,5GiB":                    "is not a size",
		" 1GiB":                     "is not a size",
		"1  GiB":                    "is not a size",
		"25gib":                     "write GiB, not gib",
		"25Mb":                      "write MB, not Mb",
		"25G":                       "G is not one of kB, KiB, MB, MiB, GB, GiB, TB, TiB",
		"1GB":                       "between 953MiB and 954MiB",
		"4096MB":                    "between 3906MiB and 3907MiB",
		"1KiB":                      "between 0MiB and 1MiB",
		"1.0001GiB":                 "between 1024MiB and 1025MiB",
		"999999999999999999TiB":     "is too large",
		"1234567890123456789012MiB": "is not a size",
	} {
		if got, err := toMegabytes(size); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("megabytes(%q): want an error with %q, got %v, %v", size, want, got, err)
		}
	}
}

// Whatever is passed, the result is a number of megabytes that is not negative, or an error.
func FuzzToMegabytes(f *testing.F) {
	for _, seed := range []string{"25GiB", "1.5 GiB", "512MiB", "0.000000000000000001TiB", "999999999999999999TiB", "4 gigs", "", "1e9MB", "-1GiB"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, size string) {
		if count, err := toMegabytes(size); count < 0 || err != nil && count != 0 {
			t.Errorf("%q is %d megabytes, %v", size, count, err)
		}
	})
}
