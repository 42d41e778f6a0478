package acctest

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// UnitTest runs a test case through the real CLI, in parallel with others. It does not need TF_ACC, and uses this
// provider unless the case has its own.
func UnitTest(t *testing.T, testCase resource.TestCase) {
	t.Helper()
	testCase.IsUnitTest = true
	if testCase.ProtoV6ProviderFactories == nil {
		testCase.ProtoV6ProviderFactories = map[string]func() (tfprotov6.ProviderServer, error){
			"cloudserver": providerserver.NewProtocol6WithError(provider.New("test")()),
		}
	}
	resource.ParallelTest(t, testCase)
}
