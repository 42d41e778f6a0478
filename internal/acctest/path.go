package acctest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// step appends an element to a dotted path: "disc" and 0 give "disc.0".
func step(at string, next any) string {
	if at == "" {
		return fmt.Sprint(next)
	}
	if next == "" {
		return at
	}
	return fmt.Sprintf("%s.%v", at, next)
}

// Path returns an attribute path with dots: "disc.0.size", or "" for the whole.
func Path(path *tftypes.AttributePath) string {
	at := ""
	for _, s := range path.Steps() {
		switch s := s.(type) {
		case tftypes.AttributeName:
			at = step(at, string(s))
		case tftypes.ElementKeyString:
			at = step(at, string(s))
		case tftypes.ElementKeyInt:
			at = step(at, int64(s))
		}
	}
	return at
}

// lookup returns the value at a dotted path. The error of a path that does not exist says which part is missing.
func lookup(v tftypes.Value, path string) (tftypes.Value, error) {
	if path == "" {
		return v, nil
	}
	name, rest, _ := strings.Cut(path, ".")
	next, ok := members(v)[name]
	if index, err := strconv.Atoi(name); err == nil && !ok {
		if all := elements(v); index >= 0 && index < len(all) {
			next, ok = all[index], true
		}
	}
	if !ok {
		return tftypes.Value{}, fmt.Errorf("there is no %q in %s", name, v.Type())
	}
	return lookup(next, rest)
}
