package vm_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// wish is a configuration of a machine with its block lifecycle.
type wish struct {
	config  object
	ignored []string // ignore_changes
	labels  int      // number of labels that were used so far
}

func (w wish) name() string { return textOf(w.config["name"]) }

func (w wish) discs() objects { return w.config["disc"].(objects) }

// set sets the value at a path; nil removes it.
func (w wish) set(path string, value any) { put(w.config, strings.Split(path, "."), value) }

// clone copies what later draws change. Single blocks are not copied, because put does that.
func (w wish) clone() wish {
	w.config, w.ignored = maps.Clone(w.config), slices.Clone(w.ignored)
	blocks := slices.Clone(w.discs())
	for i := range blocks {
		blocks[i] = maps.Clone(blocks[i])
	}
	w.config["disc"] = blocks
	return w
}

func pick[T any](rng *rand.Rand, choices ...T) T { return choices[rng.IntN(len(choices))] }

// chance reports true once in n times.
func chance(rng *rand.Rand, n int) bool { return rng.IntN(n) == 0 }

// mutate returns another configuration, which a plan accepts in nearly all cases.
func (l *life) mutate(w wish) wish {
	w = w.clone()
	rng := l.rng
	draw := func(path string, choices ...any) { w.set(path, pick(rng, choices...)) }
	mutations := []func(){
		func() { w.set("name", l.drawName()) },
		func() { l.drawLocation(w) },
		func() { draw("cores", nil, 1, 2, 4) },
		func() { draw("memory", nil, 1024, 2048, 4096) },
		func() {
			draw("hardware_profile", nil, "virtio2011", "virtio2013", "compatibility2011", "compatibility2013")
		},
		func() { draw("autoreboot_on", nil, false); draw("power_on", nil, false) },
		func() { draw("autoreboot_on", nil, true, false); draw("power_on", nil, true) },
		func() { draw(leave, true, true, nil, false) },
		func() { draw("purge_on_destroy", nil, nil, true, false) },
		func() { draw("deletion_protection", nil, true, false) },
		func() { draw("shutdown_before_destroy", nil, true) },
		func() { draw("ready", nil, object{"port": 22, "timeout": "3m"}, object{"port": 22, "timeout": "10m"}) },
		func() { w.mutateDiscs(rng) },
		func() { w.mutateDiscs(rng) },
		func() { w.growDisc(rng) },
		func() { w.mutateImage(rng) },
		func() { w.mutateImage(rng) },
		func() { w.ignored = l.drawIgnored(w) },
	}
	for _, s := range acctest.Settings {
		mutations = append(mutations, func() { draw(s.Name, append([]any{nil}, s.Values...)...) })
	}
	for range 1 + rng.IntN(4) {
		mutations[rng.IntN(len(mutations))]()
	}
	if l.options.Strict { // this service has no defaults
		w.set("cores", max(numberOf(w.config["cores"]), 1))
		w.set("memory", max(numberOf(w.config["memory"]), 1024))
	}
	if chance(rng, 16) { // a replacement, now and then
		draw("zone_name", "york", "manchester")
	}
	if chance(rng, 16) { // a refusal, now and then
		disc := pick(rng, w.discs()...)
		disc["size"] = pick(rng, disc["size"], 2000)
		disc["storage_grade"] = pick[any](rng, "sata", "ssd", "archive")
	}
	return w
}

// mutateDiscs adds, removes, reorders or renames discs. The first one stays first.
func (w *wish) mutateDiscs(rng *rand.Rand) {
	w.labels++
	label := fmt.Sprintf(pick(rng, "disc%d", "disc.%d", "Disc%d", "dïsc-%d", "a disc %d", strings.Repeat("x", 60)+"%d"), w.labels)
	blocks := w.discs()
	last := len(blocks)
	switch choice := rng.IntN(5); {
	case choice <= 1 && last < 7:
		added := discs(label + pick(rng, ":5000", ":5000:sata", ":5000:ssd"))
		w.config["disc"] = slices.Insert(blocks, 1+rng.IntN(last), added...)
	case choice == 2 && last > 1:
		at := 1 + rng.IntN(last-1)
		w.config["disc"] = slices.Delete(blocks, at, at+1)
	case choice == 3 && last > 2:
		rest := blocks[1:]
		rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	default:
		pick(rng, blocks...)["label"] = label
	}
}

func (w *wish) growDisc(rng *rand.Rand) {
	disc := pick(rng, w.discs()...)
	disc["size"] = numberOf(disc["size"]) + int64(1000*(1+rng.IntN(3)))
}

