package tfkit

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// LookedUpBy is an argument that a data source finds its object by, and fills
// where another one was given.
func LookedUpBy(description string) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: description, Optional: true, Computed: true,
		Validators: []validator.String{NotEmpty{}},
	}
}
