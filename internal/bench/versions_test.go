package main

// All subjects are built from the versions that the provider uses: this import makes its requirements those of this
// module.
import _ "github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
