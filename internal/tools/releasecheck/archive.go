// SPDX-License-Identifier: MPL-2.0

package main

import (
	"archive/zip"
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// checkArchive checks the files of an archive, what its program says of itself, and its SBOM.
func checkArchive(archive string, built release) error {
	names, err := list(archive)
	if err != nil {
		return err
	}
	if want := []string{"CHANGELOG.md", "LICENSE", "THIRD_PARTY_NOTICES", built.program(archive)}; !slices.Equal(names, want) {
		return fmt.Errorf("it has the files %v, want %v", names, want)
	}
	program, err := readProgram(archive)
	if err != nil {
		return err
	}
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return err
	}
	sbom, err := os.ReadFile(sbomOf(archive))
	if err != nil {
		return err
	}
	return errors.Join(built.checkBuildInfo(info), checkSBOM(sbom, info, "v"+built.version))
}

// sbomOf returns the path of an archive's SBOM.
func sbomOf(archive string) string { return strings.TrimSuffix(archive, ".zip") + ".cdx.json" }

// checkSBOM returns an error unless an SBOM is of the version, and lists the modules that are in the program.
func checkSBOM(content []byte, info *debug.BuildInfo, version string) error {
	type component struct{ Name, Version string }
	var sbom struct {
		BOMFormat  string
		Metadata   struct{ Component component }
		Components []component
	}
	if err := json.Unmarshal(content, &sbom); err != nil {
		return fmt.Errorf("the SBOM: %w", err)
	}
	if sbom.BOMFormat != "CycloneDX" || sbom.Metadata.Component.Version != version {
		return fmt.Errorf("the SBOM is of %s in format %q, want %s", sbom.Metadata.Component.Version, sbom.BOMFormat, version)
	}
	want := []component{{Name: "std", Version: strings.Fields(info.GoVersion)[0]}}
	for _, module := range info.Deps {
		want = append(want, component{module.Path, module.Version})
	}
	for _, module := range want {
		if !slices.Contains(sbom.Components, module) {
			return fmt.Errorf("the SBOM lacks %s %s", module.Name, module.Version)
		}
	}
	return nil
}

// list returns the names of an archive's files, in order.
func list(archive string) ([]string, error) {
	files, err := zip.OpenReader(archive)
	if err != nil {
		return nil, err
	}
	defer files.Close() //nolint:errcheck // it was only read
	var names []string
	for _, file := range files.File {
		names = append(names, file.Name)
	}
	slices.Sort(names)
	return names, nil
}

// readProgram returns the content of an archive's program.
func readProgram(archive string) ([]byte, error) {
	files, err := zip.OpenReader(archive)
	if err != nil {
		return nil, err
	}
	defer files.Close() //nolint:errcheck // it was only read
	for _, file := range files.File {
		if !strings.HasPrefix(file.Name, project) {
			continue
		}
		if file.Mode()&0o111 == 0 {
			return nil, fmt.Errorf("%s cannot be executed", file.Name)
		}
		reader, err := file.Open()
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(reader)
		return content, errors.Join(err, reader.Close())
	}
	return nil, errors.New("there is no program in it")
}
