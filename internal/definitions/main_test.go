package definitions_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

func TestMain(m *testing.M) { acctest.Main(m) }
