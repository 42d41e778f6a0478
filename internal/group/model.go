package group

import (
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// model is the resource, and the data source of one group.
type model struct {
	ID        types.String `tfsdk:"id"`
	Account   types.String `tfsdk:"account"`
	AccountID types.Int64  `tfsdk:"account_id"`
	Name      types.String `tfsdk:"name"`
}

// read takes over what the service tells. The account stays as it is written in
// the configuration, by name or id.
func (m *model) read(group *cloudserver.Group) {
	m.ID = types.StringValue(idText(group.ID))
	m.AccountID = types.Int64Null()
	if group.AccountID != 0 {
		m.AccountID = types.Int64Value(group.AccountID)
	}
	if group.Name != "" {
		m.Name = types.StringValue(group.Name)
	}
}

// title names the group in messages.
func (m model) title() string {
	return "group " + strconv.Quote(m.Name.ValueString()) + " of account " + strconv.Quote(m.Account.ValueString())
}

func idText(id int64) string { return strconv.FormatInt(id, 10) }

// isID says whether text can be a numeric id of the service.
func isID(text string) bool {
	id, err := strconv.ParseInt(text, 10, 64)
	return err == nil && id > 0
}

// readPlanned is read for a plan that was carried out: what it promised stays,
// and the next refresh shows where the service differs.
func (m *model) readPlanned(group *cloudserver.Group) {
	now := *m
	now.read(group)
	m.ID = now.ID
	m.AccountID = tfkit.Settled(m.AccountID, now.AccountID)
}
