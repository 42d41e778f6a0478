package emulator

import (
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"strings"
	"time"
)

// sessionLife is how long a session lives from its issue or last use
// (api.md §2).
const sessionLife = 5 * time.Minute

// user may ask for sessions.
type user struct {
	name, password, yubikey string
}

// session is a bearer token that expires.
type session struct {
	user    string
	factors []string
	expires time.Time
}

// createSession is POST /session (api.md §2).
func createSession(c *call) (answer, error) {
	name, password := c.form.required("username"), c.form.required("password")
	yubikey := or(c.form.text("yubikey"), "")
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	known, ok := c.store.users[name]
	if !ok || !same(known.password, password) || !same(known.yubikey, yubikey) {
		return answer{}, refuse(http.StatusForbidden, "bad credentials")
	}
	factors := []string{"password"}
	if known.yubikey != "" {
		factors = append(factors, "yubikey")
	}
	id := rand.Text()
	c.store.sessions[id] = &session{user: name, factors: factors, expires: c.now.Add(sessionLife)}
	return answer{http.StatusOK, "", text(id)}, nil
}

// showSession is GET /session/{id}, which extends the session.
func showSession(c *call) (answer, error) {
	factors := []string{"apikey"}
	found := c.store.authenticate("Bearer "+c.path["id"], c.now)
	if found == nil {
		return answer{}, refuse(http.StatusNotFound, "no such session")
	}
	if s, ok := c.store.sessions[c.path["id"]]; ok {
		factors = s.factors
	}
	return reply("", map[string]any{
		"username": found.name, "factors": factors, "group_memberships": []string{},
	})
}

// authenticate finds whose session or API key an Authorization header holds,
// and extends the session. A header that is no good is as none.
func (s *store) authenticate(header string, now time.Time) *user {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return nil
	}
	if name, ok := s.apiKeys[token]; ok {
		return s.user(name)
	}
	found, ok := s.sessions[token]
	if !ok {
		return nil
	}
	if !found.expires.After(now) {
		delete(s.sessions, token)
		return nil
	}
	found.expires = now.Add(sessionLife)
	return s.user(found.user)
}

// user finds a user by name.
func (s *store) user(name string) *user {
	if found, ok := s.users[name]; ok {
		return &found
	}
	return nil
}

// same compares secrets without telling by its time where they differ.
func same(a, b string) bool {
	return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}
