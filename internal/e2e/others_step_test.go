package e2e_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// thing is a kind of object that a task uses and a step changes.
type thing string

const (
	theMachine  thing = "machine"
	theDisc     thing = "disc"
	theName     thing = "name" // the name that the task's object gets
	theGroup    thing = "group"
	theAccount  thing = "account"
	theSchedule thing = "schedule"
	theAddress  thing = "address"
	theTarget   thing = "target" // the machine that a disc is moved to
)

// things returns the kinds of objects that a task uses.
func (t task) things() []thing {
	switch t.resources[t.subject].kind {
	case groupType:
		return []thing{theAccount, theGroup, theName}
	case scheduleType:
		return []thing{theAccount, theMachine, theDisc, theSchedule}
	case rdnsType:
		return []thing{theAccount, theMachine, theAddress}
	}
	if t.also != 0 {
		return []thing{theAccount, theMachine, theDisc, theGroup, theTarget}
	}
	if t.do != nil {
		return []thing{theAccount, theMachine, theDisc, theGroup}
	}
	return []thing{theAccount, theMachine, theDisc, theName, theGroup}
}

// step is a change that somebody else makes in a gap, or trouble that happens there.
type step struct {
	name        string
	touches     thing
	credentials string              // the provider's credentials, one of byKey, bySession and byFile
	do          func(s *scene) bool // reports whether there was anything to do
	trouble     bool                // the service, or the connection, fails for a while, and nothing has changed afterwards
	lasting     bool                // the trouble ends only after the task
	changes     []string            // attributes of the task's objects that may differ from the state until the next refresh
	refuses     bool                // the provider does not wait for its end: a creation may end with an error
	says        string              // text that errors have if the trouble is lasting; "": any
	passes      bool                // it costs nothing: the task succeeds
	ends        thing               // what is there no longer, so that a task that destroys it, or what is on it, succeeds
	processes   bool                // only before a process, and only if the task has something to lose
	inProcess   bool                // only at a request
	between     bool                // only before a process
	within      time.Duration       // longest duration of the task; 0: the usual one
}

