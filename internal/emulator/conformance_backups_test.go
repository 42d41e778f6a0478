// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// copyTime is how long a copy of a disc takes in these tests.
const copyTime = 100 * time.Second

// migrate starts a migration to ssd.
func migrate(d *emulator.Disc) {
	d.NewStorageGrade, d.CopyBegan, d.CopyEnds = "ssd", time.Now(), time.Now().Add(copyTime)
}

// TestBackups checks migration, restore and backups of API.md §4.
func TestBackups(t *testing.T) {
	t.Parallel()
	const vda, backups, backup = web + "/discs/vda", web + "/discs/vda/backups", web + "/discs/vda/backups/{backup}"
	take := func(t *testing.T, f *fixture) {
		var taken struct{ ID int64 }
		f.decode(t, "POST "+backups, `{}`, &taken)
		f.backup = idText(taken.ID)
	}
	for _, c := range []conformance{
		{"migration: old grade, target and progress", []step{
			change("web1", func(m *emulator.Machine) { migrate(&m.Discs[0]) }),
			do("GET "+vda, "", 200, `{"storage_grade":"sata","storage_pool":"tier1-sata","new_storage_grade":"ssd","new_storage_pool":"tier1-ssd","migration_progress":0}`),
			pass(copyTime * 2 / 5), do("GET "+vda, "", 200, `{"storage_grade":"sata","new_storage_grade":"ssd","migration_progress":40}`),
			pass(copyTime), do("GET "+vda, "", 200, `{"storage_grade":"ssd","storage_pool":"tier1-ssd"}`),
			lacks("GET "+vda, "new_storage_grade"), lacks("GET "+vda, "migration_progress"),
		}},
		{"restore: iceberg, target and progress", []step{
			take, pass(copyTime), do("PUT "+backup, `{"restore":true}`, 200, `{"parent_disc_id":{vda}}`),
			pass(copyTime / 2),
			do("GET "+vda, "", 200, `{"storage_grade":"iceberg","new_storage_grade":"sata","migration_progress":50}`),
			pass(copyTime), do("GET "+vda, "", 200, `{"storage_grade":"sata"}`),
		}},
		{"POST backup_schedules: nothing that was due before", []step{
			do("POST "+vda+"/backup_schedules", `{"start_at":"0001-01-01 00:00:00","interval_seconds":9000000000000000}`, 201, `{"capacity":1}`),
			do("POST "+vda+"/backup_schedules", `{"start_at":"2020-01-05 04:00:00","interval_seconds":604800,"capacity":4}`, 201, `{"capacity":4}`),
			do("GET "+backups, "", 200, `[]`),
		}},
		{"POST backup_schedules: 201 with an id", []step{
			do("POST "+vda+"/backup_schedules", `{"start_at":"2026-11-21 00:00:00","interval_seconds":86400,"capacity":2}`, 201,
				`{"start_at":"2026-11-21 00:00:00","interval_seconds":86400,"capacity":2}`),
			do("POST "+vda+"/backup_schedules", `{"interval_seconds":0,"capacity":1000000000000}`, 400,
				`{"start_at":["can't be blank"],"interval_seconds":["must be greater than or equal to 1"],"capacity":["must be less than or equal to 1000"]}`),
			do("GET "+vda, "", 200, `{"backups_enabled":true,"backup_count":0,"backup_schedules":[{"capacity":2}]}`),
			pass(12 * time.Hour), do("GET "+vda, "", 200, `{"backup_count":1}`),
			pass(24 * time.Hour), do("GET "+vda, "", 200, `{"backup_count":2}`),
			pass(1000 * 24 * time.Hour), do("GET "+vda, "", 200, `{"backup_count":2}`),
			do("GET "+backups, "", 200, `[{"manual":false,"storage_grade":"iceberg"},{"manual":false}]`),
		}},
		{"POST backup_schedules: in another time zone", []step{
			do("POST "+vda+"/backup_schedules", `{"start_at":"2026-11-24T08:30:00+02:00","interval_seconds":86400,"capacity":7}`, 201, `{"start_at":"2026-11-24 06:30:00"}`),
		}},
		{"DELETE backup_schedules", []step{
			do("DELETE "+vda+"/backup_schedules/1", "", 404, "no such backup schedule"),
			func(t *testing.T, f *fixture) {
				var made struct{ ID int64 }
				f.decode(t, "POST "+vda+"/backup_schedules", `{"start_at":"2026-11-21 00:00:00","interval_seconds":86400}`, &made)
				do("DELETE "+vda+"/backup_schedules/"+idText(made.ID), "", 204, "")(t, f)
			},
			do("GET "+vda, "", 200, `{"backups_enabled":false,"backup_schedules":[]}`),
		}},
		{"POST backups: taken now, in progress until it is in cold storage", []step{
			do("POST "+backups, `{}`, 201, `{"parent_disc_id":{vda},"manual":true,"size":25600,"storage_grade":"sata","new_storage_grade":"iceberg","migration_progress":0}`),
			pass(copyTime / 4), do("GET "+backups, "", 200, `[{"storage_grade":"sata","migration_progress":25}]`),
			pass(copyTime), do("GET "+backups, "", 200, `[{"storage_grade":"iceberg","manual":true}]`),
			do("GET "+vda, "", 200, `{"backup_count":1}`),
		}},
		{"PUT restore", []step{
			take, do("PUT "+backup, `{"restore":true}`, 400, `{"restore":["is not possible before the backup is stored"]}`),
			pass(copyTime), do("PUT "+backup, `{}`, 400, `{"restore":["can't be blank"]}`),
			do("PUT "+backup, `{"restore":true}`, 200, `{"parent_disc_id":{vda}}`),
			do("GET "+vda, "", 200, `{"storage_grade":"iceberg","new_storage_grade":"sata"}`),
			do("PUT "+backup, `{"restore":true}`, 400, `{"restore":["is not possible while the disc is being moved"]}`),
			pass(copyTime), do("GET "+vda, "", 200, `{"storage_grade":"sata"}`),
		}},
		{"DELETE backups: only with purge=true", []step{
			take, do("DELETE "+backup, "", 500, "can only be purged"), do("DELETE "+backup+"?purge=true", "", 204, ""),
			do("DELETE "+backup+"?purge=true", "", 404, "no such backup"), do("GET "+backups, "", 200, `[]`),
		}},
	} {
		c.runWith(t, emulator.Options{BootTime: bootTime, CopyTime: copyTime})
	}
	conformance{"PUT restore: seen also where copies take no time", []step{
		take, do("PUT "+backup, `{"restore":true}`, 200, `{"parent_disc_id":{vda}}`),
		do("GET "+vda, "", 200, `{"storage_grade":"iceberg","new_storage_grade":"sata"}`),
		pass(time.Second), do("GET "+vda, "", 200, `{"storage_grade":"sata"}`),
	}}.runWith(t, emulator.Options{})
}
