package cloudserver

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
)

// hiddenText stands for what must not be shown.
const hiddenText = "(hidden)"

// isSecretField reports the fields whose values are never shown.
func isSecretField(name string) bool {
	switch strings.ToLower(name) {
	case "root_password", "password", "yubikey", "otp", "firstboot_script", "token", "session", "session_id", "authorization":
		return true
	}
	return false
}

type secretsKey struct{}

// withSecrets makes every call under the context hide secrets that an earlier
// one has sent: an answer may come back to them.
func withSecrets(ctx context.Context, secrets []string) context.Context {
	return context.WithValue(ctx, secretsKey{}, append(secretsOf(ctx), secrets...))
}

// secretsOf is a fresh copy, so that callers may append.
func secretsOf(ctx context.Context) []string {
	secrets, _ := ctx.Value(secretsKey{}).([]string)
	return slices.Clone(secrets)
}

// hidden replaces the secrets of one request wherever they turn up.
type hidden struct{ replacer *strings.Replacer }

// newHidden prepares for the secrets and for the forms that they take in
// texts: JSON, HTML, a URL.
func newHidden(secrets []string) hidden {
	var forms []string
	for _, secret := range secrets {
		if strings.TrimSpace(secret) == "" {
			continue
		}
		for _, form := range []string{secret, strings.TrimSpace(secret), jsonForm(secret, true), jsonForm(secret, false), html.EscapeString(secret), url.QueryEscape(secret), url.PathEscape(secret)} {
			if !slices.Contains(forms, form) {
				forms = append(forms, form)
			}
		}
	}
	// The longest first, or a secret within another would leave its rest.
	slices.SortStableFunc(forms, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, form := range forms {
		pairs = append(pairs, form, hiddenText)
	}
	return hidden{strings.NewReplacer(pairs...)}
}

// in is the text without the secrets.
func (h hidden) in(text string) string {
	if h.replacer == nil {
		return text
	}
	return h.replacer.Replace(text)
}

// jsonForm is the text as it stands between the quotes of a JSON string.
func jsonForm(text string, escapeHTML bool) string {
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(escapeHTML)
	if err := encoder.Encode(text); err != nil { // strings always encode
		return text
	}
	line := strings.TrimSuffix(quoted.String(), "\n")
	return line[1 : len(line)-1]
}

// redactJSON is a JSON document without the values of secret fields, and
// without the secrets wherever else; false if it is no JSON.
func redactJSON(document []byte, secrets hidden) (string, bool) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return "", false
	}
	clean, err := json.Marshal(redactValue(value, secrets))
	if err != nil {
		return "", false
	}
	return string(clean), true
}

func redactValue(value any, secrets hidden) any {
	switch value := value.(type) {
	case map[string]any:
		clean := make(map[string]any, len(value))
		for name, field := range value {
			name = secrets.in(name)
			if clean[name] = redactValue(field, secrets); isSecretField(name) {
				clean[name] = hiddenText
			}
		}
		return clean
	case []any:
		for i := range value {
			value[i] = redactValue(value[i], secrets)
		}
		return value
	case string:
		return secrets.in(value)
	}
	return value
}
