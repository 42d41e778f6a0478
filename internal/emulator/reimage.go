package emulator

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"unicode/utf8"
)

// image is an image to install. Secrets are kept as SHA-256 sums, except for a host key.
type image struct {
	Distribution          string `json:"distribution" description:"Distribution."`
	RootPasswordSHA256    string `json:"root_password_sha256,omitempty" pattern:"^[0-9a-f]{64}$" description:"SHA-256 of the root password."`
	FirstbootScriptSHA256 string `json:"firstboot_script_sha256,omitempty" pattern:"^[0-9a-f]{64}$" description:"SHA-256 of the first boot script."`
	SSHPublicKey          string `json:"ssh_public_key,omitempty" description:"authorized_keys."`
	// HostKey is the key that the script installs. Only saved states contain it.
	HostKey string `json:"host_key,omitempty" description:"Private SSH host key in the first boot script; in saved states."`
}

// imageEcho is the answer's object for an image: the service echoes the root password.
type imageEcho struct {
	Distribution string `json:"distribution"`
	RootPassword string `json:"root_password"`
}

// image decodes a reimage object. If there is no root password, one is generated, unless it is required.
func (c *call) image(f form, passwordRequired bool) (image, imageEcho) {
	echo := imageEcho{Distribution: f.chosen("distribution", c.store.choice("distributions"))}
	if passwordRequired {
		echo.RootPassword = f.required("root_password")
	} else {
		echo.RootPassword = orElse(or(f.text("root_password"), ""), rand.Text()[:generatedChars])
	}
	if n := utf8.RuneCountInString(echo.RootPassword); n > 0 && n < minRootPass {
		f.problems.add("root_password", tooShort, minRootPass)
	}
	return image{
		Distribution:          echo.Distribution,
		RootPasswordSHA256:    sum(echo.RootPassword),
		FirstbootScriptSHA256: sum(or(f.text("firstboot_script"), "")),
		SSHPublicKey:          or(f.text("ssh_public_key"), ""),
		HostKey:               hostKeyIn(or(f.text("firstboot_script"), "")),
	}, echo
}

// reimageMachine is POST …/virtual_machines/{vm}/reimage (API.md §3): only on a machine that is off and stays so.
func reimageMachine(c *call) (answer, error) {
	m, err := c.machine(false)
	if err != nil {
		return answer{}, err
	}
	i, echo := c.image(c.form, true)
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	if !m.idle() {
		return answer{}, refuse(http.StatusBadRequest, "the virtual machine is not off")
	}
	m.Image = &i
	c.store.schedule(m, reimaging, c.now, c.store.options.BootTime)
	return reply("reimage", echo)
}

// install completes a reimage, if there is an image to install.
func (m *storedMachine) install() {
	if m.Image == nil {
		return
	}
	m.LastImagedWith = m.Image.Distribution
	m.RootPasswordSet = m.Image.RootPasswordSHA256 != ""
	m.RootPasswordSHA256 = m.Image.RootPasswordSHA256
	m.FirstbootScriptSHA256 = m.Image.FirstbootScriptSHA256
	m.SSHPublicKey = m.Image.SSHPublicKey
	m.ScriptHostKey = m.Image.HostKey
	m.Images++
	m.Image = nil
}

// sum returns the SHA-256 of a secret in hex, or "" for "".
func sum(secret string) string {
	if secret == "" {
		return ""
	}
	digest := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(digest[:])
}
