package tfkit

import (
	"fmt"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
)

// ListResults returns the results of a list resource, and enforces the limit, which the
// framework leaves to the provider. Where more match, a warning comes before the first
// result, because the CLI stops listening at the limit. Nouns names what is listed.
func ListResults[T any](req list.ListRequest, nouns string, found []T, result func(T) list.ListResult) iter.Seq[list.ListResult] {
	return func(push func(list.ListResult) bool) {
		if limit := req.Limit; limit > 0 && int64(len(found)) > limit {
			if !push(list.ListResult{Diagnostics: diag.Diagnostics{overLimit(nouns, len(found), limit)}}) {
				return
			}
			found = found[:limit]
		}
		for _, one := range found {
			if !push(result(one)) {
				return
			}
		}
	}
}

func overLimit(nouns string, found int, limit int64) diag.Diagnostic {
	return diag.NewWarningDiagnostic(fmt.Sprintf("Only %d of %d %s are listed", limit, found, nouns),
		fmt.Sprintf("The limit of this list block is %d; a block that sets none has Terraform's, which is 100. Set limit = %d in the block to list all of them, or narrow the block down.", limit, found))
}
