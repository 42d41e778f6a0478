package console

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// event is something that the service's staff, or another user, does. Each kind of event uses some of the attributes.
type event struct {
	Event          string `json:"event"`
	VirtualMachine string `json:"virtual_machine,omitempty"`
	Disc           string `json:"disc,omitempty"`
	StorageGrade   string `json:"storage_grade,omitempty"`
	StoragePool    string `json:"storage_pool,omitempty"`
	Size           int64  `json:"size,omitempty"`
	Name           string `json:"name,omitempty"`
	Account        string `json:"account,omitempty"`
}

// kindOfEvent describes an event.
type kindOfEvent struct {
	Event       string `json:"event"`
	Attributes  string `json:"attributes"`
	Description string `json:"description"`
}

// kindsOfEvents returns the events.
func kindsOfEvents() []kindOfEvent {
	return []kindOfEvent{
		{"host-failure", "virtual_machine", "Switches the machine off; it comes back if its autoreboot_on is true."},
		{"migrate-disc", "virtual_machine, disc, storage_grade or storage_pool", "Moves a disc to another grade or pool, which takes -copy-time."},
		{"upgrade-profile", "virtual_machine, name (default virtio2013)", "Changes the hardware profile of the machine."},
		{"attach-disc", "virtual_machine, disc, size (default 1024), storage_grade (default sata)", "Attaches a disc that no configuration has."},
		{"detach-disc", "virtual_machine, disc", "Takes a disc away."},
		{"rename", "virtual_machine, name, and disc to rename that disc", "Renames the machine, or one of its discs."},
		{"soft-delete", "virtual_machine", "Stops the machine and hides it; undeleting brings it back."},
		{"close-account", "account", "Hides the account from everybody."},
		{"open-account", "account", "Shows it again."},
		{"suspend-account", "account", "Refuses changes in the account."},
		{"resume-account", "account", "Permits them again."},
	}
}

func (d *desk) playEvent(r *http.Request) (any, error) {
	var wanted event
	list := ""
	err := readObject(r, &wanted)
	if err == nil {
		err = d.play(wanted)
	}
	if err != nil {
		for _, k := range kindsOfEvents() {
			list += fmt.Sprintf("\n  %-16s %s", k.Event, k.Attributes)
		}
		err = fmt.Errorf("%w; the events and their attributes are:%s", err, list)
	}
	return nil, err
}

// expireSessions ends every session.
func (d *desk) expireSessions() {
	d.emulator.ExpireSessions()
	d.emulator.Note("every session was ended")
}

// play carries out an event.
func (d *desk) play(e event) error {
	switch e.Event {
	case "close-account":
		return d.changeAccount(e.Account, (*emulator.Emulator).CloseAccount, true, "closed")
	case "open-account":
		return d.changeAccount(e.Account, (*emulator.Emulator).CloseAccount, false, "opened")
	case "suspend-account":
		return d.changeAccount(e.Account, (*emulator.Emulator).SuspendAccount, true, "suspended")
	case "resume-account":
		return d.changeAccount(e.Account, (*emulator.Emulator).SuspendAccount, false, "resumed")
	case "host-failure", "migrate-disc", "upgrade-profile", "attach-disc", "detach-disc", "rename", "soft-delete":
		m, err := d.machine(e.VirtualMachine)
		if err != nil {
			return err
		}
		return e.happenTo(d.emulator, m)
	}
	return fmt.Errorf("there is no event %q", e.Event)
}

// changeAccount closes or suspends an account, or takes that back.
func (d *desk) changeAccount(name string, change func(*emulator.Emulator, string, bool) bool, to bool, done string) error {
	if !change(d.emulator, name, to) {
		return fmt.Errorf("there is no account %q", name)
	}
	d.emulator.Note("account " + name + " was " + done)
	return nil
}

// happenTo carries out an event on a machine, unless the world could not be loaded afterwards.
func (e event) happenTo(service *emulator.Emulator, m emulator.Machine) error {
	happens, err := e.plan(service, &m)
	if err != nil {
		return err
	}
	if err := emulator.CheckMachine(m); err != nil {
		return err
	}
	return happens()
}

// plan changes a copy of a machine as the event would, and returns a function that carries out the event.
func (e event) plan(service *emulator.Emulator, m *emulator.Machine) (happens func() error, err error) {
	n := slices.IndexFunc(m.Discs, func(d emulator.Disc) bool { return d.Label == e.Disc })
	switch e.Event {
	case "host-failure":
		return func() error {
			if !service.FailHost(m.ID) {
				return fmt.Errorf("%s is not on", m.Hostname)
			}
			return nil
		}, nil
	case "soft-delete":
		if m.Deleted {
			return nil, fmt.Errorf("%s is soft-deleted already", m.Hostname)
		}
		return func() error { service.SoftDelete(m.ID); return nil }, nil
	case "migrate-disc":
		if e.StorageGrade == "" && e.StoragePool == "" {
			return nil, errors.New("storage_grade or storage_pool is missing")
		}
		if n >= 0 {
			m.Discs[n].NewStorageGrade, m.Discs[n].NewStoragePool = e.StorageGrade, e.StoragePool
		}
		return func() error { return service.MigrateDiscTo(m.ID, e.Disc, e.StorageGrade, e.StoragePool) }, nil
	case "upgrade-profile":
		m.HardwareProfile = cmp.Or(e.Name, "virtio2013")
		return func() error {
			return service.Change(m.ID, func(now *emulator.Machine) { now.HardwareProfile = m.HardwareProfile })
		}, nil
	case "attach-disc":
		if e.Disc == "" || e.Size < 0 {
			return nil, errors.New("disc is missing, or size is negative")
		}
		attached := emulator.Disc{Label: e.Disc, Size: cmp.Or(e.Size, 1024), StorageGrade: e.StorageGrade}
		m.Discs = append(m.Discs, attached)
		return func() error { return service.AttachDisc(m.ID, attached) }, nil
	case "detach-disc":
		return func() error {
			_, err := service.DetachDisc(m.ID, e.Disc)
			return err
		}, nil
	}
	switch {
	case e.Name == "":
		return nil, errors.New("name is missing")
	case e.Disc != "":
		if n >= 0 {
			m.Discs[n].Label = e.Name
		}
		return func() error { return service.RenameDisc(m.ID, e.Disc, e.Name) }, nil
	}
	m.Name = e.Name
	return func() error { return service.Change(m.ID, func(now *emulator.Machine) { now.Name = e.Name }) }, nil
}
