package vm

// private is what a machine's state has no other place for: what the last refresh saw, where the machine came from,
// what it owes, and what the plan of a replacement must know.
type private struct {
	// Discs are the machine's discs as the last refresh saw them, where they differ from the state. Whether a disc is
	// foreign, moved or renamed follows from that (disc_observed.go).
	Discs observedDiscs `json:"discs,omitzero"`
	// From is where the machine came from, if that decides anything.
	From provenance `json:"from,omitempty"`

	debts
	marks // in plans, of what a replacement must know
}

// provenance is where a machine came from.
type provenance string

const (
	// imported: it was imported and not applied since. What the configuration adds is only recorded, and discs without a
	// block are released.
	imported provenance = "import"
	// imageless: this provider created it without an image, and it has none so far.
	imageless provenance = "no_image"
)

// hasImage records that the machine has an image.
func (p *private) hasImage() {
	if p.From == imageless {
		p.From = ""
	}
}

// debts are what earlier applies left for the next one.
type debts struct {
	// Owed is the power that a failed update could not restore.
	Owed *owedPower `json:"owed,omitempty"`
	// Unready: the machine is on, but no apply has seen it ready since, as defined by its block ready.
	Unready bool `json:"unready,omitempty"`
}

type owedPower struct {
	PowerOn      bool `json:"power_on"`
	AutorebootOn bool `json:"autoreboot_on"`
}
