package e2e_test

import (
	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/backup"
	groupnoun "github.com/cloudserver/terraform-provider-cloudserver/internal/group"
	vmoperation "github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/rdns"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
	vmnoun "github.com/cloudserver/terraform-provider-cloudserver/internal/vm"
)

// The kinds of messages that the judges know. No judge reads a sentence of the provider, except claims, which it compares
// with what the service has and was asked: those in tfkit, and deletedElsewhere.
var (
	machineNotCreated  = acctest.Error("", vmnoun.CannotCreate)
	groupNotCreated    = acctest.Error("", groupnoun.CannotCreate)
	scheduleNotCreated = acctest.Error("", backup.CannotCreate)
	nameOfMachineTaken = acctest.Error("name", vmnoun.CannotCreate)
	nameOfGroupTaken   = acctest.Error("name", groupnoun.CannotCreate)
	notChecked         = acctest.Error("", tfkit.CannotCheckPlan)
	secondImport       = acctest.Error("", presence.SecondImport)

	unread        = acctest.Warning("id", vmnoun.Unread) // so the state is as it was before
	powerOwed     = acctest.Warning("", vmoperation.CannotRestorePower)
	scheduleStays = acctest.Warning("disc_id", backup.CannotDelete) // with its soft-deleted machine
	nameStays     = acctest.Warning("hostname", rdns.NameStays)
	adopted       = acctest.Warning("name", presence.Adopted)

	// somethingGone has what is said of a machine, or of a disc, that does not exist any more.
	somethingGone = []acctest.Kind{
		acctest.Warning("id", vmnoun.Gone), acctest.Warning("id", vmnoun.SoftDeleted), acctest.Warning("id", vmnoun.SoftDeletedBefore),
		acctest.Warning("disc", vmnoun.DiscsGone),
	}
)

// deletedElsewhere is the claim that a machine was deleted.
const deletedElsewhere = vmnoun.DeletedElsewhere
