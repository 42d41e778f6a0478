package schemafile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	const thing = "resource thing"
	name := Property{Type: "String", Optional: true, Computed: true, Default: "x", Change: "update"}
	file := func(change func(*Property)) File {
		p := name
		if change != nil {
			change(&p)
		}
		return File{thing: {"": {Type: "version 0"}, "name": p, "disc": {Type: "block list, 0 to 8", Optional: true}, "disc[].size": {Type: "Number", Required: true}}}
	}
	with := func(path string, p Property) File {
		f := file(nil)
		f[thing][path] = p
		return f
	}
	without := func(path string) File {
		f := file(nil)
		delete(f[thing], path)
		return f
	}
	for _, c := range []struct {
		title    string
		old, now File
		want     []string
	}{
		{title: "nothing", old: file(nil), now: file(nil)},
		{title: "object removed", old: file(nil), now: File{}, want: []string{"breaking: resource thing: removed"}},
		{title: "object new", old: File{}, now: file(nil), want: []string{"additive: resource thing: new"}},
		{title: "renamed", old: with("old", name), now: with("new", name), want: []string{"breaking: resource thing: old removed", "additive: resource thing: new new"}},
		{title: "attribute removed", old: file(nil), now: without("disc[].size"), want: []string{"breaking: resource thing: disc[].size removed"}},
		{title: "new, optional", old: file(nil), now: with("keymap", Property{Optional: true}), want: []string{"additive: resource thing: keymap new"}},
		{title: "new, required", old: file(nil), now: with("keymap", Property{Required: true}), want: []string{"breaking: resource thing: keymap new, and required"}},
		{title: "new, required in a block that was there", old: without("disc[].size"), now: file(nil), want: []string{"breaking: resource thing: disc[].size new, and required"}},
		{title: "new block, which requires", old: file(nil), now: with("ready.port", Property{Required: true}), want: []string{"additive: resource thing: ready.port new, and required"}},
		{title: "type", old: file(nil), now: file(func(p *Property) { p.Type = "Number" }), want: []string{"breaking: resource thing: name: Number, was String"}},
		{title: "version", old: file(nil), now: with("", Property{Type: "version 1"}), want: []string{"additive: resource thing: version 1, was version 0"}},
		{title: "required", old: file(nil), now: file(func(p *Property) { p.Required, p.Optional = true, false }), want: []string{"breaking: resource thing: name: required, was not"}},
		{title: "optional", old: file(func(p *Property) { p.Required, p.Optional = true, false }), now: file(nil), want: []string{"additive: resource thing: name: optional, was required"}},
		{title: "read only", old: file(nil), now: file(func(p *Property) { p.Optional = false }), want: []string{"breaking: resource thing: name: cannot be configured any more"}},
		{title: "can be configured", old: file(func(p *Property) { p.Optional = false }), now: file(nil), want: []string{"additive: resource thing: name: can be configured"}},
		{title: "computed gone", old: file(nil), now: file(func(p *Property) { p.Computed = false }), want: []string{"breaking: resource thing: name: not computed any more"}},
		{title: "sensitive", old: file(nil), now: file(func(p *Property) { p.Sensitive = true }), want: []string{"breaking: resource thing: name: sensitive, was not"}},
		{title: "write-only", old: file(nil), now: file(func(p *Property) { p.WriteOnly = true }), want: []string{"breaking: resource thing: name: write-only, was not"}},
		{title: "deprecated", old: file(nil), now: file(func(p *Property) { p.Deprecated = true }), want: []string{"additive: resource thing: name: deprecated, was not"}},
		{title: "default", old: file(nil), now: file(func(p *Property) { p.Default = "y" }), want: []string{"breaking: resource thing: name: default y, was x"}},
		{title: "replaces", old: file(nil), now: file(func(p *Property) { p.Change = "replace" }), want: []string{"breaking: resource thing: name: a change means replace, was update"}},
		{title: "in place", old: file(func(p *Property) { p.Change = "replace" }), now: file(nil), want: []string{"additive: resource thing: name: a change means update, was replace"}},
		{title: "identity", old: File{"identity thing": {}}, now: File{"identity thing": {"id": {Optional: true}}}, want: []string{"breaking: identity thing: id new, and an identity never changes"}},
	} {
		t.Run(c.title, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, change := range Compare(c.old, c.now) {
				got = append(got, change.String())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
