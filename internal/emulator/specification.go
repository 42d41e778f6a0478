package emulator

import (
	"net/http"
	"net/url"
)

// specification reads the attributes that creation and update share, except the power.
func (c *call) specification(f form) (specification, error) {
	s := specification{}
	for _, a := range attributes {
		if a.read == nil {
			continue
		}
		if set := a.read(c, f); set != nil {
			s[a.name] = set
		}
	}
	var wanted Machine
	if s.apply(&wanted); wanted.CDROMURL != "" && !usableURL(wanted.CDROMURL) && len(f.problems) == 0 {
		return s, refuse(http.StatusInternalServerError, "internal server error")
	}
	return s, nil
}

// atLeastOne reads a whole number that is at least 1.
func (*call) atLeastOne(f form, name string) *int64 { return f.integer(name, 1) }

// boolean reads a boolean.
func (*call) boolean(f form, name string) *bool { return f.boolean(name) }

// nullable reads a string that may be null.
func (*call) nullable(f form, name string) *string { return f.nullable(name) }

// memory reads an amount of memory.
func (c *call) memory(f form, name string) *int64 {
	memory := f.integer(name, 1)
	if c.store.options.Strict && memory != nil && !offered(*memory) {
		f.problems.add(name, notListed)
	}
	return memory
}

// profile reads the name of a hardware profile.
func (c *call) profile(f form, name string) *string { return f.listed(name, c.store.profiles()) }

// keymap reads the name of a keymap, or null.
func (c *call) keymap(f form, name string) *string {
	keymap := f.nullable(name)
	if keymap != nil && *keymap != "" && !c.store.choice("keymaps").has(*keymap) {
		f.problems.add(name, notListed)
	}
	return keymap
}

// usableURL reports whether the service can fetch a CD from a URL. For any other it answers 500.
func usableURL(value string) bool {
	address, err := url.Parse(value)
	return err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Host != ""
}

// offered reports whether a strict service offers an amount of memory: powers of two from 512 MB, and one and a half
// times each.
func offered(memory int64) bool {
	for size := int64(512); size <= 128*1024; size *= 2 {
		if memory == size || memory == size+size/2 {
			return true
		}
	}
	return false
}
