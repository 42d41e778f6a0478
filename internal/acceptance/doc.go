// SPDX-License-Identifier: MPL-2.0

// Package acceptance proves that a service, the provider and a CLI work together. It is also the shortest introduction to what
// the provider does: read the files in their order.
//
//	01_service_test.go      what a service offers
//	02_machine_test.go      the life of a machine
//	03_change_test.go       changes of a machine
//	04_image_test.go        images
//	05_discs_test.go        discs
//	06_addresses_test.go    addresses and reverse names
//	07_group_test.go        groups
//	08_backup_test.go       backups
//	09_deletion_test.go     deletion, and its protection
//	10_actions_test.go      actions, and lists
//	11_promises_test.go     what the provider never does
//
// A test is a page of steps of terraform-plugin-testing. Each step names the clauses of API.md that it proves. The
// configurations may use the local values prefix, root_password and those of package harness, such as group and distribution.
// Names begin with "${local.prefix}-".
//
//	make testacc                                  an emulator
//	make testacc RUN=TestAccMachine_life          one test
//	CLOUDSERVER_ENDPOINT=… make testacc           the service that CLOUDSERVER_* names
//	make testacc SWEEP=ACCOUNT                    removes what a killed run has left in that account
package acceptance
