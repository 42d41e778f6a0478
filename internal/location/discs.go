package location

import (
	"fmt"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// CheckDiscPath returns an error if a path with the ID of a disc may lead to another disc of the machine, whose label is
// that ID: the service takes labels and IDs alike. It is asked before every request about a disc, also one that reads.
func CheckDiscPath(discs []cloudserver.Disc, id int64) error { return checkLabels("disc", discs, id) }

// CheckBackupPath is [CheckDiscPath] for the backups of a disc.
func CheckBackupPath(backups []cloudserver.Backup, id int64) error {
	discs := make([]cloudserver.Disc, len(backups))
	for i, b := range backups {
		discs[i] = b.Disc
	}
	return checkLabels("backup", discs, id)
}

func checkLabels(what string, discs []cloudserver.Disc, id int64) error {
	for _, d := range discs {
		if d.ID != id && strings.TrimSpace(d.Label) == cloudserver.IDText(id) {
			return fmt.Errorf("%[1]s %[2]d cannot be distinguished from %[1]s %[3]d, whose label is %[4]q: the service takes labels and ids alike in a path. "+
				"Give that %[1]s another label first", what, id, d.ID, d.Label)
		}
	}
	return nil
}
