// Package tfkit is the glue between Terraform's plugin framework and the rest
// of the provider: what every noun needs and no noun owns. It hands the
// configured provider on, turns the client's errors into diagnostics at the
// attribute to blame, and holds the value types that the framework lacks.
package tfkit