// steps returns all steps. To add a step, add a row.
func steps() []step {
	all := []step{
		{name: "switch off", touches: theMachine, changes: changesPower, do: stepChange(func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false })},
		{name: "switch on", touches: theMachine, changes: changesPower, do: stepChange(func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = true, true })},
		{name: "soft-delete", touches: theMachine, changes: []string{gonePath}, ends: theMachine, do: stepSoftDelete},
		{name: "purge", touches: theMachine, changes: []string{gonePath}, ends: theMachine, do: stepPurge},
		{name: "undelete", touches: theMachine, changes: []string{gonePath}, do: stepUndelete(false)},
		{name: "undelete and start", touches: theMachine, changes: append([]string{gonePath}, changesPower...), do: stepUndelete(true)},
		{name: "rename", touches: theMachine, changes: changesPlace, do: stepSet("name", stepChange(func(m *emulator.Machine) { m.Name = "renamed-elsewhere" }))},
		{name: "rename what is soft-deleted", touches: theMachine, changes: []string{gonePath}, do: stepRenameDeleted},
		{name: "change the size", touches: theMachine, changes: []string{"cores", "memory"}, do: stepSet("size", stepSize)},
		{name: "move to another group", touches: theMachine, changes: changesPlace, do: stepSet("group_id", stepMove(func(s *scene) int64 { return s.elsewhere }))},
		{name: "move to another account", touches: theMachine, changes: changesPlace, do: stepMove(func(s *scene) int64 { return s.abroad })},
		{name: "move to another group, and create one of its name", touches: theMachine, changes: changesPlace, do: stepBoth(stepMove(func(s *scene) int64 { return s.elsewhere }), stepNamesake)},

		{name: "create a machine whose name is the ID", touches: theMachine, between: true, do: stepNamedLikeID},

		{name: "attach a disc", touches: theDisc, do: stepAttach},
		{name: "attach the disc that the task adds", touches: theDisc, do: stepAttachSame},
		{name: "detach a disc", touches: theDisc, changes: changesDiscs, ends: theDisc, do: stepDetach},
		{name: "move a disc away", touches: theDisc, changes: changesDiscs, ends: theDisc, do: stepMoveDisc},
		{name: "rename a disc", touches: theDisc, changes: changesDiscs, do: stepSet("label", stepRenameDisc)},
		{name: "grow a disc", touches: theDisc, changes: changesDiscs, do: stepSet("size of a disc", stepGrowDisc)},
		{name: "delete the backups", touches: theDisc, do: stepDeleteBackups},
		{name: "switch on the target", touches: theTarget, do: stepTarget(func(s *scene, m emulator.Machine) {
			s.must(s.service.Change(m.ID, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = true, true }))
		})},
		{name: "soft-delete the target", touches: theTarget, do: stepTarget(func(s *scene, m emulator.Machine) { s.service.SoftDelete(m.ID) })},
		{name: "purge the target", touches: theTarget, do: stepTarget((*scene).purge)},

		{name: "take the name", touches: theName, do: stepTake(emulator.Machine{PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 4096}}})},
		{name: "create the same from another state", touches: theName, do: stepTake(twin())},

		{name: "rename the group", touches: theGroup, changes: changesPlace, do: stepRenameGroup},
		{name: "remove the group", touches: theGroup, changes: []string{gonePath}, ends: theGroup, do: stepRemoveGroup},
		{name: "remove the group, and create one of its name", touches: theGroup, changes: []string{gonePath}, ends: theGroup, do: stepReplaceGroup},
		{name: "put a machine into the group", touches: theGroup, do: stepFillGroup},

		{name: "delete the schedule", touches: theSchedule, changes: []string{gonePath}, ends: theSchedule, do: stepDeleteSchedule},
		{name: "create an equal schedule", touches: theSchedule, do: stepEqualSchedule},
		{name: "delete the schedule, and create an equal one", touches: theSchedule, changes: []string{gonePath}, ends: theSchedule, do: stepBoth(stepDeleteSchedule, stepEqualSchedule)},
		{name: "attach discs whose labels are the IDs of the others", touches: theDisc, between: true, do: stepLabelsLikeIDs},
		{name: "attach a disc, and describe no machine for 3s", touches: theDisc, do: stepBoth(stepAttach, stepFault(3*time.Second, answering(http.StatusAccepted, isOneMachine)))},
		{name: "no machine is found by its ID alone", touches: theMachine, trouble: true, lasting: true, do: stepFault(0, answering(http.StatusNotFound, isByID))},
		{name: "two lists have no groups, and none is found at its own path", touches: theGroup, trouble: true, lasting: true, do: stepBoth(stepFault(0, answering(http.StatusNotFound, isOneGroup)), stepFault(0, withoutGroups))},
		{name: "one answer shows no schedules", touches: theSchedule, trouble: true, lasting: true, do: stepFault(0, withoutSchedules)},
		{name: "set another reverse name", touches: theAddress, changes: []string{"hostname"}, do: stepSet("reverse name", stepReverseName)},
		{name: "give the address to another machine", touches: theAddress, changes: []string{gonePath}, ends: theAddress, do: stepBoth(stepGiveAddress, stepReverseName)},

		{name: "interrupt", touches: theAccount, trouble: true, lasting: true, inProcess: true, do: func(s *scene) bool { return s.running.Stop(s.t.Context()) == nil }},
		{name: "revoke the session", touches: theAccount, credentials: bySession, trouble: true, do: stepRevokeSession},
		{name: "revoke the token", touches: theAccount, trouble: true, lasting: true, refuses: true, do: stepRevokeToken(0)},
		{name: "revoke the token for 3s", touches: theAccount, trouble: true, do: stepRevokeToken(3 * time.Second)},
		{name: "machines are shown without their discs for 3s", touches: theDisc, trouble: true, do: stepFault(3*time.Second, withoutDiscs)},
		{name: "machines are shown without their discs", touches: theDisc, trouble: true, lasting: true, do: stepFault(0, withoutDiscs)},
		{name: namesHidden, touches: theName, trouble: true, passes: true, do: stepFault(3*time.Second, answering(http.StatusNotFound, isByName))},
		{name: listedTwice, touches: theAccount, trouble: true, lasting: true, do: stepFault(0, twiceListed)},
		{name: "500 to each creation", touches: theName, trouble: true, lasting: true, says: "500", within: 5 * time.Minute, do: stepFault(0, answering(http.StatusInternalServerError, isCreation))},
		{name: "429 from now on", touches: theAccount, trouble: true, lasting: true, says: "429", do: stepFault(0, answering(http.StatusTooManyRequests, anyCall))},
	}
	for _, like := range otherServices() {
		all = append(all, step{name: like.name, touches: theAccount, trouble: true, lasting: true, processes: true, do: stepAnotherService(like)})
	}
	for _, like := range []otherService{strangersThere, namesakesThere} {
		all = append(all, step{name: like.name, touches: theAccount, trouble: true, lasting: true, refuses: true, inProcess: true, do: stepSwitch(like.name == namesakesThere.name)})
	}
	for _, lasts := range []time.Duration{300 * time.Millisecond, 3 * time.Second, 90 * time.Second} {
		all = append(all,
			step{name: fmt.Sprint("hide the account for ", lasts), touches: theAccount, trouble: true, do: stepHide(lasts)},
			step{name: fmt.Sprint("403 for ", lasts), touches: theAccount, trouble: true, do: stepFault(lasts, answering(http.StatusForbidden, anyCall))},
			step{name: fmt.Sprint("503 for ", lasts), touches: theAccount, trouble: true, do: stepFault(lasts, answering(http.StatusServiceUnavailable, anyCall))},
			step{name: fmt.Sprint("revoke the session, and open none for ", lasts), touches: theAccount, credentials: bySession, trouble: true, do: stepBoth(stepRevokeSession, stepFault(lasts, answering(http.StatusServiceUnavailable, isLogIn)))},
		)
	}
	for _, content := range []struct{ name, text string }{{"absent", ""}, {"empty", "\n"}, {"half", nextKey[:len(nextKey)/2]}} {
		for _, lasts := range []time.Duration{time.Second, 30 * time.Second} {
			all = append(all, step{name: fmt.Sprint("the token file is ", content.name, " for ", lasts), touches: theAccount, credentials: byFile, trouble: true, do: stepToken(content.name, content.text, lasts)})
		}
	}
	return append(all, step{name: "the token file is rewritten", touches: theAccount, credentials: byFile, trouble: true, do: stepToken("whole", nextKey, 0)})
}