func (w *wish) mutateImage(rng *rand.Rand) {
	if w.config["reimage"] == nil || chance(rng, 6) {
		image := given{"distribution": "bookworm", "root_password": "test-only"}
		w.set("reimage", pick[any](rng, nil, with(image, "revision", "1"), with(image, "on_change", "reimage")))
		return
	}
	w.set("reimage.on_change", pick[any](rng, nil, "replace", "reimage", "reimage", "reimage"))
	switch rng.IntN(4) {
	case 0:
		w.set("reimage.distribution", pick(rng, "bookworm", "trixie", "noble"))
	case 1:
		w.set("reimage.revision", pick[any](rng, nil, "1", "2", "3"))
	case 2:
		w.set("reimage.ssh_public_key", pick[any](rng, nil, "ssh-ed25519 A", "ssh-ed25519 B"))
	}
}

// ignore draws a configuration most of whose changes are ignored.
func (l *life) ignore(w *wish) {
	w.set("name", l.drawName())
	w.mutateDiscs(l.rng)
	w.mutateImage(l.rng)
	w.ignored = pick(l.rng, l.drawIgnored(*w), []string{"reimage", "disc"}, []string{"reimage"}, []string{"disc"})
}

// drawIgnored draws the paths of ignore_changes.
func (l *life) drawIgnored(w wish) []string {
	paths := append(acctest.SettingNames(),
		"name", "group", "group_id", "account", "cores", "memory", "hardware_profile",
		"zone_name", "power_on", "autoreboot_on", "deletion_protection", "purge_on_destroy", "allow_stopping_for_update",
		"disc", "disc", "disc", "reimage", "reimage", "ips", "disc.0.size", "disc.0.label", "disc.1.size", "disc.1.label", "disc.1.storage_grade",
	)
	if w.config["reimage"] != nil {
		paths = append(paths, "reimage.distribution", "reimage.revision", "reimage.ssh_public_key", "reimage.on_change")
	}
	switch l.rng.IntN(8) {
	case 0, 1:
		return nil
	case 2:
		return []string{"all"}
	}
	return []string{pick(l.rng, paths...), pick(l.rng, paths...)}
}

// drawIPs draws the block ips: the address that the machine has, another one, or none. An address can be chosen in
// private networks only.
func (l *life) drawIPs(s *instance, w wish) {
	m, exists := l.machine(s)
	i := slices.IndexFunc(l.groups, func(p groupOfLife) bool { return p.address != "" && (!exists || p.id == m.GroupID) })
	if i < 0 {
		w.set("ips", nil)
		return
	}
	other := netip.MustParseAddr(l.groups[i].address)
	for range 1 + slices.Index(l.instances, s) {
		other = other.Next()
	}
	if w.set("ips.ipv4", other.String()); exists {
		w.set("ips", pick[any](l.rng, nil, object{"ipv4": ipv4Of(m)}, object{"ipv4": ipv4Of(m)}, w.config["ips"]))
		return
	}
	l.groups[i].put(w)
}

// ipv4Of returns the first IPv4 address of the machine, "" if it has none.
func ipv4Of(m emulator.Machine) string {
	for _, card := range m.Interfaces {
		for _, text := range card.IPs {
			if address, err := netip.ParseAddr(text); err == nil && address.Is4() {
				return text
			}
		}
	}
	return ""
}

// blur returns the configuration with some values that are known only after apply, and their paths.
func (w wish) blur(rng *rand.Rand) (blurred object, paths []string) {
	blurred = w.clone().config
	for range 1 + rng.IntN(2) {
		path := pick(rng, slices.Sorted(maps.Keys(blurred))...)
		switch block := blurred[path].(type) {
		case objects:
			if i := rng.IntN(len(block)); !chance(rng, 3) {
				path = fmt.Sprintf("%s.%d.%s", path, i, pick(rng, slices.Sorted(maps.Keys(block[i]))...))
			}
		case object:
			if !chance(rng, 3) {
				path += "." + pick(rng, slices.Sorted(maps.Keys(block))...)
			}
		}
		put(blurred, strings.Split(path, "."), acctest.Unknown)
		paths = append(paths, path)
	}
	return blurred, paths
}

// wishOf returns the configuration that matches the state: what users write if they accept the changes made outside
// Terraform.
func wishOf(state map[string]any, labels int) wish {
	w := wish{config: object{"disc": objects{}}, labels: labels}
	for _, path := range append(acctest.SettingNames(),
		"name", "account", "group_id", "zone_name", "hardware_profile", "cores", "memory", "ready",
		"deletion_protection", "purge_on_destroy", "shutdown_before_destroy",
	) {
		w.set(path, state[path])
	}
	for _, d := range blocksOf(state["disc"]) {
		delete(d, "id")
		w.config["disc"] = append(w.discs(), d)
	}
	if block, ok := state["ips"].(map[string]any); ok {
		w.set("ips.ipv4", block["ipv4"])
	}
	if block, ok := state["reimage"].(map[string]any); ok {
		w.set("reimage", with(block, "root_password", "test-only"))
	}
	return w
}
