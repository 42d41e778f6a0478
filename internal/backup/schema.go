package backup

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func (r *scheduleResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	replaceText := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manages a backup schedule of a disc: when backups are taken, and how many of them are kept. Every change replaces it.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: "Numeric ID of the schedule.",
				Computed:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"virtual_machine_id": schema.StringAttribute{
				MarkdownDescription: "ID of the machine that the disc is on: `id` of a `cloudserver_vm`.",
				Required:            true,
				Validators:          []validator.String{tfkit.NumericID("")},
				PlanModifiers:       replaceText,
			},
			"disc_id": schema.StringAttribute{
				MarkdownDescription: "ID of the disc, such as `cloudserver_vm.web.disc[0].id`.",
				Required:            true,
				Validators:          []validator.String{tfkit.NumericID("")},
				PlanModifiers:       replaceText,
			},
			"start_at": schema.StringAttribute{
				MarkdownDescription: "Time of the first backup: `YYYY-MM-DD hh:mm:ss` in UTC, or RFC 3339 with any offset, as `timestamp()` writes it.",
				Required:            true,
				Validators:          []validator.String{startTime{}},
				PlanModifiers:       append([]planmodifier.String{tfkit.KeepSpelling{Same: cloudserver.SameTime}}, replaceText...),
			},
			"interval_seconds": schema.Int64Attribute{
				MarkdownDescription: "Seconds between two backups: `86400` is a day, `604800` a week.",
				Required:            true,
				Validators:          []validator.Int64{tfkit.Positive{}},
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.RequiresReplace()},
			},
			"capacity": schema.Int64Attribute{
				MarkdownDescription: "How many backups of the schedule are kept. The service chooses if it is not set.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.Int64{tfkit.Positive{}},
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown(), int64planmodifier.RequiresReplaceIfConfigured()},
			},
		},
	}
}

// IdentitySchema has only what never changes.
func (r *scheduleResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	required := func(description string) identityschema.StringAttribute {
		return identityschema.StringAttribute{Description: description, RequiredForImport: true}
	}
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"disc_id": required("ID of the disc."),
		"id":      required("ID of the schedule."),
	}}
}

// startTime is a validator of the start of a schedule.
type startTime struct{}

// Description returns what is accepted.
func (startTime) Description(context.Context) string {
	return "a time such as 2030-01-31 04:00:00 (UTC) or 2030-01-31T05:00:00+01:00"
}

// MarkdownDescription returns what is accepted.
func (v startTime) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString refuses other texts.
func (v startTime) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if _, err := cloudserver.ParseStart(req.ConfigValue.ValueString()); err != nil && tfkit.Given(req.ConfigValue) {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid time", fmt.Sprintf("%q must be %s.", req.ConfigValue.ValueString(), v.Description(ctx)))
	}
}
