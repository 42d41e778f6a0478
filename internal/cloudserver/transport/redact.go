package transport

import (
	"bytes"
	"encoding/json"
	"strings"
)

// IsSecretField reports whether values of a field are never shown.
func IsSecretField(name string) bool {
	switch strings.ToLower(name) {
	case "root_password", "password", "yubikey", "2fa", "otp", "firstboot_script", "token", "session", "session_id", "authorization", "chpasswd":
		return true
	}
	return false
}

// redactJSON returns a JSON document without the values of secret fields and
// without secrets anywhere else. It returns false if it is not JSON.
func redactJSON(document []byte, hide func(string) string) (string, bool) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return "", false
	}
	clean, err := json.Marshal(redactValue(value, hide))
	if err != nil {
		return "", false
	}
	return string(clean), true
}

func redactValue(value any, hide func(string) string) any {
	switch value := value.(type) {
	case map[string]any:
		clean := make(map[string]any, len(value))
		for name, field := range value {
			shown := hide(name)
			if clean[shown] = redactValue(field, hide); IsSecretField(name) {
				clean[shown] = HiddenText
			}
		}
		return clean
	case []any:
		for i := range value {
			value[i] = redactValue(value[i], hide)
		}
		return value
	case string:
		return hide(value)
	case json.Number:
		if shown := hide(value.String()); shown != value.String() { // a password may be a number
			return shown
		}
	}
	return value
}
