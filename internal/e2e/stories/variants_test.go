package stories

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/variants"
)

type object = map[string]any

// eachVariant tells a story to every variant of the service but the plain one, which the CLI knows. The provider signs
// in with a password, as a service may refuse and describe sessions in its own way, too.
func eachVariant(t *testing.T, story func(t *testing.T, d *acctest.Driver, e *acctest.Emulator)) {
	t.Helper()
	t.Parallel()
	for _, variant := range variants.All()[1:] {
		t.Run(variant.Name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, variant.Options, object{"token": nil, "username": emulator.DemoUser, "password": emulator.DemoPassword})
				story(t, d, e)
				if left := e.Machines(); len(left) > 0 {
					t.Errorf("machines left: %+v", left)
				}
			})
		})
	}
}

// life applies configurations one after the other; after each of them the plan has to be empty.
type life struct {
	t        *testing.T
	d        *acctest.Driver
	typeName string
	o        *acctest.Object
}

// apply applies a configuration; nil destroys. The pairs are expected attributes: path, value, path, value, …
func (l *life) apply(config object, pairs ...any) {
	l.t.Helper()
	ctx := l.t.Context()
	l.o = l.d.MustApply(ctx, l.typeName, l.o, config)
	if config == nil {
		return
	}
	l.o = l.d.MustRefresh(ctx, l.o)
	l.d.ExpectPlan(ctx, l.o, config, acctest.ActionNoOp)
	for i := 0; i+1 < len(pairs); i += 2 {
		path, ok := pairs[i].(string)
		if got := l.o.Get(path); !ok || fmt.Sprint(got) != fmt.Sprint(pairs[i+1]) {
			l.t.Errorf("%s is %v, want %v", path, got, pairs[i+1])
		}
	}
}

// with returns a copy of a configuration with other values.
func with(config object, values object) object {
	changed := object{}
	for _, from := range []object{config, values} {
		for name, value := range from {
			changed[name] = value
		}
	}
	return changed
}

// small is a machine that every variant accepts.
func small(name string) object {
	return object{"name": name, "cores": 1, "memory": 1024, "allow_stopping_for_update": true, "disc": []object{{"label": "vda", "size": 25600}}}
}

// TestVariantsMachine takes a machine through all changes that are made in place.
func TestVariantsMachine(t *testing.T) {
	eachVariant(t, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
		l := &life{t: t, d: d, typeName: "cloudserver_vm"}
		config := with(small(prefix+"web"), object{
			"power_on": true,
			"reimage":  object{"distribution": "bookworm", "root_password": password, "on_change": "reimage"},
		})
		l.apply(config, "last_imaged_with", "bookworm", "power_on", true)
		id := l.o.Get("id")

		config["name"], config["keymap"], config["hardware_profile_locked"] = prefix+"app", "de", true
		config["cores"], config["memory"] = 2, 2048
		l.apply(config, "id", id, "name", prefix+"app", "keymap", "de", "cores", 2, "memory", 2048, "power_on", true)

		config["disc"] = []object{{"label": "vda", "size": 30000}, {"label": "data", "size": 5120}, {"label": "old", "size": 1024}}
		l.apply(config, "disc.0.size", 30000, "disc.1.label", "data", "disc.2.size", 1024)
		config["disc"] = []object{{"label": "vda", "size": 30000}, {"label": "logs", "size": 5120}}
		l.apply(config, "id", id)

		config["cores"], config["power_on"] = 1, false
		l.apply(config, "id", id, "cores", 1, "power_on", false, "autoreboot_on", false)
		config["power_on"] = true
		l.apply(config, "power_on", true)

		config["reimage"] = object{"distribution": "noble", "root_password": password, "on_change": "reimage"}
		l.apply(config, "id", id, "last_imaged_with", "noble", "disc.1.label", "logs")
		config["group"] = emulator.PrivateGroup
		l.apply(config, "id", id, "group", emulator.PrivateGroup)
		l.apply(nil)
	})
}

