// Vulndb keeps a snapshot of the Go vulnerability database in the repository, so that a scan needs no network.
//
//	vulndb -from CHECKOUT FOLDER…   writes the snapshot: the entries for the modules that the go.mod of each folder names
//	vulndb -into FOLDER             writes what `govulncheck -db file://FOLDER` reads, and prints the date of the snapshot
//
// The checkout is one of golang/vulndb, bare or not; what is committed there counts. An entry keeps the fields that a
// scan needs.
package main

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// snapshot has a line for the state of the database, and then one for each entry, in the order of their IDs.
const snapshot = "internal/tools/vulndb/snapshot.jsonl"

// state says which day the database is of.
type state struct {
	Date string `json:"date"`
}

// entry is what a scan needs of an entry in the format of osv.dev.
type entry struct {
	SchemaVersion string          `json:"schema_version"`
	ID            string          `json:"id"`
	Published     time.Time       `json:"published"`
	Withdrawn     *time.Time      `json:"withdrawn,omitempty"`
	Summary       string          `json:"summary,omitempty"`
	Affected      []affected      `json:"affected"`
	Specific      json.RawMessage `json:"database_specific,omitempty"`
}

// affected has the versions and the symbols of one module.
type affected struct {
	Package  modulePath      `json:"package"`
	Ranges   json.RawMessage `json:"ranges,omitempty"`
	Specific json.RawMessage `json:"ecosystem_specific,omitempty"`
}

// modulePath names a module, or "stdlib" or "toolchain".
type modulePath struct {
	Name      string `json:"name"`
	Ecosystem string `json:"ecosystem"`
}

func main() {
	from := flag.String("from", "", "a checkout of golang/vulndb, to write the snapshot from")
	into := flag.String("into", "", "the folder to lay the snapshot out in")
	file := flag.String("snapshot", snapshot, "the snapshot")
	flag.Parse()
	var err error
	switch {
	case *from != "" && *into == "":
		err = write(context.Background(), *from, *file, flag.Args())
	case *into != "" && *from == "":
		err = layOut(*file, *into)
	default:
		err = errors.New("one of -from and -into is required")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "vulndb:", err)
		os.Exit(1)
	}
}

// write writes the snapshot of what the checkout says about the modules of the folders, Go itself included.
func write(ctx context.Context, checkout, file string, folders []string) error {
	modules, err := modulesOf(ctx, folders)
	if err != nil {
		return err
	}
	date, err := output(ctx, "git", "-C", checkout, "log", "-1", "--format=%cs")
	if err != nil {
		return err
	}
	at := state{strings.TrimSpace(string(date))}
	archive, err := output(ctx, "git", "-C", checkout, "archive", "--format=tar", "HEAD:data/osv")
	if err != nil {
		return err
	}
	entries, err := read(bytes.NewReader(archive), modules)
	if err != nil {
		return err
	}

	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	if err := lines.Encode(at); err != nil {
		return err
	}
	for _, entry := range entries {
		if err := lines.Encode(entry); err != nil {
			return err
		}
	}
	fmt.Printf("%s: %d entries for %d modules, as of %s\n", file, len(entries), len(modules), at.Date)
	return os.WriteFile(file, text.Bytes(), 0o644)
}

// modulesOf returns the modules that the build lists of these folders name, and those that stand for Go itself.
func modulesOf(ctx context.Context, folders []string) (map[string]bool, error) {
	modules := map[string]bool{"stdlib": true, "toolchain": true}
	for _, folder := range folders {
		text, err := output(ctx, "go", "mod", "edit", "-json", filepath.Join(folder, "go.mod"))
		if err != nil {
			return nil, err
		}
		var module struct{ Require []struct{ Path string } }
		if err := json.Unmarshal(text, &module); err != nil {
			return nil, err
		}
		for _, required := range module.Require {
			modules[required.Path] = true
		}
	}
	return modules, nil
}

// read returns the entries of an archive that concern one of the modules, by ID, without those that were withdrawn.
func read(archive io.Reader, modules map[string]bool) ([]entry, error) {
	var entries []entry
	for files := tar.NewReader(archive); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if !strings.HasSuffix(header.Name, ".json") {
			continue
		}
		var found entry
		if err := json.NewDecoder(files).Decode(&found); err != nil {
			return nil, fmt.Errorf("%s: %w", header.Name, err)
		}
		found.Affected = slices.DeleteFunc(found.Affected, func(a affected) bool { return !modules[a.Package.Name] })
		if len(found.Affected) > 0 && found.Withdrawn == nil {
			entries = append(entries, found)
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.ID, b.ID) })
	return entries, nil
}

// layOut writes a file for each entry, which is what govulncheck reads, and prints the day that the snapshot is of.
func layOut(file, folder string) error {
	lines, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = lines.Close() }() // it was only read
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	decoder := json.NewDecoder(lines)
	var at state
	if err := decoder.Decode(&at); err != nil {
		return err
	}
	for decoder.More() {
		var next entry
		if err := decoder.Decode(&next); err != nil {
			return err
		}
		text, err := json.Marshal(next)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, next.ID+".json"), text, 0o644); err != nil {
			return err
		}
	}
	fmt.Println(at.Date)
	return nil
}

// output returns what a command prints, or an error with what it complains about.
func output(ctx context.Context, name string, arguments ...string) ([]byte, error) {
	var complaint bytes.Buffer
	command := exec.CommandContext(ctx, name, arguments...)
	command.Stderr = &complaint
	text, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", name, strings.Join(arguments, " "), err, strings.TrimSpace(complaint.String()))
	}
	return text, nil
}
