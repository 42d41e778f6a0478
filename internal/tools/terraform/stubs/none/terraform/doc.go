// SPDX-License-Identifier: MPL-2.0

// Package terraform is empty: a test of Terraform imports it.
package terraform
