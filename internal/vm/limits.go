// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"fmt"
	"net/url"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// The limits of the service (API.md §3, §4, reference), and values so small or so large that another unit is likely to be
// meant. All are in megabytes.
const (
	minDiscSize   = 50
	usualBootSize = 1024 // of a boot disc with an image
	usualMemory   = 128
	mostMemory    = 2 << 20  // 2 terabytes
	mostDiscSize  = 16 << 20 // 16 terabytes
)

// limit is what the service refuses, or is likely to refuse, of the values that a plan sends.
type limit struct {
	at              path.Path
	summary, detail string
	isUsual         bool // the service may well accept the value
}

// checkLimits reports the limits that the plan exceeds. The service's reference pages are not its contract, so that is a
// warning, unless the plan loses something before the service could refuse the value.
func (d *decision) checkLimits(exceeded []limit, loses bool) {
	if !d.planChecks {
		return
	}
	for _, l := range exceeded {
		if loses && !l.isUsual {
			d.refused.AddAttributeError(l.at, l.summary,
				l.detail+" The service refuses it only after this apply has destroyed, stopped or purged something. "+
					"If the service does accept it, set plan_checks = false in the provider block.")
		} else {
			d.refused.AddAttributeWarning(l.at, l.summary, l.detail)
		}
	}
}

// limitsOf returns the limits that the planned values exceed which the state does not have. unmanaged are the machine's
// discs that no block means.
func limitsOf(state, plan *model, unmanaged []discModel) (exceeded []limit) {
	if differs(state.Name, plan.Name) {
		exceeded = append(exceeded, limitsOfName(plan.Name.ValueString())...)
	}
	if differs(state.Memory, plan.Memory) {
		exceeded = append(exceeded, limitsOfMemory(plan.Memory.ValueInt64())...)
	}
	if scheme := schemeOf(plan.CDROMURL); differs(state.CDROMURL, plan.CDROMURL) && scheme != "http" && scheme != "https" {
		exceeded = append(exceeded, limit{
			at: path.Root("cdrom_url"), isUsual: true,
			summary: fmt.Sprintf("The service may not fetch a CD from a URL with %s://", scheme),
			detail:  "Which URLs the service can fetch is not documented. Use one with https:// or http://.",
		})
	}
	deployed, planned := state.discs(), plan.discs()
	for i, disc := range planned {
		if !tfkit.Given(disc.ID) || !hasDisc(deployed, disc.ID) && !hasDisc(unmanaged, disc.ID) {
			exceeded = append(exceeded, limitsOfDisc(i, disc, !plan.Reimage.IsNull())...)
		}
	}
	if all := len(planned) + len(without(unmanaged, planned)); all > maxDiscs && len(unmanaged) > 0 {
		exceeded = append(exceeded, limit{
			at:      path.Root("disc"),
			summary: fmt.Sprintf("Too many discs of %s: %d", plan.title(), all),
			detail: fmt.Sprintf("A machine has at most %d discs, also counting those that are in no configuration: %s.",
				maxDiscs, tfkit.Quoted(labels(without(unmanaged, planned)))),
		})
	}
	return exceeded
}

// limitsOfName returns what is wrong with a name. Digits alone are refused elsewhere.
func limitsOfName(name string) []limit {
	switch {
	case tfkit.IsShortName(name):
		return []limit{{
			at: path.Root("name"), summary: fmt.Sprintf("The service refuses the name %q", name), detail: tfkit.MachineNameAdvice(name),
		}}
	case !tfkit.IsUsualName(name):
		return []limit{{
			at: path.Root("name"), isUsual: true, summary: fmt.Sprintf("The service may refuse the name %q", name),
			detail: tfkit.MachineNameAdvice(name),
		}}
	}
	return nil
}

// limitsOfMemory returns what is unusual about an amount of memory.
func limitsOfMemory(megabytes int64) []limit {
	at := path.Root("memory")
	switch {
	case megabytes < usualMemory:
		return []limit{{
			at: at, isUsual: true, summary: fmt.Sprintf("The machine gets %d megabytes of memory", megabytes),
			detail: "memory is in megabytes. " + asGigabytes("memory", megabytes),
		}}
	case megabytes > mostMemory:
		return []limit{tooLarge(at, "memory", megabytes)}
	}
	return nil
}

// limitsOfDisc returns what is wrong with the size of a new disc.
func limitsOfDisc(index int, disc discModel, hasImage bool) []limit {
	size := disc.Size.ValueInt64()
	at := discPath(index, "size")
	switch {
	case !tfkit.Given(disc.Size):
		return nil
	case size < minDiscSize:
		return []limit{{
			at: at, summary: fmt.Sprintf("The service refuses a disc of %d megabytes", size),
			detail: fmt.Sprintf("size is in megabytes, and the smallest disc has %d. %s", minDiscSize, asGigabytes("size", size)),
		}}
	case size > mostDiscSize:
		return []limit{tooLarge(at, "size", size)}
	case index == 0 && hasImage && size < usualBootSize:
		return []limit{{
			at: at, isUsual: true, summary: fmt.Sprintf("The boot disc has %d megabytes", size),
			detail: "size is in megabytes, and an image needs more. " + asGigabytes("size", size),
		}}
	}
	return nil
}

// tooLarge is a number of megabytes that may be meant in a smaller unit.
func tooLarge(at path.Path, argument string, megabytes int64) limit {
	return limit{
		at: at, isUsual: true, summary: fmt.Sprintf("%s is %d terabytes", argument, megabytes>>20),
		detail: argument + " is in megabytes: 4 gigabytes are 4096.",
	}
}

// schemeOf returns the scheme of a URL, in lower case.
func schemeOf(address types.String) string {
	parsed, err := url.Parse(address.ValueString())
	if err != nil {
		return ""
	}
	return parsed.Scheme
}

// asGigabytes returns the advice for a number that may be meant as gigabytes.
func asGigabytes(argument string, gigabytes int64) string {
	return fmt.Sprintf("For %d gigabytes, write %s = %d.", gigabytes, argument, gigabytes*1024)
}