// TestVariantsAround is about what surrounds a machine: its group, its address, the data sources, lists and imports.
func TestVariantsAround(t *testing.T) {
	eachVariant(t, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
		ctx := t.Context()
		g := &life{t: t, d: d, typeName: "cloudserver_group"}
		g.apply(object{"name": prefix + "before"}, "name", prefix+"before")
		m := &life{t: t, d: d, typeName: "cloudserver_vm"}
		config := with(small(prefix+"web"), object{"group_id": g.o.Get("id"), "power_on": false})
		m.apply(config, "group_id", g.o.Get("id"), "power_on", false)
		g.apply(object{"name": prefix + "after"}, "name", prefix+"after")
		m.o = d.MustRefresh(ctx, m.o)
		d.ExpectPlan(ctx, m.o, config, acctest.ActionNoOp)

		r := &life{t: t, d: d, typeName: "cloudserver_rdns"}
		r.apply(object{"address": m.o.Get("ipv4_address"), "hostname": "one.example.com"})
		r.apply(object{"address": m.o.Get("ipv4_address"), "hostname": "two.example.com"}, "hostname", "two.example.com")
		r.apply(nil)

		imported(t, d, "cloudserver_vm", "demo/"+prefix+"after/"+prefix+"web", m.o)
		imported(t, d, "cloudserver_group", "demo/"+prefix+"after", g.o)
		read(t, d, "cloudserver_vm", object{"group": prefix + "after", "name": prefix + "web"}, "id", m.o.Get("id"))
		read(t, d, "cloudserver_vms", object{"name_pattern": prefix + "*"}, "virtual_machines.0.id", m.o.Get("id"))
		read(t, d, "cloudserver_group", object{"name": prefix + "after"}, "id", g.o.Get("id"))
		read(t, d, "cloudserver_groups", object{}, "groups.2.name", prefix+"after")
		read(t, d, "cloudserver_account", object{}, "name", "demo")
		read(t, d, "cloudserver_definitions", object{}, "distributions.1", "bookworm")
		if listed := d.MustList(ctx, "cloudserver_vm", object{}, acctest.ListOptions{}); len(listed) != 1 {
			t.Errorf("listed: %+v", listed)
		}
		if _, diags := d.Open(ctx, "cloudserver_session", object{}); acctest.HasErrors(diags) {
			t.Error(acctest.DiagText(diags))
		}
		m.apply(nil)
		g.apply(nil)
	})
}

// imported imports an object and compares its id.
func imported(t *testing.T, d *acctest.Driver, typeName, by string, o *acctest.Object) {
	t.Helper()
	if found := d.MustImport(t.Context(), typeName, by); found.Get("id") != o.Get("id") {
		t.Errorf("import %s %s: %v", typeName, by, found)
	}
}

// read reads a data source and compares one of its attributes.
func read(t *testing.T, d *acctest.Driver, typeName string, config object, path string, want any) {
	t.Helper()
	if got := d.MustReadData(t.Context(), typeName, config).Get(path); got != want {
		t.Errorf("%s: %s is %v, want %v", typeName, path, got, want)
	}
}

// TestVariantsDeletion soft-deletes a machine, brings it back, signals it, and lets it go; errors are explained.
func TestVariantsDeletion(t *testing.T) {
	eachVariant(t, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
		ctx := t.Context()
		l := &life{t: t, d: d, typeName: "cloudserver_vm"}
		config := with(small(prefix+"web"), object{"purge_on_destroy": false})
		l.apply(config)
		id := l.o.Get("id")
		l.apply(nil)
		if _, diags := d.Apply(ctx, l.typeName, d.Plan(ctx, l.typeName, nil, config)); !acctest.HasErrors(diags) {
			t.Error("a machine was created although its name is taken")
		}
		d.MustInvoke(ctx, "cloudserver_vm_undelete", object{"virtual_machine_id": id})
		d.MustInvoke(ctx, "cloudserver_vm_power", object{"virtual_machine_id": id, "state": "start"})
		d.MustInvoke(ctx, "cloudserver_vm_signal", object{"virtual_machine_id": id, "signal": "sendkey", "key": "ctrl-alt-delete"})
		d.MustInvoke(ctx, "cloudserver_vm_reimage", object{"virtual_machine_id": id, "distribution": "noble", "ssh_public_key": "ssh-ed25519 A", "allow_stopping": true})
		if l.o = d.MustImport(ctx, l.typeName, fmt.Sprint(id)); l.o.Get("last_imaged_with") != "noble" {
			t.Errorf("imaged with %v", l.o.Get("last_imaged_with"))
		}
		l.apply(config, "id", id)
		l.apply(nil)
		d.MustInvoke(ctx, "cloudserver_vm_purge", object{"virtual_machine_id": id, "name": config["name"]})
		_, diags := d.Apply(ctx, l.typeName, d.Plan(ctx, l.typeName, nil, with(config, object{"hardware_profile": "none-such"})))
		if text := acctest.DiagText(acctest.Errors(diags)); !strings.Contains(text, "is not included in the list") {
			t.Errorf("the service's reason is not in the error:\n%s", text)
		}
	})
}
