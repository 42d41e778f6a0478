// SPDX-License-Identifier: MPL-2.0

package vmaction_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestDeleteBackup takes a backup and deletes it, also if the answer is lost. A backup of another disc, and a disc that
// is being restored, are refused.
func TestDeleteBackup(t *testing.T) {
	const deletes = "cloudserver_disc_backup_delete"
	onDisc(t, func(c *copies) {
		ctx := c.Context()
		c.d.MustInvoke(ctx, discBackup, c.order(nil))
		c.d.MustInvoke(ctx, discBackup, c.order(nil))
		first, second := c.now().Discs[0].Backups.Taken[0].ID, c.now().Discs[0].Backups.Taken[1].ID
		order := func(backup int64) map[string]any {
			return c.order(map[string]any{"backup_id": text(backup), "confirm": true})
		}
		c.fails(deletes, c.order(map[string]any{"backup_id": text(first), "confirm": false}), nil, "confirm = true")
		c.fails(deletes, order(9999), nil, "error at backup_id", "has no backup 9999")

		c.fault("DELETE", text(first), emulator.Fault{Status: http.StatusBadGateway, AfterEffect: true})
		c.e.ResetJournal()
		c.d.MustInvoke(ctx, deletes, order(first))
		request := "DELETE " + c.backups + "/" + text(first) + "?purge=true"
		acctest.ExpectCalls(c.T, c.e, request, request)
		if left := c.now().Discs[0].Backups.Taken; len(left) != 1 || left[0].ID != second {
			c.Errorf("left: %+v", left)
		}

		c.moves(time.Second, time.Hour)
		time.Sleep(2 * time.Second)
		c.fails(deletes, order(second), nil, "being migrated or restored")
	})
}
