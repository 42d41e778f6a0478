package emulator

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"
	"unicode/utf8"
)

// image is what is to be installed (service.md §2.3).
type image struct {
	distribution, rootPassword, sshPublicKey, firstbootScript string
}

// image reads a reimage object; its problems go into its own form.
func (c *call) image(f form, passwordRequired bool) image {
	i := image{distribution: f.chosen("distribution", c.store.choice("distributions"))}
	if passwordRequired {
		i.rootPassword = f.required("root_password")
	} else {
		i.rootPassword = or(f.text("root_password"), "")
	}
	if n := utf8.RuneCountInString(i.rootPassword); n > 0 && n < minRootPass {
		f.problems.add("root_password", tooShort, minRootPass)
	}
	i.sshPublicKey = or(f.text("ssh_public_key"), "")
	i.firstbootScript = or(f.text("firstboot_script"), "")
	return i
}

// reimageMachine is POST …/virtual_machines/{vm}/reimage (api.md §3): only on
// a machine that is off and stays so.
func reimageMachine(c *call) (answer, error) {
	m, err := c.machine(false)
	if err != nil {
		return answer{}, err
	}
	i := c.image(c.form, true)
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	if !m.idle() {
		return answer{}, refuse(http.StatusBadRequest, "the virtual machine is not off")
	}
	c.store.schedule(m, c.now.Add(c.store.options.BootTime), func(m *machine, _ time.Time) {
		m.install(i)
		m.AutorebootOn = false
		m.on()
	})
	m.imaging = true
	return reply("reimage", i.wire())
}

// install is the end of a reimage. Secrets are kept as sums only.
func (m *machine) install(i image) {
	m.LastImagedWith = i.distribution
	m.RootPasswordSet = i.rootPassword != ""
	m.RootPasswordSHA256 = sum(i.rootPassword)
	m.FirstbootScriptSHA256 = sum(i.firstbootScript)
	m.SSHPublicKey = i.sshPublicKey
	m.Images++
}

// sum is the SHA-256 of a secret in hex, or nothing for none.
func sum(secret string) string {
	if secret == "" {
		return ""
	}
	digest := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(digest[:])
}

// wire is the echo of a reimage, root password included as service.md §2.3
// demands.
func (i image) wire() map[string]string {
	return map[string]string{"distribution": i.distribution, "root_password": i.rootPassword}
}

// generatePassword is for a creation that gives none.
func generatePassword() string { return rand.Text()[:generatedChars] }
