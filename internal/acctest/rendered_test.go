package acctest_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

func TestRenderedKnowsBrokenLines(t *testing.T) {
	t.Parallel()
	printed := "│ Error: Cannot create (it)\n│ \n│ Something is\n│ wrong. Do that.\n"
	for _, test := range []struct {
		phrases []string
		matches bool
	}{
		{[]string{"Error: Cannot create (it)", "Something is wrong.", "Do that."}, true},
		{[]string{"Do that.", "Something"}, false},
		{[]string{"is right"}, false},
	} {
		equal(t, acctest.Rendered(test.phrases...).MatchString(printed), test.matches)
	}
}
