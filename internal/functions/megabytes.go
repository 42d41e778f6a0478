// Package functions implements the provider's functions. They compute without the service and need no provider block.
package functions

import (
	"context"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/function"
)

// A megabyte of the service (API.md §8, memory and size) is 2^20 bytes: a disc of 25 GiB has 25600.
const bytesPerMegabyte = 1 << 20

// units are sizes in bytes, smallest first.
var units = []struct {
	name  string
	bytes int64
}{
	{"kB", 1e3},
	{"KiB", 1 << 10},
	{"MB", 1e6},
	{"MiB", 1 << 20},
	{"GB", 1e9},
	{"GiB", 1 << 30},
	{"TB", 1e12},
	{"TiB", 1 << 40},
}

// sizeShape matches an unsigned number and its unit. It is compiled on first use, because the provider starts for each
// command.
var sizeShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]{1,18}(?:\.[0-9]{1,18})?) ?([A-Za-z]+)$`) })

type megabytes struct{}

// NewMegabytes returns the function megabytes.
func NewMegabytes() function.Function { return megabytes{} }

func (megabytes) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "megabytes"
}

func (megabytes) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Converts a size to megabytes",
		MarkdownDescription: "Converts a size with a unit to megabytes as the service counts them: 1 megabyte is 1 MiB, which is 1,048,576 bytes. " +
			"Units are `KiB`, `MiB`, `GiB`, `TiB` (powers of 1024) and `kB`, `MB`, `GB`, `TB` (powers of 1000). " +
			"A size that is not a whole number of megabytes is an error.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "size", MarkdownDescription: "Number and unit, such as `25GiB`, `1.5 GiB` or `512MiB`."},
		},
		Return: function.Int64Return{},
	}
}

func (megabytes) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var size string
	if resp.Error = req.Arguments.Get(ctx, &size); resp.Error != nil {
		return
	}
	count, err := toMegabytes(size)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, count)
}

// toMegabytes converts a size exactly, or returns an error.
func toMegabytes(size string) (int64, error) {
	parts := sizeShape().FindStringSubmatch(size)
	if parts == nil && strings.Contains(size, ",") {
		return 0, fmt.Errorf("%q is not a size: it has a comma; write a decimal point, as in 1.5GiB, and nothing between thousands", size)
	}
	if parts == nil {
		return 0, fmt.Errorf("%q is not a size: pass a number and a unit (%s), such as 25GiB", size, unitNames())
	}
	unit, err := unitBytes(parts[2])
	if err != nil {
		return 0, fmt.Errorf("%q has an unknown unit: %w", size, err)
	}
	number, ok := new(big.Rat).SetString(parts[1])
	if !ok {
		return 0, fmt.Errorf("%q is not a size: %q is not a number", size, parts[1])
	}
	count := number.Mul(number, big.NewRat(unit, bytesPerMegabyte))
	whole := new(big.Int).Quo(count.Num(), count.Denom())
	switch {
	case !whole.IsInt64():
		return 0, fmt.Errorf("%q is too large", size)
	case !count.IsInt():
		return 0, fmt.Errorf("%q is not a whole number of megabytes of 1,048,576 bytes (1 MiB): "+
			"it is between %dMiB and %dMiB; use one of those, or a unit of KiB, MiB, GiB or TiB",
			size, whole, new(big.Int).Add(whole, big.NewInt(1)))
	}
	return whole.Int64(), nil
}

func unitBytes(name string) (int64, error) {
	for _, unit := range units {
		if unit.name == name {
			return unit.bytes, nil
		}
	}
	for _, unit := range units {
		if strings.EqualFold(unit.name, name) {
			return 0, fmt.Errorf("write %s, not %s", unit.name, name)
		}
	}
	return 0, fmt.Errorf("%s is not one of %s", name, unitNames())
}

func unitNames() string {
	names := make([]string, len(units))
	for i, unit := range units {
		names[i] = unit.name
	}
	return strings.Join(names, ", ")
}