// The attributes of the task's objects that a step changes.
var (
	changesPower = []string{"power_on", "autoreboot_on"}
	changesPlace = []string{"name", "group", "group_id", "account", "account_id"}
	changesDiscs = []string{"disc"}
)

// stepSet records what a step has set, which no plan overwrites that was made before (see judgeOverwritten).
func stepSet(what string, do func(s *scene) bool) func(s *scene) bool {
	return func(s *scene) bool {
		if !do(s) {
			return false
		}
		s.theirs.what, s.theirs.value = what, s.valueOf(what)
		return true
	}
}

// stepSize changes the cores and the memory of the task's machine.
func stepSize(s *scene) bool {
	m, ok := s.machine()
	return ok && !m.Deleted && s.service.Change(m.ID, func(m *emulator.Machine) { m.Cores, m.Memory = 3, 3072 }) == nil
}

// valueOf returns what somebody may have set, as it is now, or "" if there is nothing that has it.
func (s *scene) valueOf(what string) string {
	m, ok := s.machine()
	if what == "reverse name" {
		return s.reverseName("198.51.100.2")
	}
	switch {
	case !ok:
	case what == "name":
		return m.Name
	case what == "size":
		return fmt.Sprint(m.Cores, " cores, memory ", m.Memory)
	case what == "group_id":
		return text(m.GroupID)
	case what == "label", what == "size of a disc":
		for _, d := range m.Discs {
			if d.ID == s.stepped.disc {
				return map[string]string{"label": d.Label, "size of a disc": text(d.Size)}[what]
			}
		}
	}
	return ""
}

