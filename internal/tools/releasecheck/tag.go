// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// pages are what a user reads at a tag: files, and folders of them.
var pages = []string{"README.md", "SECURITY.md", "SUPPORT.md", "docs", "templates", "examples"}

// unreleased matches what is true only before a release. A tag keeps it for ever.
var unreleased = regexp.MustCompile(`(?i)until the (first|next) release|before the first release|not (yet |been )*released`)

// section matches the heading of a released version in the changelog.
var section = regexp.MustCompile(`^## (\S+) \(\d{4}-\d{2}-\d{2}\)$`)

// checkTag returns an error unless the files may be published under a tag: the changelog begins with its version and a
// date, and no page states that there is no release. The links of the pages follow the changelog.
func checkTag(files fs.FS, tag string) error {
	changelog, err := fs.ReadFile(files, "CHANGELOG.md")
	if err != nil {
		return err
	}
	errs := []error{checkChangelog(changelog, tag)}
	for _, page := range pages {
		err := fs.WalkDir(files, page, func(path string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) || err == nil && entry.IsDir() {
				return nil
			}
			if err != nil {
				return err
			}
			content, err := fs.ReadFile(files, path)
			errs = append(errs, checkPage(path, content))
			return err
		})
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// checkChangelog returns an error unless the first section is that of the tag.
func checkChangelog(content []byte, tag string) error {
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		if !strings.HasPrefix(lines.Text(), "## ") {
			continue
		}
		if found := section.FindStringSubmatch(lines.Text()); found == nil || "v"+found[1] != tag {
			return fmt.Errorf("CHANGELOG.md begins with %q, want %q and the date", lines.Text(), "## "+strings.TrimPrefix(tag, "v"))
		}
		return nil
	}
	return errors.New("CHANGELOG.md has no section")
}

// checkPage returns an error for each line that is wrong at a tag.
func checkPage(path string, content []byte) error {
	var errs []error
	for number, line := range strings.Split(string(content), "\n") {
		if unreleased.MatchString(line) {
			errs = append(errs, fmt.Errorf("%s:%d is not true of a release: %s", path, number+1, strings.TrimSpace(line)))
		}
	}
	return errors.Join(errs...)
}
