package main

import (
	"embed"
	"os"
	"path/filepath"
	"slices"
)

// configs holds the configuration of each subject. Each has var.n resources; var.first is the name of the first one, so
// that a single change can be planned.
//
//go:embed configs/*.tf
var configs embed.FS

// subject is what is measured: a provider and a configuration for it.
type subject struct {
	name     string // in the page, and of the file in configs
	title    string
	provider string
}

// The subjects, in the order of the page.
var (
	ours     = subject{"ours", "cloudserver_vm", "cloudserver"}
	peer     = subject{"peer", "peer-shaped", "peer"}
	subjects = []subject{ours, peer}
)

const variables = `
variable "n" {
  type = number
}

variable "first" {
  default = "web0"
}

variable "cores" {
  default = 2
}
`

// step is one command of the CLI.
type step struct {
	name string
	args []string
	exit int // expected exit code: with -detailed-exitcode, 2 is a plan that is not empty
}

// applyStep is the step after which the state is measured.
var applyStep = step{"apply", []string{"apply", "-auto-approve"}, 0}

// steps take n machines through their life, in this order.
var steps = []step{
	{"first plan", []string{"plan", "-detailed-exitcode"}, 2},
	applyStep,
	{"empty plan", []string{"plan", "-detailed-exitcode"}, 0},
	{"plan, more cores", []string{"plan", "-detailed-exitcode", "-var=cores=4"}, 2},
	{"plan, a new name", []string{"plan", "-detailed-exitcode", "-var=first=renamed"}, 2}, // of one machine
	{"apply, more cores", []string{"apply", "-auto-approve", "-var=cores=4"}, 0},
	{"destroy", []string{"destroy", "-auto-approve"}, 0},
}

// mainSteps are the steps that say most.
var mainSteps = []step{applyStep, stepNamed("empty plan"), stepNamed("destroy")}

// fewMachines is the count of machines up to which every step is measured; for more machines only the steps that say
// most are.
const fewMachines = 20

// steps returns what is measured for this count of machines.
func (s sized) steps() []step {
	if s.n <= fewMachines {
		return steps
	}
	return mainSteps
}

func stepNamed(name string) step {
	return steps[slices.IndexFunc(steps, func(s step) bool { return s.name == name })]
}

// write creates a working directory for the subject.
func (s subject) write(dir string) error {
	config, err := configs.ReadFile("configs/" + s.name + ".tf")
	if err != nil {
		return err
	}
	text := variables + string(config) +
		"\nterraform {\n  required_providers {\n    " + s.provider + " = {\n      source = \"cloudserver/" + s.provider + "\"\n    }\n  }\n}\n"
	return writeFile(dir, "main.tf", text)
}

func writeFile(dir, name, text string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
}
