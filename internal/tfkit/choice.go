package tfkit

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Choice is a configured value that must be one of those which the service offers
// (API.md §6).
type Choice struct {
	At    path.Path
	Value string
	Offer Offer
}

// Offer is one of the service's definitions.
type Offer int

// What the service offers.
const (
	Distribution Offer = iota
	HardwareProfile
	Key
	StorageGrade
	Zone
)

// of returns what the offer is called, and the names that the definitions list.
func (o Offer) of(d *cloudserver.Definitions) (what string, names []string, descriptions map[string]string) {
	switch o {
	case Distribution:
		return "distribution", d.Distributions, d.DistributionDescriptions
	case HardwareProfile:
		return "hardware profile", d.HardwareProfiles, nil
	case Key:
		return "key", d.Sendkeys, nil
	case StorageGrade:
		return "storage grade", d.StorageGrades, d.StorageGradeDescriptions
	case Zone:
		return "zone", d.ZoneNames, nil
	}
	return "", nil, nil
}

// CheckChoices validates values against the service's definitions, if plans are
// checked.
func (d *ProviderData) CheckChoices(ctx context.Context, choices []Choice, diags *diag.Diagnostics) {
	ctx, cancel, ok := d.PlanCheck(ctx)
	defer cancel()
	if !ok || len(choices) == 0 {
		return
	}
	definitions, err := d.Catalogue(ctx)
	if err != nil {
		d.AddPlanCheckError(err, diags)
		return
	}
	for _, c := range choices {
		c.check(definitions, diags)
	}
}

func (c Choice) check(definitions *cloudserver.Definitions, diags *diag.Diagnostics) {
	what, offered, descriptions := c.Offer.of(definitions)
	if len(offered) == 0 || slices.Contains(offered, c.Value) {
		return
	}
	suggestion := Suggest(c.Value, offered, descriptions)
	if c.Offer == HardwareProfile {
		diags.AddAttributeWarning(c.At, fmt.Sprintf("The service does not list the %s %q", what, c.Value),
			"The service may list only a subset of what it accepts, so the plan continues. "+suggestion)
		return
	}
	diags.AddAttributeError(c.At, fmt.Sprintf("The service does not offer the %s %q", what, c.Value), suggestion)
}
