package cloudserver

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// heldSecret is the error for an answer that repeats a credential of this process in a text that would enter a state.
type heldSecret struct{ attribute string }

// Error names the attribute.
func (e *heldSecret) Error() string {
	return fmt.Sprintf("its %s contains the token, the password or a session that this provider logs in with, "+
		"so nothing of the answer is used, and nothing of it enters the state. "+
		"Rename the object if its name contains the secret, replace these credentials, and run the same command again", e.attribute)
}

// refuseSecrets returns the error for a decoded answer that repeats a credential. Values that the service chooses have
// been made harmless when they were decoded.
func (a *answer) refuseSecrets(decoded any) error {
	if attribute := holder(reflect.ValueOf(decoded), ""); attribute != "" {
		return a.notUnderstood(errMisunderstood, &heldSecret{attribute})
	}
	return nil
}

// holder returns the attribute whose text contains a credential, or "".
func holder(value reflect.Value, attribute string) string {
	switch value.Kind() {
	case reflect.Pointer:
		if !value.IsNil() {
			return holder(value.Elem(), attribute)
		}
	case reflect.Struct:
		return holderOf(value, attribute)
	case reflect.Slice:
		for i := range value.Len() {
			if found := holder(value.Index(i), attribute); found != "" {
				return found
			}
		}
	case reflect.Map:
		for _, name := range value.MapKeys() {
			if holder(name, attribute) != "" || holder(value.MapIndex(name), attribute) != "" {
				return attribute
			}
		}
	case reflect.String:
		if text := value.String(); strings.TrimSpace(text) != "" && transport.HoldsCredential(text) {
			return attribute
		}
	default: // no other kind has a text
	}
	return ""
}

// holderOf returns the field whose text contains a credential, or "".
func holderOf(object reflect.Value, attribute string) string {
	for i := range object.NumField() {
		field := object.Type().Field(i)
		name := field.Tag.Get("json")
		if field.Anonymous {
			name = attribute
		} else if name == "" || name == "-" {
			continue
		}
		if found := holder(object.Field(i), name); found != "" {
			return found
		}
	}
	return ""
}
