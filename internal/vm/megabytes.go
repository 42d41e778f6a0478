package vm

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Sizes in megabytes outside of which another unit was probably meant.
const (
	leastMemory, mostMemory = 128, 10 << 20 // 10 TB
	leastDisc, mostDisc     = 100, 100 << 20
)

// warnUnits warns of new numbers of megabytes that were probably meant in another unit. A disc that would shrink is an
// error, which says the same.
func (d *decision) warnUnits() {
	state, plan, diags := &d.state, &d.plan, &d.refused
	if !plan.Memory.Equal(state.Memory) {
		warnUnit(path.Root("memory"), plan.Memory, leastMemory, mostMemory, diags)
	}
	for i, disc := range plan.discs() {
		if had, ok := discWithID(state.discs(), disc.ID); !ok || disc.Size.ValueInt64() > had.Size.ValueInt64() {
			warnUnit(discPath(i, "size"), disc.Size, leastDisc, mostDisc, diags)
		}
	}
}

// inGigabytes returns the sentence about a size in megabytes that was probably meant in gigabytes, before a space, or "".
func inGigabytes(size int64) string {
	if size >= leastDisc {
		return ""
	}
	return fmt.Sprintf("size is in megabytes: for %d gigabytes, set %d. ", size, size<<10)
}

// warnUnit warns of a number of megabytes that was probably meant in another unit. The service may accept it. Other
// validators refuse what cannot be a size.
func warnUnit(at path.Path, size types.Int64, least, most int64, diags *diag.Diagnostics) {
	switch value := size.ValueInt64(); {
	case value > 0 && value < least:
		diags.AddAttributeWarning(at, "Value may be in gigabytes",
			fmt.Sprintf("%s is in megabytes, and %d is hardly enough for anything. For %d gigabytes use %d, or provider::cloudserver::megabytes(\"%dGiB\").",
				at, value, value, value*1024, value))
	case value > most:
		diags.AddAttributeWarning(at, "Value may be in kilobytes or bytes",
			fmt.Sprintf("%s is in megabytes, and %d megabytes are %d terabytes. "+
				"For a number of another unit use, for example, provider::cloudserver::megabytes(\"4GiB\").",
				at, value, value>>20))
	}
}
