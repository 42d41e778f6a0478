// SPDX-License-Identifier: MPL-2.0

package adopt

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"os"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
)

// managed are the objects that a state has, by type and import ID.
type managed map[string]bool

func (m managed) has(o object) bool { return m[key(o.typeName, o.importID())] }

// key returns the key of an object. An address may be spelled in several ways.
func key(typeName, importID string) string {
	if address, err := netip.ParseAddr(importID); err == nil {
		importID = address.Unmap().String()
	}
	return typeName + " " + importID
}

// shownModule is a module in the output of `terraform show -json`.
type shownModule struct {
	Resources []struct {
		Mode   string         `json:"mode"`
		Type   string         `json:"type"`
		Values map[string]any `json:"values"`
	} `json:"resources"`
	ChildModules []shownModule `json:"child_modules"`
}

// readManaged reads a file with the output of `terraform show -json`. Without a file nothing is managed.
func readManaged(file string) (managed, error) {
	if file == "" {
		return nil, nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--except: %w", err)
	}
	var shown struct {
		FormatVersion string `json:"format_version"`
		Values        struct {
			RootModule shownModule `json:"root_module"`
		} `json:"values"`
		PlannedValues json.RawMessage `json:"planned_values"`
	}
	if json.Unmarshal(content, &shown) != nil || shown.FormatVersion == "" || shown.PlannedValues != nil {
		return nil, cmd.Misused("--except %s is not a state as `terraform show -json` writes it", file)
	}
	all := managed{}
	all.add(shown.Values.RootModule)
	return all, nil
}

func (m managed) add(module shownModule) {
	for _, r := range module.Resources {
		text := func(name string) string { return fmt.Sprint(r.Values[name]) }
		if r.Mode == "managed" {
			m[key(r.Type, importIDOf(r.Type, text))] = true
		}
	}
	for _, child := range module.ChildModules {
		m.add(child)
	}
}
