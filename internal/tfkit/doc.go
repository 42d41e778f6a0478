// Package tfkit is the glue between Terraform's plugin framework and the rest
// of the provider, for every resource and specific to none. It passes the
// configured provider on, turns the client's errors into diagnostics at the
// attribute to blame, and has the value types that the framework lacks.
package tfkit
