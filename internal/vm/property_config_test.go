package vm_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// wish is a configuration of a machine; what is zero or nil is absent.
type wish struct {
	name, account, group, groupID             string
	profile, keymap, cdrom, zone              string
	cores, memory                             int
	locked, autoreboot, power                 *bool
	stopping, soft, protected, shutdownBefore *bool // allow_stopping_for_update, …
	ipv4                                      string
	discs                                     []discWish
	image                                     *imageWish
	ignored                                   []string // ignore_changes
	ready                                     string   // timeout of the block ready

	labels int // how many labels were given out
}

type discWish struct {
	label, grade string
	size         int
}

type imageWish struct {
	distribution, key, revision, onChange string
}

func one[T any](rng *rand.Rand, choices ...T) T { return choices[rng.IntN(len(choices))] }

// chance reports true once in n.
func chance(rng *rand.Rand, n int) bool { return rng.IntN(n) == 0 }

// mutate returns another configuration, which the machine can nearly always be
// brought to.
func (l *life) mutate(w wish) wish {
	w = w.clone()
	rng := l.rng
	mutations := []func(){
		func() { w.name = l.drawName() },
		func() { l.drawPlace(&w) },
		func() { w.cores = one(rng, 0, 1, 2, 4) },
		func() { w.memory = one(rng, 0, 1024, 2048, 4096) },
		func() {
			w.profile = one(rng, "", "virtio2011", "virtio2013", "compatibility2011", "compatibility2013")
		},
		func() { w.keymap = one(rng, "", "de", "fr") },
		func() { w.cdrom = one(rng, "", "https://a.example/a.iso", "https://b.example/b.iso") },
		func() { w.locked = one(rng, nil, new(true), new(false)) },
		func() { w.autoreboot, w.power = one(rng, nil, new(false)), one(rng, nil, new(false)) },
		func() { w.autoreboot, w.power = one(rng, nil, new(true), new(false)), one(rng, nil, new(true)) },
		func() { w.stopping = one(rng, new(true), new(true), nil, new(false)) },
		func() { w.soft = one(rng, nil, nil, new(true), new(false)) },
		func() { w.protected = one(rng, nil, new(true), new(false)) },
		func() { w.shutdownBefore = one(rng, nil, new(true)) },
		func() { w.mutateDiscs(rng) },
		func() { w.mutateDiscs(rng) },
		func() { w.discs[rng.IntN(len(w.discs))].size += 1000 * (1 + rng.IntN(3)) },
		func() { w.mutateImage(rng) },
		func() { w.mutateImage(rng) },
		func() { w.ignored = l.drawIgnored(w) },
	}
	for range 1 + rng.IntN(4) {
		mutations[rng.IntN(len(mutations))]()
	}
	if l.strict { // this service chooses nothing, and does not offer everything
		w.cores, w.memory = max(w.cores, 1), max(w.memory, 1024)
	}
	if chance(l.later, 3) {
		w.ready = one(l.later, "", "3m", "10m")
	}
	if chance(rng, 16) { // a replacement, now and then
		w.zone = one(rng, "york", "manchester")
	}
	if chance(rng, 16) { // a refusal, now and then
		disc := &w.discs[rng.IntN(len(w.discs))]
		disc.size, disc.grade = one(rng, disc.size, 2000), one(rng, disc.grade, "ssd", "archive")
	}
	return w
}

func (w wish) clone() wish {
	w.discs, w.ignored = slices.Clone(w.discs), slices.Clone(w.ignored)
	return w
}

