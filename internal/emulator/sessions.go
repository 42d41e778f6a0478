// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"cmp"
	"crypto/rand"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Lifetimes of sessions (API.md §2).
const (
	// slidingLife is how long a session lives after it was issued or last used, unless a validity was requested.
	slidingLife = 5 * time.Minute
	// maxValidity is the maximum validity, in seconds.
	maxValidity = 3600
)

// session is a bearer token that expires.
type session struct {
	user    string
	factors []string
	expires time.Time
	fixed   bool // its validity was requested
}

// createSession is POST /session. Refusals are plain text. A code is ignored if the user needs none.
func createSession(c *call) (answer, error) {
	name, password := c.form.required("username"), c.form.required("password")
	yubikey, code := or(c.form.text("yubikey"), ""), or(c.form.text("2fa"), "")
	validity, ok := parseValidity(or(c.form.text("validity"), "0"))
	if len(c.form.problems) > 0 || !ok {
		return answer{}, badlyFormed()
	}
	refused := func(message string) (answer, error) {
		return answer{}, refuse(http.StatusForbidden, "%s", message)
	}
	if c.e.options.Open {
		return c.e.newSession(name, []string{"password"}, validity, c.now), nil
	}
	user := c.world.user(name)
	if user == nil || user.Password != password {
		return refused("Bad login credentials")
	}
	factors := []string{"password"}
	switch {
	case user.SecondFactor && yubikey+code == "":
		return refused("Missing 2FA")
	case user.SecondFactor:
		factor := c.factor(user, yubikey, code)
		if factor == "" {
			return refused("Authentication failed")
		}
		factors = append(factors, factor)
	}
	return c.e.newSession(name, factors, validity, c.now), nil
}

func badlyFormed() error { return refuse(http.StatusBadRequest, "Badly-formed parameters") }

// newSession issues a session and removes expired ones.
func (e *Emulator) newSession(user string, factors []string, validity time.Duration, now time.Time) answer {
	maps.DeleteFunc(e.sessions, func(_ string, old *session) bool { return !old.expires.After(now) })
	id := rand.Text()
	e.sessions[id] = &session{
		user: user, factors: factors, fixed: validity > 0, expires: now.Add(cmp.Or(validity, slidingLife)),
	}
	return answer{http.StatusOK, "", text(id)}
}

// parseValidity parses a lifetime in seconds, and limits it; 0 means that none was requested.
func parseValidity(value string) (time.Duration, bool) {
	seconds, err := strconv.Atoi(value)
	if err != nil || seconds < 0 {
		return 0, false
	}
	return time.Duration(min(seconds, maxValidity)) * time.Second, true
}

// showSession is GET /session/{id}, which extends the session.
func showSession(c *call) (answer, error) {
	factors := []string{"apikey"}
	found := c.e.authenticate("Bearer "+c.PathValue("session"), c.now)
	if found == nil {
		return answer{}, refuse(http.StatusNotFound, "Invalid token")
	}
	if s, ok := c.e.sessions[c.PathValue("session")]; ok {
		factors = s.factors
	}
	return reply("", map[string]any{
		"username": found.Name, "factors": factors, "group_memberships": []string{},
	})
}

// authenticate returns the user of the session or API key in an Authorization header, or nil, and extends the session.
func (e *Emulator) authenticate(header string, now time.Time) *User {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return nil
	}
	if key := findIn(e.world.APIKeys, func(k *APIKey) bool { return k.Key == token }); key != nil {
		if !key.ExpiresAt.IsZero() && !key.ExpiresAt.After(now) {
			return nil
		}
		return e.world.user(key.User)
	}
	found := e.sessions[token]
	if found == nil || !found.expires.After(now) {
		return nil
	}
	if !found.fixed {
		found.expires = now.Add(slidingLife)
	}
	if e.options.Open {
		return &User{Name: found.user}
	}
	return e.world.user(found.user)
}

// factor returns the name of the second factor that a code belongs to, or "" if the user does not accept the code.
func (c *call) factor(u *User, yubikey, code string) string {
	name, given := "yubikey", yubikey
	if given == "" {
		name, given = "2fa", code
	}
	accepted := slices.Contains(u.Codes, given)
	if len(u.Codes) == 0 {
		accepted = isYubikey(yubikey) || yubikey == "" && isDigits(code)
	}
	used := u.Name + " " + given
	if !accepted || c.e.usedCodes[used] {
		return ""
	}
	c.e.usedCodes[used] = true
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
