package main

import (
	"os"
	"path/filepath"
)

// subject is what is measured: we, or a floor.
type subject struct {
	name     string
	provider string // "" is built into Terraform
	config   string
}

// subjects are, in the order of the table: ours, the floor on the same
// framework, and what Terraform alone costs. Each has var.n resources; the
// first one's name is var.first, so that one change can be planned.
var subjects = []subject{
	{"cloudserver_vm", "cloudserver", `
provider "cloudserver" {}

resource "cloudserver_vm" "one" {
  count  = var.n
  name   = count.index == 0 ? var.first : "web${count.index}"
  cores  = 2
  memory = 4096

  disc {
    label         = "vda"
    size          = 25600
    storage_grade = "sata"
  }

  reimage {
    distribution   = "bookworm"
    ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBench bench@example"
  }
}
`},
	{"floor", "floor", `
resource "floor_thing" "one" {
  count = var.n
  name  = count.index == 0 ? var.first : "web${count.index}"
}
`},
	{"terraform_data", "", `
resource "terraform_data" "one" {
  count = var.n
  input = count.index == 0 ? var.first : "web${count.index}"
}
`},
}

const variables = `
variable "n" {
  type = number
}

variable "first" {
  default = "web0"
}
`

// step is one command of the CLI.
type step struct {
	name string
	args []string
	exit int // what the CLI is to say: with -detailed-exitcode, 2 is a plan that is not empty

	inTurn int // requests that each machine waits for, one after the other
}

// parallelism is how many resources Terraform works on at a time by default.
const parallelism = 10

// steps are a life of n machines, in order.
var steps = []step{
	{"validate", []string{"validate"}, 0, 0},
	{"first plan", []string{"plan", "-detailed-exitcode"}, 2, 0},
	{"apply", []string{"apply", "-auto-approve"}, 0, 2}, // the creation, and one look
	{"empty plan", []string{"plan", "-detailed-exitcode"}, 0, 0},
	{"plan, one change", []string{"plan", "-detailed-exitcode", "-var=first=renamed"}, 2, 0},
	{"destroy", []string{"destroy", "-auto-approve"}, 0, 2}, // the deletion, and one look
}

// write makes a working directory for the subject.
func (s subject) write(dir string) error {
	text := variables + s.config
	if s.provider != "" {
		text += "\nterraform {\n  required_providers {\n    " + s.provider + " = {\n      source = \"cloudserver/" + s.provider + "\"\n    }\n  }\n}\n"
	}
	return writeFile(dir, "main.tf", text)
}

func writeFile(dir, name, text string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
}
