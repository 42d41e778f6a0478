// SPDX-License-Identifier: MPL-2.0

// Package functions implements the provider's functions. They compute without the service and need no provider block.
package functions

import (
	"context"
	"fmt"
	"math/big"
	"regexp"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/function"
)

// A megabyte of the service (API.md §8, memory and size) is 2^20 bytes: a disc of 25 GiB has 25600.
const bytesPerMegabyte = 1 << 20

// units are sizes in bytes.
var units = map[string]int64{
	"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
	"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
}

// sizeShape matches an unsigned number and its unit. It is compiled on first use, because the provider starts for each
// command.
var sizeShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-9]{1,9}(?:\.[0-9]{1,9})?) ?([kKMGT]i?B)$`)
})

type megabytes struct{}

// NewMegabytes returns the function megabytes.
func NewMegabytes() function.Function { return megabytes{} }

func (megabytes) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "megabytes"
}

func (megabytes) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Converts a size to megabytes",
		MarkdownDescription: "Converts a size with a unit to megabytes as the service counts them, which are MiB. " +
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
	if parts == nil || units[parts[2]] == 0 {
		return 0, fmt.Errorf("%q is not a size: pass a number and a unit, such as 25GiB or 1.5GiB; "+
			"units are KiB, MiB, GiB, TiB, kB, MB, GB and TB", size)
	}
	number, _ := new(big.Rat).SetString(parts[1]) // its shape is checked
	count := number.Mul(number, big.NewRat(units[parts[2]], bytesPerMegabyte))
	if !count.IsInt() {
		return 0, fmt.Errorf("%q is not a whole number of megabytes of 1,048,576 bytes (1 MiB); "+
			"use a unit of KiB, MiB, GiB or TiB", size)
	}
	return count.Num().Int64(), nil
}
