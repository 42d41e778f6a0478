package acctest

import (
	"slices"
	"strings"
)

// The kinds of requests about what is not a machine, by method and end of the path.
const (
	createsGroup    = "POST groups"
	updatesGroup    = "PUT group"
	deletesGroup    = "DELETE group"
	createsSchedule = "POST backup_schedules"
	deletesSchedule = "DELETE backup_schedule"
	setsName        = "PUT ip"
)

// Promises returns the requests that the plan of any resource accounts for.
func Promises(plan *PlanResult) []Promise {
	shown := Showing(plan)
	var creation, change, deletion []Promise
	switch plan.TypeName {
	case "cloudserver_group":
		id := ID(shown.Prior["id"])
		creation = []Promise{{Kind: createsGroup, Body: map[string][]any{"name": oneOf(shown.Planned["name"])}}}
		change = []Promise{
			{Kind: updatesGroup, Group: id, Body: map[string][]any{"name": oneOf(shown.Planned["name"])}},
		}
		deletion = []Promise{{Kind: deletesGroup, Group: id}}
	case "cloudserver_backup_schedule":
		creation = []Promise{{Kind: createsSchedule, Disc: ID(shown.Planned["disc_id"])}}
		deletion = []Promise{{Kind: deletesSchedule, Disc: ID(shown.Prior["disc_id"]), Element: Text(shown.Prior["id"])}}
	case "cloudserver_rdns":
		creation = []Promise{{Kind: setsName, Element: Text(shown.Planned["address"]), Body: map[string][]any{"rdns": oneOf(shown.Planned["hostname"])}}}
		change = creation
		deletion = []Promise{{Kind: setsName, Element: Text(shown.Prior["address"]), Body: map[string][]any{"rdns": {"", nil}}}}
	default:
		return shown.Promises()
	}
	switch shown.Action {
	case ActionCreate:
		return creation
	case ActionUpdate:
		return change
	case ActionDelete:
		return deletion
	case ActionReplace:
		return slices.Concat(deletion, creation)
	case ActionNoOp, ActionError:
	}
	return nil
}

// kindOfOthers returns the kind of a request that is not about a machine itself, or "" for one that is.
func kindOfOthers(method string, segments []string) string {
	switch {
	case len(segments) == 5 && segments[3] == "groups":
		return method + " group"
	case len(segments) == 3 && segments[1] == "ips":
		return method + " ip"
	case len(segments) == 11 && segments[9] == "backup_schedules":
		return method + " backup_schedule"
	case len(segments) == 11 && segments[9] == "backups":
		return method + " backup"
	}
	return ""
}

// concernsMachine reports whether requests of the promise's kind must reach its machine. Requests for groups and
// addresses reach none, and a schedule is deleted wherever its disc is now.
func (p Promise) concernsMachine() bool {
	return !slices.Contains(
		[]string{creates, createsGroup, updatesGroup, deletesGroup, createsSchedule, deletesSchedule, setsName}, p.Kind,
	)
}

// named reports whether the path ends with the promise's element, if it has one.
func (p Promise) named(path string) bool {
	return p.Element == "" || strings.HasSuffix(path, "/"+p.Element)
}
