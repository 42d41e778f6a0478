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

// redactJSON returns a JSON document without the values of secret fields, each of
// which is given to found, and without what hide hides in any text. It returns false
// if it is not JSON.
func redactJSON(document []byte, hide func(string) string, found func(string)) (string, bool) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return "", false
	}
	clean, err := json.Marshal(redactValue(value, hide, found))
	return string(clean), err == nil
}

func redactValue(value any, hide func(string) string, found func(string)) any {
	switch value := value.(type) {
	case map[string]any:
		clean := make(map[string]any, len(value))
		for name, field := range value {
			shown := hide(name)
			if clean[shown] = redactValue(field, hide, found); IsSecretField(name) {
				clean[shown] = HiddenText
				if secret, ok := field.(string); ok {
					found(secret)
				}
			}
		}
		return clean
	case []any:
		for i := range value {
			value[i] = redactValue(value[i], hide, found)
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
