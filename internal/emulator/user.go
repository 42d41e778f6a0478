package emulator

import (
	"crypto/subtle"
	"slices"
	"strings"
)

// User is a user who can open sessions.
type User struct {
	Name     string `json:"name" minLength:"1" description:"Name."`
	Password string `json:"password" minLength:"1" description:"Password."`
	// SecondFactor requires a code that was not used before: one of Codes or, if there are none, any well-formed one.
	SecondFactor bool     `json:"second_factor,omitempty" description:"Whether a login needs a code that was not used before."`
	Codes        []string `json:"codes,omitempty" minLength:"1" description:"Codes that are accepted, each once. Without them, any six to eight digits and any YubiKey code."`
	// Accounts are the names of the accounts that the user can see. None: all.
	Accounts []string `json:"accounts,omitempty" description:"Accounts that the user sees. Default: all."`
	used     map[string]bool
}

// sees reports whether a user can see an account.
func (u *User) sees(a *account) bool { return u != nil && !a.closed && u.Sees(a.name) }

// Sees reports whether a user may see the account with a name.
func (u *User) Sees(name string) bool {
	return len(u.Accounts) == 0 || slices.Contains(u.Accounts, name)
}

// factor returns the name of the second factor that a code belongs to, or "" if the user does not accept the code.
func (u *User) factor(yubikey, code string) string {
	name, given := "yubikey", yubikey
	if given == "" {
		name, given = "2fa", code
	}
	accepted := slices.ContainsFunc(u.Codes, func(c string) bool { return same(c, given) })
	if len(u.Codes) == 0 {
		accepted = isYubikey(yubikey) || yubikey == "" && isDigits(code)
	}
	if !accepted || u.used[given] {
		return ""
	}
	if u.used == nil {
		u.used = map[string]bool{}
	}
	u.used[given] = true
	return name
}

// isYubikey reports whether a code is 44 letters of the modhex alphabet.
func isYubikey(code string) bool {
	return len(code) == 44 && strings.Trim(code, "cbdefghijklnrtuv") == ""
}

// isDigits reports whether a code is six to eight digits.
func isDigits(code string) bool {
	return len(code) >= 6 && len(code) <= 8 && strings.Trim(code, "0123456789") == ""
}

// same compares secrets in constant time.
func same(a, b string) bool {
	return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}
