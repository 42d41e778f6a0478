// Package tfkit connects Terraform's plugin framework with the rest of the provider. It knows no particular resource:
// it passes on the configured provider, turns the client's errors into diagnostics at the attribute to blame, checks
// plans against the service's definitions, and has what resources, data sources and lists have in common.
package tfkit