// gonePath stands for the loss of the whole object.
const gonePath = ""

// stepChange changes the task's machine, if that makes a difference.
func stepChange(change func(*emulator.Machine)) func(s *scene) bool {
	return func(s *scene) bool {
		m, ok := s.machine()
		if !ok || m.Deleted {
			return false
		}
		changed := m
		change(&changed)
		if changed.PowerOn == m.PowerOn && changed.AutorebootOn == m.AutorebootOn && changed.Name == m.Name {
			return false
		}
		return s.service.Change(m.ID, change) == nil
	}
}

func stepSoftDelete(s *scene) bool {
	m, ok := s.machine()
	if !ok || m.Deleted {
		return false
	}
	s.service.SoftDelete(m.ID)
	return true
}

func stepPurge(s *scene) bool {
	m, ok := s.machine()
	if !ok {
		return false
	}
	s.purge(m)
	return true
}

// purge destroys a machine with its discs.
func (s *scene) purge(m emulator.Machine) {
	s.stepped.removed[m.ID] = true
	for _, d := range m.Discs {
		s.stepped.removed[d.ID] = true
	}
	s.service.Purge(m.ID)
}

// stepTarget does something to the machine that a disc is moved to.
func stepTarget(do func(s *scene, m emulator.Machine)) func(s *scene) bool {
	return func(s *scene) bool {
		m, ok := s.service.Machine(s.task.also)
		if ok {
			do(s, m)
		}
		return ok
	}
}

// stepRenameDeleted renames the machine if it is soft-deleted. Somebody wants to keep it, as after stepUndelete.
func stepRenameDeleted(s *scene) bool {
	m, ok := s.machine()
	if !ok || !m.Deleted {
		return false
	}
	s.must(s.service.Change(m.ID, func(m *emulator.Machine) { m.Name = "precious" }))
	s.theirs.wanted[m.ID] = deletedToo
	return true
}

// stepNamesake creates a machine where the task's one was, with its name.
func stepNamesake(s *scene) bool {
	before := s.parts[s.task.subject].before
	if before["name"] == nil || s.task.do != nil { // an import by name would mean this one
		return false
	}
	id := s.service.AddMachine(emulator.DemoAccount, wantedGroup(before), emulator.Machine{Name: before["name"].(string), Discs: []emulator.Disc{{Label: "vda", Size: 4096}}})
	s.theirs.keep(s, id)
	return id != 0
}

// stepUndelete undeletes the machine. Somebody wants to keep it, so only a plan that shows its loss may destroy it.
func stepUndelete(start bool) func(s *scene) bool {
	return func(s *scene) bool {
		m, ok := s.machine()
		if !ok || !m.Deleted {
			return false
		}
		err := s.service.Change(m.ID, func(m *emulator.Machine) {
			m.Deleted = false
			if start {
				m.PowerOn, m.AutorebootOn = true, true
			}
		})
		if err == nil {
			s.theirs.wanted[m.ID] = undeleted
		}
		return err == nil
	}
}

func stepMove(to func(s *scene) int64) func(s *scene) bool {
	return func(s *scene) bool {
		m, ok := s.machine()
		return ok && s.service.Change(m.ID, func(m *emulator.Machine) { m.GroupID = to(s) }) == nil
	}
}

