package adopt

import (
	"errors"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// functions returns the functions of Terraform that are commonly used in names, keys and references. An expression that
// uses any other function is unknown.
func functions() map[string]function.Function {
	to := func(kind cty.Type) function.Function { return stdlib.MakeToFunc(kind) }
	return map[string]function.Function{
		"abs": stdlib.AbsoluteFunc, "ceil": stdlib.CeilFunc, "floor": stdlib.FloorFunc, "max": stdlib.MaxFunc, "min": stdlib.MinFunc,
		"chunklist": stdlib.ChunklistFunc, "coalesce": stdlib.CoalesceFunc, "coalescelist": stdlib.CoalesceListFunc, "compact": stdlib.CompactFunc,
		"concat": stdlib.ConcatFunc, "contains": stdlib.ContainsFunc, "csvdecode": stdlib.CSVDecodeFunc, "distinct": stdlib.DistinctFunc,
		"element": stdlib.ElementFunc, "flatten": stdlib.FlattenFunc, "format": stdlib.FormatFunc, "formatlist": stdlib.FormatListFunc,
		"join": stdlib.JoinFunc, "jsondecode": stdlib.JSONDecodeFunc, "keys": stdlib.KeysFunc, "length": stdlib.LengthFunc, "lookup": stdlib.LookupFunc,
		"lower": stdlib.LowerFunc, "merge": stdlib.MergeFunc, "range": stdlib.RangeFunc, "regex": stdlib.RegexFunc, "replace": stdlib.ReplaceFunc,
		"reverse": stdlib.ReverseListFunc, "setproduct": stdlib.SetProductFunc, "setsubtract": stdlib.SetSubtractFunc, "setunion": stdlib.SetUnionFunc,
		"slice": stdlib.SliceFunc, "sort": stdlib.SortFunc, "split": stdlib.SplitFunc, "substr": stdlib.SubstrFunc, "title": stdlib.TitleFunc,
		"trim": stdlib.TrimFunc, "trimprefix": stdlib.TrimPrefixFunc, "trimspace": stdlib.TrimSpaceFunc, "trimsuffix": stdlib.TrimSuffixFunc,
		"upper": stdlib.UpperFunc, "values": stdlib.ValuesFunc, "zipmap": stdlib.ZipmapFunc,
		"tolist": to(cty.List(cty.DynamicPseudoType)), "toset": to(cty.Set(cty.DynamicPseudoType)), "tomap": to(cty.Map(cty.DynamicPseudoType)),
		"tostring": to(cty.String), "tonumber": to(cty.Number), "tobool": to(cty.Bool),
		"can": tryfunc.CanFunc, "try": tryfunc.TryFunc, "one": one,
	}
}

// one returns the only element of a collection, or null if it is empty.
var one = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}},
	Type:   function.StaticReturnType(cty.DynamicPseudoType),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		kind := args[0].Type()
		if !kind.IsListType() && !kind.IsSetType() && !kind.IsTupleType() {
			return cty.NilVal, errors.New("must be a list, a set or a tuple")
		}
		switch elements := args[0].AsValueSlice(); len(elements) {
		case 0:
			return cty.NullVal(cty.DynamicPseudoType), nil
		case 1:
			return elements[0], nil
		}
		return cty.NilVal, errors.New("must have at most one element")
	},
})
