// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

// The resources of most tests.
const (
	web     = "cloudserver_vm.web"
	team    = "cloudserver_group.team"
	nightly = "cloudserver_backup_schedule.nightly"
	name    = "cloudserver_rdns.web"
)

// value checks a value of the state. The path is that of an attribute, and of what is in it.
func value(address string, want knownvalue.Check, attribute string, path ...any) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, at(attribute, path...), want)
}

func at(attribute string, path ...any) tfjsonpath.Path {
	p := tfjsonpath.New(attribute)
	for _, element := range path {
		switch element := element.(type) {
		case int:
			p = p.AtSliceIndex(element)
		case string:
			p = p.AtMapKey(element)
		}
	}
	return p
}

// plans checks what is planned for a resource, before it is applied.
func plans(address string, action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
}

// planned checks what is planned for the machine web.
func planned(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return plans(web, action)
}

// says is the beginning of an error, of which the CLI may break the lines.
func says(text string) *regexp.Regexp {
	return regexp.MustCompile(regexp.MustCompile(`\s+`).ReplaceAllString(regexp.QuoteMeta(text), `[\s│]+`))
}
