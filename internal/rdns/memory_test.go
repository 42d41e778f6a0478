// SPDX-License-Identifier: MPL-2.0

package rdns_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

const theirs = "theirs.example"

// TestNameOfOthers: a destroy resets only the name that the resource has set, found or imported, also if a refresh has
// seen another one since, and in each way in which CLIs hand over the state and the private state.
func TestNameOfOthers(t *testing.T) {
	created := func(w *world) *acctest.Object { return w.set(w.d, nil, named(ipv4, www)) }
	ways := map[string]struct {
		begin func(w *world) *acctest.Object
		then  func(w *world, o *acctest.Object) *acctest.Object // after others have set a name
	}{
		"created, refreshed":     {created, func(w *world, o *acctest.Object) *acctest.Object { return w.process().MustRefresh(w.Context(), o) }},
		"created, not refreshed": {created, func(_ *world, o *acctest.Object) *acctest.Object { return o }},
		"private state not refreshed": {created, func(w *world, o *acctest.Object) *acctest.Object {
			refreshed := w.process().MustRefresh(w.Context(), o)
			refreshed.Private = o.Private
			return refreshed
		}},
		"found": {
			func(w *world) *acctest.Object { created(w); return w.set(w.process(), nil, named(ipv4, www)) },
			func(w *world, o *acctest.Object) *acctest.Object { return w.process().MustRefresh(w.Context(), o) },
		},
		"updated": {
			func(w *world) *acctest.Object {
				return w.set(w.d, w.set(w.d, nil, named(ipv4, "old.example")), named(ipv4, www))
			},
			func(w *world, o *acctest.Object) *acctest.Object { return w.process().MustRefresh(w.Context(), o) },
		},
		"imported": {
			func(w *world) *acctest.Object { created(w); return w.process().MustImport(w.Context(), rdnsType, ipv4) },
			func(w *world, o *acctest.Object) *acctest.Object { return w.process().MustRefresh(w.Context(), o) },
		},
		"state without memory": {
			func(w *world) *acctest.Object { o := created(w); o.Private = nil; return o },
			func(w *world, o *acctest.Object) *acctest.Object { return w.process().MustRefresh(w.Context(), o) },
		},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			o := way.begin(w)
			w.set(w.process(), nil, named(ipv4, theirs))
			o = way.then(w, o)
			w.e.ResetJournal()
			w.expect(w.destroy(w.process(), o), "warning at hostname: The reverse DNS name of "+ipv4+" stays",
				`is "theirs.example"`, `"www.example.com"`)
			replacing := w.process()
			_, diags := replacing.Apply(w.Context(), rdnsType, replacing.Plan(w.Context(), rdnsType, o, named(ipv6, www)))
			w.expect(acctest.DiagText(diags), "The reverse DNS name of "+ipv4+" stays")
			acctest.ExpectCalls(t, w.e, "PUT /ips/"+ipv6)
			w.set(w.process(), nil, named(ipv4, www))
			w.expect(w.destroy(w.process(), o))
			if name := w.e.ReverseName(ipv4); name != "" {
				t.Errorf("its own name was not reset: %s", name)
			}
		})
	}
}

// TestOverwrittenName: a create says which name it replaces, unless it is the service's own, or none.
func TestOverwrittenName(t *testing.T) {
	w := newWorld(t)
	o := w.set(w.d, nil, named(ipv4, theirs))
	d := w.process()
	created, diags := d.Apply(w.Context(), rdnsType, d.Plan(w.Context(), rdnsType, nil, named(ipv4, www)))
	w.expect(acctest.DiagText(diags), "warning at hostname: The reverse DNS name of "+ipv4+" was replaced", `"theirs.example"`)
	w.expect(w.destroy(d, o)) // of a block that got another label and another name
	if name := w.nameOf(ipv4); name != www {
		t.Errorf("the name is %v", name)
	}
	w.destroy(w.process(), created)
	d = w.process()
	_, diags = d.Apply(w.Context(), rdnsType, d.Plan(w.Context(), rdnsType, nil, named(ipv4, www)))
	w.expect(acctest.DiagText(diags))
}

// TestOverwrittenNameOfAnotherAccount: the service's own name of a machine in another account that is visible is replaced
// without a warning.
func TestOverwrittenNameOfAnotherAccount(t *testing.T) {
	w := newWorld(t)
	w.e.AddAccount("other", false)
	w.set(w.d, nil, named(ipv4, "web1.default.other.demo.example"))
	d := w.process()
	_, diags := d.Apply(w.Context(), rdnsType, d.Plan(w.Context(), rdnsType, nil, named(ipv4, www)))
	w.expect(acctest.DiagText(diags))
}

// TestTwoBlocks: two blocks of one address are an error, whatever their names.
func TestTwoBlocks(t *testing.T) {
	w := newWorld(t)
	w.set(w.d, nil, named(ipv4, www))
	for _, hostname := range []string{www, theirs} {
		_, diags := w.d.Apply(w.Context(), rdnsType, w.d.Plan(w.Context(), rdnsType, nil, named(ipv4, hostname)))
		acctest.ExpectError(t, diags, "error at address: Cannot set the reverse DNS name of "+ipv4, "Two blocks describe it")
		if name := w.nameOf(ipv4); name != www {
			t.Errorf("%s: the name is %v", hostname, name)
		}
	}
}

// TestSetAgain: in one process, a name may be set again after it was destroyed.
func TestSetAgain(t *testing.T) {
	w := newWorld(t)
	w.set(w.d, w.set(w.d, nil, named(ipv4, www)), nil)
	w.set(w.d, w.set(w.d, nil, named(ipv4, www)), nil)
	if name := w.e.ReverseName(ipv4); name != "" {
		t.Errorf("the name is %s", name)
	}
}
