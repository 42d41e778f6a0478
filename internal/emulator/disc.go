package emulator

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// newDisc decodes a disc. others are the other discs of the machine.
func (c *call) newDisc(f form, others []Disc) Disc {
	d := Disc{Label: c.label(f)}
	f.freeLabel(d.Label, others)
	if f.null("size") {
		f.problems.add("size", blank)
	}
	d.Size = or(f.integer("size", minDiscSize), 0)
	d.StorageGrade = or(f.listed("storage_grade", c.store.choice("storage_grades")), "")
	for _, nested := range f.objects("backup_schedules") {
		d.backups().Schedules = append(d.schedules(), c.newSchedule(nested))
		for attribute, problem := range nested.problems {
			f.problems["backup_schedules."+attribute] = problem
		}
	}
	return d
}

// label reads a label. With Options.LowerCaseLabels it is stored in lower case.
func (c *call) label(f form) string {
	label := f.required("label")
	if c.store.options.LowerCaseLabels {
		return strings.ToLower(label)
	}
	return label
}

// freeLabel refuses a label that another disc of the machine has.
func (f form) freeLabel(label string, others []Disc) {
	if strings.TrimSpace(label) != "" && indexOfLabel(others, label) >= 0 {
		f.problems.add("label", taken)
	}
}

// indexOfLabel returns the index of the disc with a label, or -1.
func indexOfLabel(discs []Disc, label string) int {
	return slices.IndexFunc(discs, func(d Disc) bool { return d.Label == label })
}

// completeDisc sets what the service chooses: the ID, a grade, and a pool in the form <tier>-<grade> (API.md §8).
func (s *store) completeDisc(d *Disc) {
	d.ID = s.idOr(d.ID)
	d.StorageGrade = orElse(d.StorageGrade, defaultGrade)
	d.StoragePool = orElse(d.StoragePool, poolOf(d.StorageGrade))
	for n, schedule := range d.schedules() {
		d.Backups.Schedules[n].ID = s.idOr(schedule.ID)
	}
}

// poolOf returns the storage pool of a grade.
func poolOf(grade string) string { return "tier1-" + grade }

// machineOfDiscs returns the machine whose discs are read or changed. Discs of a soft-deleted machine cannot be
// changed.
func (c *call) machineOfDiscs() (*storedMachine, error) {
	m, err := c.machine(c.writes() || c.flag("include_deleted"))
	if err != nil {
		return nil, err
	}
	if m.Deleted && c.writes() {
		return nil, refuse(http.StatusBadRequest, "the virtual machine is deleted: its discs cannot be changed")
	}
	return m, nil
}

// disc returns the disc that the path names by its label or id.
func (c *call) disc() (*storedMachine, *Disc, error) {
	if id, ok := c.path["disc_id"]; ok {
		return c.discByID(id)
	}
	m, err := c.machineOfDiscs()
	if err != nil {
		return nil, nil, err
	}
	found, ok := resolve(c.store, c.path["disc"],
		func(label string) (*Disc, bool) { return at(m.Discs, indexOfLabel(m.Discs, label)) },
		func(id int64) (*Disc, bool) {
			return at(m.Discs, slices.IndexFunc(m.Discs, func(d Disc) bool { return d.ID == id }))
		})
	if !ok {
		return nil, nil, noDisc()
	}
	c.reached.Disc = found.ID
	return m, found, nil
}

func noDisc() error { return refuse(http.StatusNotFound, "no such disc") }

// at returns the element at an index, and false if the index is -1.
func at[T any](list []T, n int) (*T, bool) {
	if n < 0 {
		return nil, false
	}
	return &list[n], true
}

// discByID returns the disc with an ID, on any machine.
func (c *call) discByID(key string) (*storedMachine, *Disc, error) {
	id, err := strconv.ParseInt(key, 10, 64)
	if err != nil {
		return nil, nil, noDisc()
	}
	for _, m := range c.store.machines {
		for n := range m.Discs {
			if m.Discs[n].ID == id && c.user.sees(m.group.account) && (!m.Deleted || c.flag("include_deleted")) {
				return m, &m.Discs[n], nil
			}
		}
	}
	return nil, nil, noDisc()
}

// listDiscs is GET …/discs (API.md §4).
func listDiscs(c *call) (answer, error) {
	m, err := c.machineOfDiscs()
	if err != nil {
		return answer{}, err
	}
	return reply("", c.discWires(m))
}

// showDisc is GET …/discs/{disc} and GET /discs/{id}.
func showDisc(c *call) (answer, error) {
	m, d, err := c.disc()
	if err != nil {
		return answer{}, err
	}
	return reply("disc", c.discWire(m, *d))
}

// createDisc is POST …/discs.
func createDisc(c *call) (answer, error) {
	m, err := c.machineOfDiscs()
	if err != nil {
		return answer{}, err
	}
	d := c.newDisc(c.form, m.Discs)
	if len(m.Discs) >= maxDiscs {
		c.form.problems.add("discs", "is too long (maximum is %d discs)", maxDiscs)
	}
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	c.store.addDisc(m, &d)
	c.reached.Disc = d.ID
	return answer{http.StatusCreated, "disc", c.discWire(m, d)}, nil
}

// addDisc completes a disc and appends it to a machine's.
func (s *store) addDisc(m *storedMachine, d *Disc) {
	s.completeDisc(d)
	m.Discs = append(m.Discs, *d)
	s.watch(m)
}

// updateDisc is PUT …/discs/{disc}: it grows, renames or moves a disc. Changing storage_grade is refused.
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
		if changed.Label = c.label(c.form); changed.Label != d.Label {
			c.form.freeLabel(changed.Label, m.Discs)
		}
	}
	if or(c.form.text("storage_grade"), d.StorageGrade) != d.StorageGrade {
		c.form.problems.add("storage_grade", "cannot be changed")
	}
	target := c.discTarget(m, *d, changed.Label)
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	*d = changed
	if target != m {
		c.store.moveDisc(m, target, d.ID)
	}
	return reply("disc", c.discWire(target, changed))
}

// purgeDisc is DELETE …/discs/{disc}?purge=true; without purge=true it answers 500.
func purgeDisc(c *call) (answer, error) {
	m, d, err := c.disc()
	if err != nil {
		return answer{}, err
	}
	if !c.flag("purge") {
		return answer{}, refuse(http.StatusInternalServerError, "discs can only be purged")
	}
	m.removeDisc(d.ID)
	return gone()
}

// removeDisc removes a disc from a machine.
func (m *storedMachine) removeDisc(id int64) {
	m.Discs = slices.DeleteFunc(m.Discs, func(d Disc) bool { return d.ID == id })
}
