package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// wordsOfLibraries are phrases with which the framework and its validators report errors of a configuration.
var wordsOfLibraries = []string{"provider developer", "Must set a configuration value", "as the provider has marked it", "Invalid Attribute", "got: "}

// TestRequiredArgumentsThatAreNull: each is an error of ours at the argument, in every schema, and for an action also
// when it is planned and invoked, because only then is a variable known.
func TestRequiredArgumentsThatAreNull(t *testing.T) {
	t.Parallel()
	found := map[string]int{}
	for _, v := range validations(t) {
		attributesOf(v.schema.Block, nil, func(at []string, a *tfprotov6.SchemaAttribute) {
			if !a.Required {
				return
			}
			found[v.kind]++
			want := fmt.Sprintf("error at %s: Missing %s\n%s is required, and it is null.", strings.Join(at, "."), a.Name, written(at))
			if text := v.of(t, at, nil); !strings.Contains(text, want) || containsAny(text, wordsOfLibraries) {
				t.Errorf("%s %s: want %q in\n%s", v.kind, v.name, want, text)
			}
		})
	}
	if found["resource"] < 9 || found["action"] < 9 || found["planned action"] != found["action"] || found["invoked action"] != found["action"] || found["data source"] < 2 {
		t.Errorf("found %v", found)
	}
}

// TestReadOnlyArguments: one that is configured is an error of ours.
func TestReadOnlyArguments(t *testing.T) {
	t.Parallel()
	found := map[string]int{}
	for _, v := range validations(t) {
		attributesOf(v.schema.Block, nil, func(at []string, a *tfprotov6.SchemaAttribute) {
			var value any
			switch {
			case !a.Computed || a.Optional:
				return
			case a.ValueType().Is(tftypes.String):
				value = "1"
			case a.ValueType().Is(tftypes.Bool):
				value = true
			default:
				return
			}
			found[v.kind]++
			want := fmt.Sprintf("error at %s: Cannot set %s\n%s is read-only", strings.Join(at, "."), a.Name, written(at))
			if text := v.of(t, at, value); !strings.Contains(text, want) || containsAny(text, wordsOfLibraries) {
				t.Errorf("%s %s: want %q in\n%s", v.kind, v.name, want, text)
			}
		})
	}
	if found["resource"] < 8 || found["data source"] < 10 {
		t.Errorf("found %v", found)
	}
}

// TestTextsThatNobodyMeans: an empty text, one of another language, and one that is far too long have no message in
// the words of a library, in any schema.
func TestTextsThatNobodyMeans(t *testing.T) {
	t.Parallel()
	found := map[string]int{}
	for _, v := range validations(t) {
		attributesOf(v.schema.Block, nil, func(at []string, a *tfprotov6.SchemaAttribute) {
			if !a.ValueType().Is(tftypes.String) || a.Computed && !a.Optional {
				return
			}
			found[v.kind]++
			for _, value := range []string{"", " ", "日本", strings.Repeat("x", 300)} {
				text := v.of(t, at, value)
				if containsAny(text, wordsOfLibraries) {
					t.Errorf("%s %s: %s = %q:\n%s", v.kind, v.name, written(at), value, text)
				}
				if value == "" && !strings.Contains(text, "error at "+strings.Join(at, ".")+":") && !strings.HasSuffix(written(at), "firstboot_script") {
					t.Errorf("%s %s: %s is empty, and there is no error:\n%s", v.kind, v.name, written(at), text)
				}
			}
		})
	}
	if found["resource"] < 20 || found["list resource"] < 10 || found["planned action"] != found["action"] {
		t.Errorf("found %v", found)
	}
}

func containsAny(text string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// TestImportIDsWithBlanks: whitespace around an import ID is an error that shows the ID without it, for every resource,
// and nothing is sent.
func TestImportIDsWithBlanks(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	for typeName, id := range map[string]string{
		"cloudserver_vm": "1234", "cloudserver_group": "demo/web", "cloudserver_rdns": "192.0.2.1", "cloudserver_backup_schedule": "1/2/3",
	} {
		for _, text := range []string{" " + id, id + "\n", "\t" + id + " "} {
			_, diags := d.Import(t.Context(), typeName, text)
			acctest.ExpectError(t, diags, "Invalid import ID", fmt.Sprintf("%q has leading or trailing whitespace. Use %q.", text, id))
		}
	}
	acctest.ExpectCalls(t, e)
}
