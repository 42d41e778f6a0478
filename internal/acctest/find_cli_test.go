package acctest

import "testing"

func TestParseVersion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		output   string
		openTofu bool
		fails    bool
	}{
		{output: "Terraform v1.11.4\non linux_amd64\n"},
		{output: "OpenTofu v1.12.6\non linux_amd64\n", openTofu: true},
		{output: "Terraform v1.14.0-beta2\n"},
		{output: "Terraform v1.10.5\n", fails: true},
		{output: "Terraform v0.12.31\n", fails: true},
		{output: "Terragrunt v1.20\n", fails: true},
		{output: "", fails: true},
	} {
		openTofu, err := parseVersion([]byte(tt.output))
		if openTofu != tt.openTofu || (err != nil) != tt.fails {
			t.Errorf("%q: %v, %v", tt.output, openTofu, err)
		}
	}
}

func TestDevelopersSettings(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"CLOUDSERVER_TOKEN": true, "TF_LOG": true, "TF_CLI_ARGS_plan": true, "TF_VAR_x": true, "TF_WORKSPACE": true,
		"TF_ACC_TERRAFORM_VERSION": true, "TF_ACC_LOG_PATH": false, "HOME": false, "PATH": false, "TFX": false,
	} {
		if got := developers(name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
