package emulator

import (
	"crypto/rand"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Lifetimes of sessions (API.md §2).
const (
	// slidingLife is how long a session lives after it was issued or last used, unless a validity was requested.
	slidingLife = 5 * time.Minute
	// maxValidity is the maximum validity.
	maxValidity = time.Hour
)

// apiKey is a bearer token that is used as it is.
type apiKey struct {
	user    string
	expires time.Time // zero: never
}

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
		return answer{}, refuse(orElse(c.store.options.Answers.LoginRefusal, http.StatusForbidden), "%s", message)
	}
	user, ok := c.store.users[name]
	if c.store.options.Open {
		return c.store.newSession(name, []string{"password"}, validity, c.now), nil
	}
	if !ok || !same(user.Password, password) {
		return refused("Bad login credentials")
	}
	factors := []string{"password"}
	switch {
	case user.SecondFactor && yubikey+code == "":
		return refused("Missing 2FA")
	case user.SecondFactor:
		factor := user.factor(yubikey, code)
		if factor == "" {
			return refused("Authentication failed")
		}
		factors = append(factors, factor)
	}
	return c.store.newSession(name, factors, validity, c.now), nil
}

func badlyFormed() error { return refuse(http.StatusBadRequest, "Badly-formed parameters") }

// newSession issues a session and removes expired ones.
func (s *store) newSession(user string, factors []string, validity time.Duration, now time.Time) answer {
	maps.DeleteFunc(s.sessions, func(_ string, old *session) bool { return !old.expires.After(now) })
	id := rand.Text()
	s.sessions[id] = &session{
		user: user, factors: factors, fixed: validity > 0, expires: now.Add(orElse(validity, slidingLife)),
	}
	return answer{http.StatusOK, "", text(id)}
}

// parseValidity parses a lifetime in seconds, and limits it; 0 means that none was requested.
func parseValidity(value string) (time.Duration, bool) {
	seconds, err := strconv.Atoi(value)
	if err != nil || seconds < 0 {
		return 0, false
	}
	return min(time.Duration(min(seconds, 1<<20))*time.Second, maxValidity), true
}

// showSession is GET /session/{id}, which extends the session.
func showSession(c *call) (answer, error) {
	factors := []string{"apikey"}
	found := c.store.authenticate("Bearer "+c.path["id"], c.now)
	if found == nil {
		return answer{}, refuse(http.StatusNotFound, "Invalid token")
	}
	if s, ok := c.store.sessions[c.path["id"]]; ok {
		factors = s.factors
	}
	return reply("", map[string]any{
		"username": found.Name, "factors": factors, "group_memberships": []string{},
	})
}

// authenticate returns the user of the session or API key in an Authorization header, or nil, and extends the session.
func (s *store) authenticate(header string, now time.Time) *User {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return nil
	}
	if key, ok := s.apiKeys[token]; ok {
		if !key.expires.IsZero() && !key.expires.After(now) {
			return nil
		}
		return s.users[key.user]
	}
	found, ok := s.sessions[token]
	if !ok {
		return nil
	}
	if !found.expires.After(now) {
		delete(s.sessions, token)
		return nil
	}
	if !found.fixed {
		found.expires = now.Add(slidingLife)
	}
	if s.options.Open {
		return &User{Name: found.user}
	}
	return s.users[found.user]
}
