package tfkit

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// LookedUpBy returns an argument by which a data source finds its object. It is
// computed where another argument is configured.
func LookedUpBy(description string) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: description, Optional: true, Computed: true,
		Validators: []validator.String{NotEmpty{}},
	}
}