// mutateDiscs adds, removes, reorders or renames discs, but keeps the first one
// first.
func (w *wish) mutateDiscs(rng *rand.Rand) {
	w.labels++
	label := fmt.Sprintf(one(rng, "disc%d", "disc.%d", "Disc%d", "dïsc-%d", "a disc %d", strings.Repeat("x", 60)+"%d"), w.labels)
	last := len(w.discs)
	switch choice := rng.IntN(5); {
	case choice <= 1 && last < 7:
		added := discWish{label: label, size: 5000, grade: one(rng, "", "sata", "ssd")}
		w.discs = slices.Insert(w.discs, 1+rng.IntN(last), added)
	case choice == 2 && last > 1:
		at := 1 + rng.IntN(last-1)
		w.discs = slices.Delete(w.discs, at, at+1)
	case choice == 3 && last > 2:
		rest := w.discs[1:]
		rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	default:
		w.discs[rng.IntN(last)].label = label
	}
}

func (w *wish) mutateImage(rng *rand.Rand) {
	if w.image == nil || chance(rng, 6) {
		w.image = one(rng, nil, &imageWish{distribution: "bookworm", revision: "1"}, &imageWish{distribution: "bookworm", onChange: "reimage"})
		return
	}
	image := *w.image
	image.onChange = one(rng, "", "replace", "reimage", "reimage", "reimage")
	switch rng.IntN(4) {
	case 0:
		image.distribution = one(rng, "bookworm", "trixie", "noble")
	case 1:
		image.revision = one(rng, "", "1", "2", "3")
	case 2:
		image.key = one(rng, "", "ssh-ed25519 A", "ssh-ed25519 B")
	}
	w.image = &image
}

// ignore draws a configuration whose changes are mostly ignored, beside one that
// is not.
func (l *life) ignore(w *wish) {
	w.name = l.drawName()
	w.mutateDiscs(l.rng)
	w.mutateImage(l.rng)
	w.ignored = one(l.rng, l.drawIgnored(*w), []string{"reimage", "disc"}, []string{"reimage"}, []string{"disc"})
}

// drawIgnored draws the paths of ignore_changes.
func (l *life) drawIgnored(w wish) []string {
	paths := []string{
		"name", "group", "group_id", "account", "cores", "memory", "hardware_profile", "hardware_profile_locked", "keymap", "cdrom_url",
		"zone_name", "power_on", "autoreboot_on", "deletion_protection", "purge_on_destroy", "allow_stopping_for_update",
		"disc", "disc", "disc", "reimage", "reimage", "ips", "disc.0.size", "disc.0.label", "disc.1.size", "disc.1.label", "disc.1.storage_grade",
	}
	if w.image != nil {
		paths = append(paths, "reimage.distribution", "reimage.revision", "reimage.ssh_public_key", "reimage.on_change")
	}
	switch l.rng.IntN(8) {
	case 0, 1:
		return nil
	case 2:
		return []string{"all"}
	}
	return []string{one(l.rng, paths...), one(l.rng, paths...)}
}

