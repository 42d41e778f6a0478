// Command schema prints the differences between two schema files. Its exit status is 1 if one of them is a breaking
// change.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tools/schemafile"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "schema:", err)
		os.Exit(1)
	}
}

func run(paths []string) error {
	if len(paths) != 2 {
		return errors.New("usage: schema OLD NEW")
	}
	var files [2]schemafile.File
	for i, path := range paths {
		text, err := os.ReadFile(path)
		if err == nil {
			files[i], err = schemafile.Parse(text)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	breaking := 0
	for _, change := range schemafile.Compare(files[0], files[1]) {
		fmt.Println(change)
		if change.Breaking {
			breaking++
		}
	}
	if breaking > 0 {
		return fmt.Errorf("%d breaking: a new major version, or another way", breaking)
	}
	return nil
}
