// Package terraform is empty: a test of Terraform imports it.
package terraform
