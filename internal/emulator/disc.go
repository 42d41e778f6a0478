package emulator

import (
	"net/http"
	"slices"
	"strings"
)

// newDisc reads a disc; others are those that it will stand beside.
func (s *store) newDisc(f form, others []Disc) Disc {
	d := Disc{Label: f.required("label")}
	f.freeLabel(d.Label, others)
	if f.null("size") {
		f.problems.add("size", blank)
	}
	d.Size = or(f.integer("size", minDiscSize), 0)
	d.StorageGrade = or(f.listed("storage_grade", s.choice("storage_grades")), "")
	return d
}

// freeLabel refuses a label that another disc of the machine has.
func (f form) freeLabel(label string, others []Disc) {
	if strings.TrimSpace(label) == "" {
		return
	}
	if slices.ContainsFunc(others, func(d Disc) bool { return d.Label == label }) {
		f.problems.add("label", taken)
	}
}

// completeDisc gives a disc what the service chooses: id, grade and a pool of
// the shape <tier>-<grade> (service.md §2.2).
func (s *store) completeDisc(d *Disc) {
	d.ID = orElse(d.ID, s.id())
	d.StorageGrade = orElse(d.StorageGrade, defaultGrade)
	d.StoragePool = orElse(d.StoragePool, "tier1-"+d.StorageGrade)
}

// disced finds the machine whose discs are to be read or changed. They cannot
// be changed while it is soft-deleted (api.md §4).
func (c *call) disced() (*machine, error) {
	m, err := c.machine(c.writes() || c.flag("include_deleted"))
	if err != nil {
		return nil, err
	}
	if m.Deleted && c.writes() {
		return nil, refuse(http.StatusBadRequest, "the virtual machine is deleted: its discs cannot be changed")
	}
	return m, nil
}

// disc finds the disc that the path names by its label or id.
func (c *call) disc() (*machine, *Disc, error) {
	m, err := c.disced()
	if err != nil {
		return nil, nil, err
	}
	key := c.path["disc"]
	n := slices.IndexFunc(m.Discs, func(d Disc) bool { return d.Label == key })
	if n < 0 {
		n = slices.IndexFunc(m.Discs, func(d Disc) bool { return itoa(d.ID) == key })
	}
	if n < 0 {
		return nil, nil, refuse(http.StatusNotFound, "no such disc")
	}
	return m, &m.Discs[n], nil
}

// listDiscs is GET …/discs (api.md §4).
func listDiscs(c *call) (answer, error) {
	m, err := c.disced()
	if err != nil {
		return answer{}, err
	}
	return reply("", c.discWires(m))
}

// showDisc is GET …/discs/{disc}.
func showDisc(c *call) (answer, error) {
	m, d, err := c.disc()
	if err != nil {
		return answer{}, err
	}
	return reply("disc", c.discWire(m, *d))
}

// createDisc is POST …/discs.
func createDisc(c *call) (answer, error) {
	m, err := c.disced()
	if err != nil {
		return answer{}, err
	}
	d := c.store.newDisc(c.form, m.Discs)
	if len(m.Discs) >= maxDiscs {
		c.form.problems.add("discs", "is too long (maximum is %d discs)", maxDiscs)
	}
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	c.store.completeDisc(&d)
	m.Discs = append(m.Discs, d)
	return answer{http.StatusCreated, "disc", c.discWire(m, d)}, nil
}

// updateDisc is PUT …/discs/{disc}: growing and renaming. Another
// storage_grade is refused, which api.md §4 assumes; the same one is not.
func updateDisc(c *call) (answer, error) {
	m, d, err := c.disc()
	if err != nil {
		return answer{}, err
	}
	changed := *d
	changed.Size = or(c.form.integer("size", minDiscSize), d.Size)
	if changed.Size < d.Size {
		c.form.problems.add("size", atLeast, d.Size)
	}
	if c.form.has("label") {
		changed.Label = c.form.required("label")
		if changed.Label != d.Label {
			c.form.freeLabel(changed.Label, m.Discs)
		}
	}
	if or(c.form.text("storage_grade"), d.StorageGrade) != d.StorageGrade {
		c.form.problems.add("storage_grade", "cannot be changed")
	}
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	*d = changed
	return reply("disc", c.discWire(m, changed))
}

// purgeDisc is DELETE …/discs/{disc}?purge=true; without purge=true it is 500
// (api.md §4).
func purgeDisc(c *call) (answer, error) {
	m, d, err := c.disc()
	if err != nil {
		return answer{}, err
	}
	if !c.flag("purge") {
		return answer{}, refuse(http.StatusInternalServerError, "discs can only be purged")
	}
	id := d.ID
	m.Discs = slices.DeleteFunc(m.Discs, func(other Disc) bool { return other.ID == id })
	return gone()
}
