package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// privateEffects are the effects on a plan that only a private state can have: the change of the configuration, and the
// message of the plan, or the ID that the changed block gets.
var privateEffects = map[string]struct {
	change func(config map[string]any)
	says   string // "update": it plans one
	disc   string // the ID of the second disc
}{
	"imported": {change: func(c map[string]any) { c["disc"] = blocks("vda", "logs") }, says: "was imported, and the configuration has no block for these discs"},
	"imageless": {change: func(c map[string]any) {
		c["reimage"] = map[string]any{"distribution": "bookworm", "root_password": "made-up"}
	}, says: "installs the image"},
	"owed":    {change: func(c map[string]any) { delete(c, "power_on"); delete(c, "autoreboot_on") }, says: "update"},
	"unready": {says: "update"},
	"foreign": {change: func(c map[string]any) { c["disc"] = blocks("vda", "data", "logs", "theirs") }, says: "are managed from now on"},
	"moved":   {says: "is on another machine"},
	"renamed": {change: func(c map[string]any) { c["disc"] = regraded(blocks("vda", "theirs", "logs")) }, says: "update", disc: "DISC"},
	"seen":    {change: func(c map[string]any) { c["disc"] = blocks("vda", "one", "two") }, says: "will be purged"},
}

func blocks(labels ...string) (discs []map[string]any) {
	for _, label := range labels {
		discs = append(discs, map[string]any{"label": label, "size": 700})
	}
	return discs
}

// regraded returns the discs with another grade for the second.
func regraded(discs []map[string]any) []map[string]any {
	discs[1]["storage_grade"] = "ssd"
	return discs
}

// TestEditionsPrivateStates: every kind of private state that an edition wrote still has its effect. All keys of a
// machine's private state are covered, except those that only plans have.
func TestEditionsPrivateStates(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../vm/private.go")
	if err != nil {
		t.Fatal(err)
	}
	untested := map[string]struct{}{}
	for _, tag := range regexp.MustCompile("`json:\"([a-z_]+),").FindAllStringSubmatch(string(source), -1) {
		untested[tag[1]] = struct{}{}
	}
	files, err := filepath.Glob("testdata/editions/*/private.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no edition: %v", err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var kinds map[string]json.RawMessage
		if err := json.Unmarshal(content, &kinds); err != nil {
			t.Fatal(err)
		}
		for kind, kept := range kinds {
			var keys map[string]any
			if err := json.Unmarshal(kept, &keys); err != nil {
				t.Fatal(err)
			}
			for key := range keys {
				delete(untested, key)
			}
			t.Run(filepath.Base(filepath.Dir(file))+"/"+kind, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { replayPrivate(t, kind, string(kept)) })
			})
		}
	}
	for key := range untested {
		t.Errorf("no edition has a private state with %s", key)
	}
}

func replayPrivate(t *testing.T, kind, kept string) {
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	ctx, effect := t.Context(), privateEffects[kind]
	config := map[string]any{"name": "web1", "disc": blocks("vda", "data", "logs"), "power_on": false, "autoreboot_on": false}
	if kind == "unready" {
		config["power_on"], config["autoreboot_on"] = true, true
		config["ready"] = map[string]any{"port": 22}
		d.DialGuests(e)
	}
	plain := maps.Clone(config)
	delete(plain, "ready")
	o := d.MustApply(ctx, "cloudserver_vm", nil, plain)
	if kind == "unready" {
		o = d.MustApply(ctx, "cloudserver_vm", o, config)
	}
	disc := o.Get("disc.1.id").(string)
	private, err := json.Marshal(map[string][]byte{"kept": []byte(strings.ReplaceAll(kept, "DISC", disc))})
	if err != nil {
		t.Fatal(err)
	}
	without, with := *o, *o
	without.Private, with.Private = nil, private
	if effect.change != nil {
		effect.change(config)
	}
	plan := func(o *acctest.Object) (string, string) {
		p := d.Plan(ctx, o.TypeName, o, config)
		id := ""
		if p.Action == acctest.ActionUpdate {
			id, _ = p.Get("disc.1.id").(string)
		}
		group := ""
		if p.Action == acctest.ActionUpdate {
			group = fmt.Sprintf("group %q", p.Get("group"))
		}
		return acctest.DiagText(p.Diagnostics) + string(p.Action) + group, id
	}
	has, id := plan(&with)
	lacks, other := plan(&without)
	if !strings.Contains(has, effect.says) || effect.disc != "" && id != disc {
		t.Errorf("want %q, got\n%s", effect.says, has)
	}
	if has == lacks && id == other {
		t.Errorf("without it the plan is the same:\n%s", lacks)
	}
}