// stepNamedLikeID creates a machine to which the path of the task's one may lead.
func stepNamedLikeID(s *scene) bool {
	m, ok := s.machine()
	if !ok {
		return false
	}
	id := s.service.AddMachine(m.Account, m.Group, emulator.Machine{Name: text(m.ID), Discs: []emulator.Disc{{Label: "vda", Size: 4096}, {Label: "vdb", Size: 4096}}})
	s.theirs.keep(s, id)
	return id != 0
}

func stepAttach(s *scene) bool {
	m, ok := s.machine()
	if !ok || m.Deleted {
		return false
	}
	id := s.service.AddDisc(m.ID, emulator.Disc{Label: "theirs", Size: 4096})
	s.theirs.discs[id] = "theirs"
	return id != 0
}

// stepAttachSame attaches the first disc of the task's configuration that the machine lacks.
func stepAttachSame(s *scene) bool {
	m, ok := s.machine()
	wanted, _ := s.parts[s.task.subject].after["disc"].(objects)
	at := slices.IndexFunc(wanted, func(disc object) bool {
		return !slices.ContainsFunc(m.Discs, func(d emulator.Disc) bool { return d.Label == disc["label"] })
	})
	if !ok || m.Deleted || at < 0 {
		return false
	}
	label, size := wanted[at]["label"].(string), int64(wanted[at]["size"].(int))
	id := s.service.AddDisc(m.ID, emulator.Disc{Label: label, Size: size})
	s.theirs.discs[id] = label
	return id != 0
}

// stepLabelsLikeIDs attaches discs to whose labels the paths of the machine's own discs may lead.
func stepLabelsLikeIDs(s *scene) bool {
	m, ok := s.machine()
	if !ok || m.Deleted {
		return false
	}
	for _, d := range m.Discs {
		id := s.service.AddDisc(m.ID, emulator.Disc{Label: text(d.ID), Size: 4096})
		s.theirs.discs[id] = text(d.ID)
	}
	return true
}

func stepDetach(s *scene) bool {
	m, ok := s.machine()
	if !ok || len(m.Discs) < 2 {
		return false
	}
	d, err := s.service.DetachDisc(m.ID, m.Discs[len(m.Discs)-1].Label)
	s.stepped.removed[d.ID] = true
	return err == nil
}

func stepMoveDisc(s *scene) bool {
	m, ok := s.machine()
	if !ok || len(m.Discs) < 2 {
		return false
	}
	d := m.Discs[len(m.Discs)-1]
	if s.service.MoveDisc(m.ID, d.Label, neighbourID) != nil {
		return false
	}
	s.theirs.discs[d.ID] = d.Label
	s.theirs.keep(s, neighbourID)
	return true
}

func stepRenameDisc(s *scene) bool {
	m, ok := s.machine()
	if !ok || len(m.Discs) == 0 {
		return false
	}
	last := m.Discs[len(m.Discs)-1]
	s.stepped.disc = last.ID
	return s.service.RenameDisc(m.ID, last.Label, "renamed") == nil
}

func stepGrowDisc(s *scene) bool {
	m, ok := s.machine()
	if !ok || len(m.Discs) == 0 {
		return false
	}
	last := len(m.Discs) - 1
	s.stepped.disc = m.Discs[last].ID
	return s.service.Change(m.ID, func(m *emulator.Machine) { m.Discs[last].Size += 2048 }) == nil
}

func stepDeleteBackups(s *scene) bool {
	m, ok := s.machine()
	if !ok || firstBackup(m) == 0 {
		return false
	}
	return s.service.Change(m.ID, func(m *emulator.Machine) {
		for _, d := range m.Discs {
			if d.Backups != nil {
				d.Backups.Taken = nil
			}
		}
	}) == nil
}

// twin returns a machine that cannot be distinguished from the one that the task's configuration creates.
func twin() emulator.Machine {
	return emulator.Machine{
		Name: "web1", Cores: 2, Memory: 2048, PowerOn: true, AutorebootOn: true, LastImagedWith: "bookworm",
		Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "vdb", Size: 10240}},
	}
}