// drawIPs draws the block ips: an address that the machine has, which is
// adopted, another one, or none. Only a private network lets it be chosen.
func (l *life) drawIPs(s *slot, w *wish) {
	m, exists := l.machine(s)
	i := slices.IndexFunc(l.groups, func(p place) bool { return p.address != "" && (!exists || p.id == m.GroupID) })
	if i < 0 {
		w.ipv4 = ""
		return
	}
	p := l.groups[i]
	other := netip.MustParseAddr(p.address)
	for range 1 + slices.Index(l.slots, s) {
		other = other.Next()
	}
	if exists {
		w.ipv4 = one(l.rng, "", ipv4Of(m), ipv4Of(m), other.String())
		return
	}
	w.account, w.group, w.groupID, w.ipv4 = p.account, p.name, "", other.String()
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

// config is the wish as a user writes it.
func (w wish) config() object {
	config := object{"name": w.name}
	for name, text := range map[string]string{
		"account": w.account, "group": w.group, "group_id": w.groupID,
		"hardware_profile": w.profile, "keymap": w.keymap, "cdrom_url": w.cdrom, "zone_name": w.zone,
	} {
		if text != "" {
			config[name] = text
		}
	}
	for name, number := range map[string]int{"cores": w.cores, "memory": w.memory} {
		if number != 0 {
			config[name] = number
		}
	}
	for name, value := range map[string]*bool{
		"hardware_profile_locked": w.locked, "autoreboot_on": w.autoreboot, "power_on": w.power,
		"allow_stopping_for_update": w.stopping, "purge_on_destroy": w.soft, "deletion_protection": w.protected, "shutdown_before_destroy": w.shutdownBefore,
	} {
		if value != nil {
			config[name] = *value
		}
	}
	var blocks objects
	for _, d := range w.discs {
		block := object{"label": d.label, "size": d.size}
		if d.grade != "" {
			block["storage_grade"] = d.grade
		}
		blocks = append(blocks, block)
	}
	config["disc"] = blocks
	if w.image != nil {
		config["reimage"] = w.image.config()
	}
	if w.ready != "" {
		config["ready"] = object{"port": 22, "timeout": w.ready}
	}
	if w.ipv4 != "" {
		config["ips"] = object{"ipv4": w.ipv4}
	}
	return config
}

func (i imageWish) config() object {
	block := object{"distribution": i.distribution, "root_password": "test-only"}
	for name, text := range map[string]string{"ssh_public_key": i.key, "revision": i.revision, "on_change": i.onChange} {
		if text != "" {
			block[name] = text
		}
	}
	return block
}

// blur returns the configuration with values that are known only after apply.
func blur(rng *rand.Rand, config object, unknown any) (blurred object, paths []string) {
	blurred = maps.Clone(config)
	for range 1 + rng.IntN(2) {
		name := one(rng, slices.Sorted(maps.Keys(blurred))...)
		switch block := blurred[name].(type) {
		case objects:
			if chance(rng, 3) {
				break
			}
			i := rng.IntN(len(block))
			block = slices.Clone(block)
			block[i] = maps.Clone(block[i])
			attribute := one(rng, slices.Sorted(maps.Keys(block[i]))...)
			block[i][attribute] = unknown
			blurred[name] = block
			paths = append(paths, fmt.Sprintf("%s.%d.%s", name, i, attribute))
			continue
		case object:
			if chance(rng, 3) {
				break
			}
			block = maps.Clone(block)
			attribute := one(rng, slices.Sorted(maps.Keys(block))...)
			block[attribute] = unknown
			blurred[name] = block
			paths = append(paths, name+"."+attribute)
			continue
		}
		blurred[name] = unknown
		paths = append(paths, name)
	}
	return blurred, paths
}

// wishOf is the configuration that describes the machine as the state has it:
// what people write who accept whatever happened elsewhere.
func wishOf(state map[string]any, before wish) wish {
	w := wish{
		name: state["name"].(string), account: textOf(state["account"]), groupID: textOf(state["group_id"]), zone: textOf(state["zone_name"]),
		profile: textOf(state["hardware_profile"]), cdrom: textOf(state["cdrom_url"]), keymap: textOf(state["keymap"]), labels: before.labels,
		cores: int(numberOf(state["cores"])), memory: int(numberOf(state["memory"])),
	}
	for at, value := range map[**bool]any{&w.protected: state["deletion_protection"], &w.soft: state["purge_on_destroy"], &w.shutdownBefore: state["shutdown_before_destroy"]} {
		if b, ok := value.(bool); ok {
			*at = &b
		}
	}
	for _, d := range blocksOf(state["disc"]) {
		w.discs = append(w.discs, discWish{label: textOf(d["label"]), size: int(numberOf(d["size"])), grade: textOf(d["storage_grade"])})
	}
	if block, ok := state["ready"].(map[string]any); ok {
		w.ready = textOf(block["timeout"])
	}
	if block, ok := state["ips"].(map[string]any); ok {
		w.ipv4 = textOf(block["ipv4"])
	}
	if block, ok := state["reimage"].(map[string]any); ok {
		w.image = &imageWish{
			distribution: textOf(block["distribution"]), key: textOf(block["ssh_public_key"]), revision: textOf(block["revision"]),
			onChange: cmp.Or(textOf(block["on_change"]), "replace"),
		}
	}
	return w
}
