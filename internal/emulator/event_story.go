package emulator

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// story describes the differences between two pictures of a machine, in phrases that continue the machine's name.
type story struct {
	before, after *picture // nil before its creation and after its purge
	cause         cause
	moves         map[int64]move

	phrases []string
	changed []string
	trouble bool
	step    bool // something has begun that ends by itself
}

// say adds a phrase about a changed attribute.
func (s *story) say(changed, format string, arguments ...any) {
	s.phrases = append(s.phrases, fmt.Sprintf(format, arguments...))
	if !slices.Contains(s.changed, changed) {
		s.changed = append(s.changed, changed)
	}
}

// describe finds the phrases.
func (s *story) describe() {
	switch {
	case s.before == nil && s.after == nil: // created and purged at the same instant
	case s.after == nil:
		s.say("deleted", "was purged")
	case s.before == nil:
		s.say("created", "was created")
		s.before = &picture{Machine: s.after.Machine, power: "off"}
		s.before.PowerOn, s.before.Images = false, 0
		s.describePower()
	case s.after.Deleted && !s.before.Deleted:
		s.say("deleted", "was deleted, and can be brought back")
	default:
		if s.before.Deleted && !s.after.Deleted {
			s.say("deleted", "was brought back")
		}
		s.describeLocation()
		s.describeHardware()
		s.describeDiscs()
		s.describePower()
		s.describeGuest()
	}
}

func (s *story) describeLocation() {
	if was, is := s.before, s.after; was.Name != is.Name {
		s.say("name", "was called %s before", was.Name)
	}
	if was, is := s.before, s.after; was.Account != is.Account {
		s.say("group", "was moved from %s/%s to %s/%s", was.Account, was.Group, is.Account, is.Group)
	} else if was.GroupID != is.GroupID {
		s.say("group", "was moved from group %s to %s", was.Group, is.Group)
	}
	for _, address := range slices.Sorted(maps.Keys(s.after.rdns)) {
		if name := s.after.rdns[address]; s.before.rdns[address] != name {
			s.say("rdns", "%s has the reverse name %s", address, name)
		}
	}
	for _, address := range slices.Sorted(maps.Keys(s.before.rdns)) {
		if s.after.rdns[address] == "" {
			s.say("rdns", "%s lost the reverse name %s", address, s.before.rdns[address])
		}
	}
}

func (s *story) describeHardware() {
	was, is := s.before, s.after
	if is.pending != (pending{}) && is.pending != was.pending {
		s.say("pending", "will change at its next start")
	}
	for _, a := range attributes {
		if a.described == nil {
			continue
		}
		if text := a.described(&was.Machine, &is.Machine); text != "" {
			s.say(a.name, "%s", text)
		}
	}
}

// describeDiscs describes what happened to discs, which are identified by ID.
func (s *story) describeDiscs() {
	for _, d := range s.before.Discs {
		if _, stays := discWith(s.after.Discs, d.ID); stays {
			continue
		}
		if moved, ok := s.moves[d.ID]; ok {
			s.say("discs", "disc %s moved to %s", d.Label, moved.to)
		} else {
			s.say("discs", "disc %s removed", d.Label)
		}
	}
	for _, d := range s.after.Discs {
		was, stayed := discWith(s.before.Discs, d.ID)
		moved, came := s.moves[d.ID]
		switch {
		case stayed:
			s.describeDisc(*was, d)
		case came:
			s.say("discs", "disc %s moved here from %s", d.Label, moved.from)
		default:
			s.say("discs", "disc %s added, %s", d.Label, FormatSize(d.Size))
		}
	}
}