// stepTake creates an object with the name in the task's configuration, if it is free.
func stepTake(theirs emulator.Machine) func(s *scene) bool {
	return func(s *scene) bool {
		subject := s.parts[s.task.subject]
		if subject.after == nil {
			return false
		}
		name := subject.after["name"].(string)
		if subject.kind == groupType {
			id := s.service.AddGroup(emulator.DemoAccount, name, false)
			s.theirs.groups[id] = name
			return id != 0
		}
		theirs.Name = name
		id := s.service.AddMachine(emulator.DemoAccount, wantedGroup(subject.after), theirs)
		s.theirs.keep(s, id)
		return id != 0
	}
}

func stepRenameGroup(s *scene) bool {
	name, ok := s.group()
	if !ok || s.service.RenameGroup(emulator.DemoAccount, name, "renamed-elsewhere") != nil {
		return false
	}
	for _, g := range s.groups() {
		if g.name == "renamed-elsewhere" && s.theirs.groups[g.id] != "" {
			s.theirs.groups[g.id] = g.name
		}
	}
	return true
}

func stepRemoveGroup(s *scene) bool {
	name, ok := s.group()
	if !ok {
		return false
	}
	for _, g := range s.groups() {
		s.stepped.removed[g.id] = s.stepped.removed[g.id] || g.account == emulator.DemoAccount && g.name == name
	}
	status, _ := s.ask(http.MethodDelete, "/accounts/demo/groups/"+name, "")
	return status == http.StatusNoContent
}

// stepReplaceGroup removes the group, and creates another one of its name.
func stepReplaceGroup(s *scene) bool {
	name, _ := s.group()
	if !stepRemoveGroup(s) {
		return false
	}
	id := s.service.AddGroup(emulator.DemoAccount, name, false)
	s.theirs.groups[id] = name
	return id != 0
}

func stepFillGroup(s *scene) bool {
	if s.parts[s.task.subject].kind != groupType {
		return false
	}
	name, ok := s.group()
	if !ok {
		return false
	}
	id := s.service.AddMachine(emulator.DemoAccount, name, emulator.Machine{Name: "inside"})
	s.theirs.keep(s, id)
	return id != 0
}

func (s *scene) schedulesPath() string {
	subject := s.parts[s.task.subject]
	for _, m := range s.service.Machines() {
		for _, d := range m.Discs {
			if configured := subject.resource; text(d.ID) == fmt.Sprint(configured.config()["disc_id"]) {
				return fmt.Sprintf("/accounts/%s/groups/%s/virtual_machines/%d/discs/%d/backup_schedules", m.Account, m.Group, m.ID, d.ID)
			}
		}
	}
	return ""
}

// config returns the configuration after the task or, without one, before it.
func (r resource) config() object {
	if r.after != nil {
		return r.after
	}
	return r.before
}

func stepDeleteSchedule(s *scene) bool {
	id := s.parts[s.task.subject].id()
	if id == 0 {
		return false
	}
	status, _ := s.ask(http.MethodDelete, s.schedulesPath()+"/"+text(id), "")
	return status == http.StatusNoContent
}

func stepEqualSchedule(s *scene) bool {
	before := s.schedules()
	wanted := s.parts[s.task.subject].config()
	status, _ := s.ask(http.MethodPost, s.schedulesPath(), fmt.Sprintf(`{"start_at":%q,"interval_seconds":%d,"capacity":%d}`, wanted["start_at"], wanted["interval_seconds"], wanted["capacity"]))
	for _, id := range s.schedules() {
		if !slices.Contains(before, id) {
			s.theirs.schedules[id] = true
		}
	}
	return status == http.StatusCreated
}

func stepReverseName(s *scene) bool {
	const name = "somebody.example.com"
	status, _ := s.ask(http.MethodPut, "/ips/198.51.100.2", `{"rdns":"`+name+`"}`)
	s.theirs.name = name
	return status == http.StatusOK
}

