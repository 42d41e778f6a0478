// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
)

// ListResults returns the results of a list resource, and enforces the limit, which the framework leaves to the
// provider. If more objects match, a warning precedes the first result, because the CLI stops reading at the limit.
// So do warnings of the search. nouns names the objects in messages.
func ListResults[T any](
	req list.ListRequest, nouns string, found []T, warnings diag.Diagnostics, result func(T) list.ListResult,
) iter.Seq[list.ListResult] {
	return func(push func(list.ListResult) bool) {
		warnings, found := slices.Clone(warnings), found
		if limit := req.Limit; limit > 0 && int64(len(found)) > limit {
			warnings = append(warnings, overLimit(nouns, len(found), limit))
			found = found[:limit]
		}
		if len(warnings) > 0 && !push(list.ListResult{Diagnostics: warnings}) {
			return
		}
		for _, one := range found {
			if !push(result(one)) {
				return
			}
		}
	}
}

// ListResult returns an object that a list resource has found: its identity, and its state if the query asks for it.
func ListResult(ctx context.Context, req list.ListRequest, title string, identity ResourceIdentity, state any) list.ListResult {
	one := req.NewListResult(ctx)
	one.DisplayName = title
	identity.Save(ctx, one.Identity, &one.Diagnostics)
	if req.IncludeResource {
		one.Diagnostics.Append(one.Resource.Set(ctx, state)...)
	}
	return one
}

func overLimit(nouns string, found int, limit int64) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Not all objects are listed",
		fmt.Sprintf("Only %d of %d %s are listed. "+
			"The limit of this list block is %d; a block that sets none has Terraform's, which is 100. "+
			"Set limit = %d in the block to list all of them, or narrow the block down.", limit, found, nouns, limit, found))
}