func (s *story) describeDisc(was, is Disc) {
	if was.Label != is.Label {
		s.say("discs", "disc %s is called %s now", was.Label, is.Label)
	}
	if was.Size != is.Size {
		s.say("discs", "disc %s %s → %s", is.Label, FormatSize(was.Size), FormatSize(is.Size))
	}
	switch {
	case was.CopyEnds != is.CopyEnds && is.StorageGrade == iceberg:
		s.say("discs", "disc %s is being restored from a backup", is.Label)
	case was.StorageGrade == iceberg && is.StorageGrade != iceberg:
		s.say("discs", "disc %s was restored from a backup", is.Label)
	case was.CopyEnds != is.CopyEnds && is.NewStorageGrade != "":
		s.say("discs", "disc %s is being moved to %s storage", is.Label, is.NewStorageGrade)
	case !was.CopyEnds.IsZero() && is.CopyEnds.IsZero() || was.StorageGrade != is.StorageGrade:
		s.say("discs", "disc %s was moved to %s storage", is.Label, is.StorageGrade)
	}
	had := map[int64]bool{}
	for _, b := range was.taken() {
		had[b.ID] = true
	}
	scheduled := false
	for _, b := range is.taken() {
		if had[b.ID] {
			delete(had, b.ID)
			continue
		}
		scheduled = scheduled || !b.Manual
		s.say("backups", "disc %s was backed up%s", is.Label, choose(b.Manual, "", " as scheduled"))
	}
	if len(had) > 0 && !scheduled { // a scheduled backup replaces an old one
		s.say("backups", "a backup of disc %s was deleted", is.Label)
	}
	if more := len(is.schedules()) - len(was.schedules()); more != 0 {
		s.say("backups", "backup schedule of disc %s %s", is.Label, choose(more > 0, "added", "removed"))
	}
}

// describePower describes what happened to the power, and to the image that a start installs.
func (s *story) describePower() {
	was, is := s.before, s.after
	if is.Images != was.Images {
		s.say("image", "%s was installed", is.LastImagedWith)
	} else if is.image != was.image && is.power == "installing" {
		s.say("image", "%s is being installed", is.image)
		s.step = true
	}
	wasOn := was.PowerOn || was.power == "starting" || was.power == "installing"
	switch {
	case was.power == "on" && is.power == "on" && !was.onSince.Equal(is.onSince):
		s.describeStop("was restarted")
	case was.power == is.power:
	case is.power == "on":
		s.say("power_on", "%s", choose(was.power == "off", "was started", "is on"))
	case is.power == "shutting down":
		s.say("power_on", "was asked to shut down")
		s.step = true
	case is.power == "off" && (was.power == "shutting down" || s.signalled()):
		s.say("power_on", "was shut down")
	case is.power == "off":
		s.describeStop("was switched off")
	case wasOn && is.power == "starting":
		s.describeStop("was switched off, and is starting again")
	case is.power == "starting":
		s.say("power_on", "is starting")
		s.step = true
	case is.power == "installing":
		s.changed = append(s.changed, "power_on")
	}
}

// signalled reports whether the cause was a signal to the guest.
func (s *story) signalled() bool { return strings.HasSuffix(s.cause.call, "/signal") }

func (s *story) describeStop(text string) {
	if s.cause.host {
		text, s.trouble = "host failure: "+text, true
	}
	s.say("power_on", "%s", text)
}

// describeGuest describes whether the guest answers.
func (s *story) describeGuest() {
	was, is := s.before, s.after
	booted := was.guestBooting && !is.guestBooting && is.PowerOn
	switch {
	case is.Deaf && (!was.Deaf || booted || !was.PowerOn && is.PowerOn && !is.guestBooting):
		s.say("guest", "%s", choose(is.PowerOn, "does not answer", "will not answer"))
		s.trouble = is.PowerOn
	case is.PowerOn && !is.Deaf && (booted || was.Deaf && !is.guestBooting):
		s.say("guest", "answers")
	}
}

// choose returns one of two texts.
func choose(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// FormatSize formats a size in megabytes in the largest unit that is exact.
func FormatSize(megabytes int64) string {
	switch {
	case megabytes > 0 && megabytes%(1<<20) == 0:
		return strconv.FormatInt(megabytes>>20, 10) + " TiB"
	case megabytes > 0 && megabytes%(1<<10) == 0:
		return strconv.FormatInt(megabytes>>10, 10) + " GiB"
	}
	return strconv.FormatInt(megabytes, 10) + " MiB"
}