// stepGiveAddress purges the machine that has the address, and gives it to one of somebody else.
func stepGiveAddress(s *scene) bool {
	if !stepPurge(s) {
		return false
	}
	id := s.service.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "heir", Interfaces: []emulator.Interface{{IPs: []string{"198.51.100.2"}}}})
	s.theirs.keep(s, id)
	return id != 0
}

func stepRevokeSession(s *scene) bool {
	s.service.ExpireSessions()
	s.over(0)
	return true
}

// over records that the trouble ends after a time. 0 means now.
func (s *scene) over(after time.Duration) {
	if end := time.Now().Add(after); end.After(s.stepped.ended) {
		s.stepped.ended = end
	}
}

// forAWhile ends the trouble after a time, or after the task if the time is 0. It reports true.
func (s *scene) forAWhile(lasts time.Duration, end func()) bool {
	if lasts == 0 {
		s.calming = append(s.calming, end)
		return true
	}
	s.over(lasts)
	time.AfterFunc(lasts, end)
	return true
}

func stepRevokeToken(lasts time.Duration) func(s *scene) bool {
	return func(s *scene) bool {
		s.service.ExpireAPIKey(ownKey, s.service.Now())
		return s.forAWhile(lasts, func() { s.service.AddAPIKey(ownKey, user) })
	}
}

func stepHide(lasts time.Duration) func(s *scene) bool {
	return func(s *scene) bool {
		account := cmp.Or(s.task.account, emulator.DemoAccount)
		s.service.CloseAccount(account, true)
		return s.forAWhile(lasts, func() { s.service.CloseAccount(account, false) })
	}
}

// stepFault injects a fault into the service for a while.
func stepFault(lasts time.Duration, fault emulator.Fault) func(s *scene) bool {
	return func(s *scene) bool { return s.forAWhile(lasts, s.service.Inject(fault)) }
}

func answering(code int, match func(emulator.Request) bool) emulator.Fault {
	return emulator.Fault{Status: code, Body: "trouble", Match: func(r emulator.Request) bool { return !isTheirs(r) && match(r) }}
}

func anyCall(r emulator.Request) bool { return r.Path != "/session" }

func isLogIn(r emulator.Request) bool { return r.Path == "/session" }

func isCreation(r emulator.Request) bool {
	return r.Method == http.MethodPost && (strings.HasSuffix(r.Path, "/vm_create") || strings.HasSuffix(r.Path, "/groups"))
}

// namesHidden is the step after which the service answers 404 for every name, as some services do for a name that is
// being created.
const namesHidden = "nothing is found by its name for 3s"

// listedTwice is the step after which listings show every object twice, as a listing may if an object was moved
// meanwhile.
const listedTwice = "listings show each ID twice, once as it was not"

// isByName reports whether a request reads a machine or a group by its name.
func isByName(r emulator.Request) bool {
	before, name, _ := strings.Cut(r.Path, "/virtual_machines/")
	if name == "" {
		before, name, _ = strings.Cut(r.Path, "/groups/")
	}
	return r.Method == http.MethodGet && before != "" && name != "" && numberOf(name) == 0 && !strings.Contains(name, "/")
}

// twiceListed adds another entry for each object to a listing: with the same ID, but deleted and with another name.
var twiceListed = emulator.Fault{
	Match: func(r emulator.Request) bool {
		return r.Method == http.MethodGet && (strings.HasSuffix(r.Path, "/virtual_machines") || strings.HasSuffix(r.Path, "/groups")) && !isTheirs(r)
	},
	Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
		var listed, twice []map[string]any
		if json.Unmarshal(body, &listed) != nil {
			return status, header, body
		}
		for _, object := range listed {
			other := maps.Clone(object)
			other["name"], other["deleted"] = fmt.Sprint("was-", object["name"]), true
			if _, isGroup := object["account_id"]; isGroup { // of two groups a careless client uses the first, of two machines the last
				twice = append(twice, other, object)
			} else {
				twice = append(twice, object, other)
			}
		}
		changed, err := json.Marshal(twice)
		if err != nil {
			return status, header, body
		}
		return status, header, changed
	},
}

