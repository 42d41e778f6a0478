package backup

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

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
				MarkdownDescription: "Time of the first backup, `YYYY-MM-DD hh:mm:ss`.",
				Required:            true,
				Validators:          []validator.String{dateTime{}},
				PlanModifiers:       replaceText,
			},
			"interval_seconds": schema.Int64Attribute{
				MarkdownDescription: "Seconds between two backups: `86400` is a day, `604800` a week.",
				Required:            true,
				Validators:          []validator.Int64{int64validator.AtLeast(1)},
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.RequiresReplace()},
			},
			"capacity": schema.Int64Attribute{
				MarkdownDescription: "How many backups of the schedule are kept. The service chooses if it is not set.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.Int64{int64validator.AtLeast(1)},
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

// dateTime is a validator of times in the form that the service takes.
type dateTime struct{}

// Description returns what is accepted.
func (dateTime) Description(context.Context) string { return "a time such as 2030-01-31 04:00:00" }

// MarkdownDescription returns what is accepted.
func (v dateTime) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString refuses other texts.
func (dateTime) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !tfkit.Given(req.ConfigValue) {
		return
	}
	if _, err := time.Parse(time.DateTime, req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid time",
			fmt.Sprintf("%q must be a date and a time, such as 2030-01-31 04:00:00.", req.ConfigValue.ValueString()))
	}
}
