package schemafile

import (
	"fmt"
	"strings"
)

// Change is a difference between two files.
type Change struct {
	Breaking bool
	Text     string
}

// String describes the change for people.
func (c Change) String() string {
	if c.Breaking {
		return "breaking: " + c.Text
	}
	return "additive: " + c.Text
}

// Compare returns the differences from old to now: those that break a configuration, a state, a plan or a pipeline that
// worked, and additions. A renamed attribute counts as one that was removed and one that was added.
func Compare(old, now File) []Change {
	var changes []Change
	add := func(breaking bool, format string, values ...any) {
		changes = append(changes, Change{breaking, fmt.Sprintf(format, values...)})
	}
	for _, object := range sorted(old) {
		if now[object] == nil {
			add(true, "%s: removed", object)
		}
	}
	for _, object := range sorted(now) {
		if old[object] == nil {
			add(false, "%s: new", object)
			continue
		}
		for _, path := range sorted(old[object]) {
			if _, ok := now[object][path]; !ok {
				add(true, "%s: %s removed", object, path)
			}
		}
		for _, path := range sorted(now[object]) {
			at := strings.TrimSuffix(object+": "+path, ": ")
			was, ok := old[object][path]
			is := now[object][path]
			switch {
			case !ok && strings.HasPrefix(object, "identity "):
				add(true, "%s new, and an identity never changes", at)
			case !ok:
				add(is.Required && newParent(old[object], path), "%s new%s", at, map[bool]string{true: ", and required"}[is.Required])
			default:
				compare(was, is, func(breaking bool, format string, values ...any) {
					add(breaking, at+": "+format, values...)
				})
			}
		}
	}
	return changes
}

// newParent reports whether the block of an attribute is new. Required attributes of a new block break nothing.
func newParent(old map[string]Property, path string) bool {
	end := strings.LastIndex(path, ".")
	if end < 0 {
		return true
	}
	_, ok := old[strings.TrimSuffix(path[:end], "[]")]
	return ok
}

func compare(was, is Property, add func(breaking bool, format string, values ...any)) {
	if was.Type != is.Type {
		// Raising the version of a schema is compatible, because the provider upgrades the states of older versions.
		add(!strings.HasPrefix(was.Type, "version "), "%s, was %s", is.Type, was.Type)
	}
	wasInput, isInput := was.Required || was.Optional, is.Required || is.Optional
	switch {
	case is.Required && !was.Required:
		add(true, "required, was not")
	case wasInput && !isInput:
		add(true, "cannot be configured any more")
	case was.Required && is.Optional:
		add(false, "optional, was required")
	case !wasInput && isInput:
		add(false, "can be configured")
	}
	for _, flag := range []struct {
		name             string
		was, is          bool
		comes, goesBreak bool
	}{
		{"computed", was.Computed, is.Computed, false, true},
		{"sensitive", was.Sensitive, is.Sensitive, true, false}, // an output of the value needs the mark as well
		{"write-only", was.WriteOnly, is.WriteOnly, true, true},
		{"deprecated", was.Deprecated, is.Deprecated, false, false},
	} {
		switch {
		case flag.is && !flag.was:
			add(flag.comes, "%s, was not", flag.name)
		case flag.was && !flag.is:
			add(flag.goesBreak, "not %s any more", flag.name)
		}
	}
	if fmt.Sprint(was.Default) != fmt.Sprint(is.Default) {
		add(true, "default %v, was %v", is.Default, was.Default)
	}
	if was.Change != is.Change {
		add(is.Change == "replace" || is.Change == "error", "a change means %s, was %s", is.Change, was.Change)
	}
}