// isOneMachine reports whether a request reads one machine.
func isOneMachine(r emulator.Request) bool {
	_, element, _ := strings.Cut(r.Path, "/virtual_machines/")
	return r.Method == http.MethodGet && element != "" && !strings.Contains(element, "/")
}

// isByID reports whether a request reads a machine by its ID alone.
func isByID(r emulator.Request) bool {
	return isOneMachine(r) && strings.HasPrefix(r.Path, "/virtual_machines/")
}

// isOneGroup reports whether a request reads one group.
func isOneGroup(r emulator.Request) bool {
	_, element, _ := strings.Cut(r.Path, "/groups/")
	return r.Method == http.MethodGet && element != "" && !strings.Contains(element, "/")
}

// withoutGroups are two lists of groups that have none.
var withoutGroups = emulator.Fault{
	Times: 2,
	Match: func(r emulator.Request) bool {
		return r.Method == http.MethodGet && strings.HasSuffix(r.Path, "/groups") && !isTheirs(r)
	},
	Rewrite: func(status int, header http.Header, _ []byte) (int, http.Header, []byte) {
		return status, header, []byte("[]")
	},
}

// withoutSchedules is one answer that shows discs without their schedules.
var withoutSchedules = emulator.Fault{
	Times: 1,
	Match: func(r emulator.Request) bool {
		return r.Method == http.MethodGet && strings.HasPrefix(r.Path, "/discs/") && !isTheirs(r)
	},
	Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
		return status, header, emptied(body, "backup_schedules")
	},
}

var withoutDiscs = emulator.Fault{
	Match: func(r emulator.Request) bool {
		return r.Method == http.MethodGet && strings.Contains(r.Path, "/virtual_machines") && !strings.Contains(r.Path, "/discs") && !isTheirs(r)
	},
	Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
		return status, header, emptied(body, "discs")
	},
}

// emptied empties all lists with a name in a JSON text.
func emptied(body []byte, name string) []byte {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return body
	}
	var empty func(any)
	empty = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, element := range v {
				empty(element)
			}
		case map[string]any:
			for key, element := range v {
				if _, ok := element.([]any); ok && key == name {
					v[key] = []any{}
				} else {
					empty(element)
				}
			}
		}
	}
	empty(value)
	changed, err := json.Marshal(value)
	if err != nil {
		return body
	}
	return changed
}

func stepBoth(first, second func(s *scene) bool) func(s *scene) bool {
	return func(s *scene) bool { return first(s) && second(s) }
}

// stepToken revokes the token in the file. For a while the file is absent or has other content, and then it has the next
// token.
func stepToken(name, content string, lasts time.Duration) func(s *scene) bool {
	return func(s *scene) bool {
		s.service.ExpireAPIKey(fileKey, s.service.Now())
		s.service.AddAPIKey(nextKey, user)
		if name == "absent" {
			s.must(os.Remove(s.tokenFile))
		} else {
			s.writeToken(content)
		}
		s.over(lasts)
		if lasts > 0 {
			time.AfterFunc(lasts, func() { s.writeToken(nextKey) })
		}
		return true
	}
}

// stepAnotherService lets another service answer at the same address.
func stepAnotherService(like otherService) func(s *scene) bool {
	return func(s *scene) bool {
		s.other = s.newOther(like)
		s.wire.lead(ownerPaths{s.other.Transport()})
		return s.forAWhile(0, func() { s.wire.lead(s.service.Transport()) })
	}
}

// stepSwitch lets another service with the same IDs answer from now on.
func stepSwitch(namesakes bool) func(s *scene) bool {
	return func(s *scene) bool {
		s.other = s.newCopy(namesakes)
		s.wire.lead(s.other.Transport())
		return s.forAWhile(0, func() { s.wire.lead(s.service.Transport()) })
	}
}
