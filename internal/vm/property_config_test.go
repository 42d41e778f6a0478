package vm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// wish is a valid configuration of a machine; what is zero or nil is absent.
type wish struct {
	name, group, profile, keymap, cdrom, zone string
	cores, memory                             int
	locked, autoreboot, power                 *bool
	discs                                     []discWish
	image                                     *imageWish

	renamed map[string]string // discs that the last mutation renamed: new label to old
	labels  int               // how many labels were given out
}

type discWish struct {
	label, grade string
	size         int
}

// imageWish is a block reimage; all but inPlace asks for a new image.
type imageWish struct {
	distribution, key string
	version           int
	inPlace           bool
}

func firstWish(rng *rand.Rand) wish {
	w := wish{name: "web1", discs: []discWish{{label: "vda", size: 25600}}}
	if rng.IntN(2) == 0 {
		w.image = &imageWish{distribution: "bookworm", version: 1}
	}
	return w.mutate(rng)
}

// mutate gives another valid configuration that the machine can be brought to.
func (w wish) mutate(rng *rand.Rand) wish {
	w.discs, w.renamed = slices.Clone(w.discs), nil
	mutations := []func(){
		func() { w.name = one(rng, "web1", "web2", "web3") },
		func() { w.group = one(rng, "", "default", "private") },
		func() { w.cores = one(rng, 0, 1, 2, 4) },
		func() { w.memory = one(rng, 0, 1024, 2048, 4096) },
		func() {
			w.profile = one(rng, "", "virtio2011", "virtio2013", "compatibility2011", "compatibility2013")
		},
		func() { w.keymap = one(rng, "", "de", "fr") },
		func() { w.cdrom = one(rng, "", "https://a.example/a.iso", "https://b.example/b.iso") },
		func() { w.locked = one(rng, nil, new(true), new(false)) },
		func() { w.autoreboot = one(rng, nil, new(true), new(false)) },
		func() { w.power = one(rng, nil, new(true), new(false)) },
		func() { w.mutateDiscs(rng) },
		func() { w.mutateDiscs(rng) },
		func() { w.growDisc(rng) },
		func() { w.mutateImage(rng) },
	}
	for range 1 + rng.IntN(4) {
		mutations[rng.IntN(len(mutations))]()
	}
	if rng.IntN(12) == 0 { // a replacement, now and then
		w.zone = one(rng, "york", "manchester")
		w.discs[rng.IntN(len(w.discs))].grade = one(rng, "sata", "ssd")
	}
	return w
}

// mutateDiscs adds, removes, reorders or renames discs, but keeps the first one
// first. A rename is one only when nothing else happens to labels.
func (w *wish) mutateDiscs(rng *rand.Rand) {
	if w.renamed != nil {
		return
	}
	w.labels++
	label := fmt.Sprintf("disc%d", w.labels)
	last := len(w.discs)
	switch choice := rng.IntN(4); {
	case choice == 0 && last < 8:
		added := discWish{label: label, size: 5000, grade: one(rng, "", "sata", "ssd")}
		w.discs = slices.Insert(w.discs, 1+rng.IntN(last), added)
	case choice == 1 && last > 1:
		at := 1 + rng.IntN(last-1)
		w.discs = slices.Delete(w.discs, at, at+1)
	case choice == 2 && last > 2:
		rest := w.discs[1:]
		rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	}
}

func (w *wish) growDisc(rng *rand.Rand) {
	w.discs[rng.IntN(len(w.discs))].size += 1000 * (1 + rng.IntN(3))
}

// renameDisc leaves everything else about discs as it was in the wish before.
func (w *wish) renameDisc(rng *rand.Rand, before wish) {
	w.labels++
	w.discs = slices.Clone(before.discs)
	d := &w.discs[rng.IntN(len(w.discs))]
	label := fmt.Sprintf("named%d", w.labels)
	w.renamed = map[string]string{label: d.label}
	d.label = label
}

func (w *wish) mutateImage(rng *rand.Rand) {
	if w.image == nil || rng.IntN(5) == 0 {
		w.image = one(rng, nil, &imageWish{distribution: "bookworm", version: 1})
		return
	}
	image := *w.image
	image.inPlace = rng.IntN(3) > 0
	switch rng.IntN(4) {
	case 0:
		image.distribution = one(rng, "bookworm", "noble")
	case 1:
		image.version++
	case 2:
		image.key = one(rng, "", "ssh-ed25519 A", "ssh-ed25519 B")
	}
	w.image = &image
}

func one[T any](rng *rand.Rand, choices ...T) T { return choices[rng.IntN(len(choices))] }

// config is the wish as a user writes it.
func (w wish) config() object {
	config := object{"name": w.name}
	for name, value := range map[string]any{
		"group": w.group, "hardware_profile": w.profile, "keymap": w.keymap, "cdrom_url": w.cdrom, "zone_name": w.zone,
		"cores": w.cores, "memory": w.memory,
	} {
		if value != "" && value != 0 {
			config[name] = value
		}
	}
	for name, value := range map[string]*bool{"hardware_profile_locked": w.locked, "autoreboot_on": w.autoreboot, "power_on": w.power} {
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
		block := object{
			"distribution": w.image.distribution, "in_place": w.image.inPlace,
			"root_password_wo": "test-only", "root_password_wo_version": w.image.version,
		}
		if w.image.key != "" {
			block["ssh_public_key"] = w.image.key
		}
		config["reimage"] = block
	}
	return config
}
