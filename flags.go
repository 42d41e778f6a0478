package main

import (
	"flag"
	"fmt"
)

// owners knows which flags belong to which mode of the program, such as -check. Without one, the provider is served.
type owners struct {
	flags *flag.FlagSet
	modes []string
	mode  map[string]string // by flag; "" for a flag of the program itself
}

// own notes that the flags which were registered since the last call belong to a mode, whose own flag has its name.
func (o *owners) own(mode string) {
	o.modes = append(o.modes, mode)
	o.flags.VisitAll(func(f *flag.Flag) {
		if _, known := o.mode[f.Name]; !known {
			o.mode[f.Name] = mode
		}
	})
}

// misused returns an error if two modes are given, or a flag without its mode.
func (o *owners) misused() (err error) {
	given := map[string]bool{}
	o.flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	first := ""
	for _, mode := range o.modes {
		switch {
		case !given[mode]:
		case first != "":
			return fmt.Errorf("-%s and -%s cannot be used together: run the program once for each", first, mode)
		default:
			first = mode
		}
	}
	o.flags.Visit(func(f *flag.Flag) {
		if mode, ok := o.mode[f.Name]; ok && mode != "" && !given[mode] {
			err = fmt.Errorf("-%s needs -%s", f.Name, mode)
		}
	})
	return err
}
