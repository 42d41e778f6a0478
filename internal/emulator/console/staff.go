package console

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// event is what the service's staff, or a stranger, does. Each has the attributes that it needs.
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

// kindOfEvent is what an event does.
type kindOfEvent struct {
	Event       string `json:"event"`
	Attributes  string `json:"attributes"`
	Description string `json:"description"`
	ofMachine   func(*emulator.Emulator, emulator.Machine, event) error
	ofAccount   func(*emulator.Emulator, string) bool
}

// kindsOfEvents returns the events.
func kindsOfEvents() []kindOfEvent {
	return []kindOfEvent{
		{Event: "host-failure", Attributes: "virtual_machine", ofMachine: hostFailure,
			Description: "Switches the machine off; it comes back if its autoreboot_on is true."},
		{Event: "migrate-disc", Attributes: "virtual_machine, disc, storage_grade or storage_pool", ofMachine: migrateDisc,
			Description: "Moves a disc to another grade or pool, which takes -copy-time."},
		{Event: "upgrade-profile", Attributes: "virtual_machine, name (default virtio2013)", ofMachine: upgradeProfile,
			Description: "Gives the machine another hardware profile."},
		{Event: "attach-disc", Attributes: "virtual_machine, disc, size (default 1024), storage_grade (default sata)", ofMachine: attachDisc,
			Description: "Attaches a disc that no configuration has."},
		{Event: "detach-disc", Attributes: "virtual_machine, disc", ofMachine: detachDisc,
			Description: "Takes a disc away."},
		{Event: "rename", Attributes: "virtual_machine, name, and disc to rename that disc", ofMachine: rename,
			Description: "Renames the machine, or one of its discs."},
		{Event: "close-account", Attributes: "account", Description: "Hides the account from everybody.",
			ofAccount: func(e *emulator.Emulator, name string) bool { return e.CloseAccount(name, true) }},
		{Event: "open-account", Attributes: "account", Description: "Shows it again.",
			ofAccount: func(e *emulator.Emulator, name string) bool { return e.CloseAccount(name, false) }},
	}
}

func (d *desk) listEvents(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, kindsOfEvents())
}

func (d *desk) playEvent(w http.ResponseWriter, r *http.Request) {
	var wanted event
	if !readObject(w, r, &wanted) {
		return
	}
	if err := d.play(wanted); err != nil {
		var list strings.Builder
		for _, k := range kindsOfEvents() {
			fmt.Fprintf(&list, "\n  %-16s %s", k.Event, k.Attributes)
		}
		http.Error(w, err.Error()+"; the events and their attributes are:"+list.String(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// play lets an event happen.
func (d *desk) play(e event) error {
	kinds := kindsOfEvents()
	n := slices.IndexFunc(kinds, func(k kindOfEvent) bool { return k.Event == e.Event })
	if n < 0 {
		return fmt.Errorf("there is no event %q", e.Event)
	}
	kind := kinds[n]
	return d.emulator.Commit(func() error {
		if kind.ofAccount != nil {
			if !kind.ofAccount(d.emulator, e.Account) {
				return fmt.Errorf("there is no account %q", e.Account)
			}
			return nil
		}
		m, err := d.machine(e.VirtualMachine)
		if err != nil {
			return err
		}
		return kind.ofMachine(d.emulator, m, e)
	})
}

func hostFailure(e *emulator.Emulator, m emulator.Machine, _ event) error {
	if !e.FailHost(m.ID) {
		return fmt.Errorf("%s is not on", m.Hostname)
	}
	return nil
}

func migrateDisc(e *emulator.Emulator, m emulator.Machine, wanted event) error {
	for _, disc := range m.Discs {
		if disc.Label != wanted.Disc {
			continue
		}
		if wanted.StorageGrade == "" && wanted.StoragePool == "" {
			return errors.New("storage_grade or storage_pool is missing")
		}
		if wanted.StorageGrade == "" {
			wanted.StorageGrade = disc.StorageGrade
		}
		if wanted.StoragePool == "" {
			return e.MigrateDisc(m.ID, disc.Label, wanted.StorageGrade)
		}
		return e.MigrateDiscTo(m.ID, disc.Label, wanted.StorageGrade, wanted.StoragePool)
	}
	return fmt.Errorf("there is no disc %q on %s", wanted.Disc, m.Hostname)
}

func upgradeProfile(e *emulator.Emulator, m emulator.Machine, wanted event) error {
	if wanted.Name == "" {
		wanted.Name = "virtio2013"
	}
	if m.HardwareProfile == wanted.Name {
		return fmt.Errorf("%s has the profile %s already", m.Hostname, wanted.Name)
	}
	return e.Change(m.ID, func(m *emulator.Machine) { m.HardwareProfile = wanted.Name })
}

func attachDisc(e *emulator.Emulator, m emulator.Machine, wanted event) error {
	if wanted.Disc == "" || wanted.Size < 0 {
		return errors.New("disc is missing, or size is negative")
	}
	if wanted.Size == 0 {
		wanted.Size = 1024
	}
	return e.AttachDisc(m.ID, emulator.Disc{Label: wanted.Disc, Size: wanted.Size, StorageGrade: wanted.StorageGrade})
}

func detachDisc(e *emulator.Emulator, m emulator.Machine, wanted event) error {
	_, err := e.DetachDisc(m.ID, wanted.Disc)
	return err
}

func rename(e *emulator.Emulator, m emulator.Machine, wanted event) error {
	switch {
	case wanted.Name == "":
		return errors.New("name is missing")
	case wanted.Disc != "":
		return e.RenameDisc(m.ID, wanted.Disc, wanted.Name)
	}
	return e.Change(m.ID, func(m *emulator.Machine) { m.Name = wanted.Name })
}
