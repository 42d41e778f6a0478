package shape

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Reshape converts the body of a successful answer.
func (f Answers) Reshape(body []byte) ([]byte, error) {
	if !f.reshapes() {
		return body, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber() // keeps all digits of IDs
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	f.walk(value)
	if list, ok := value.([]any); ok && f.SingleObject && len(list) == 1 {
		value = list[0]
	}
	return json.Marshal(value)
}

// reshapes reports whether any option changes bodies.
func (f Answers) reshapes() bool {
	return f.PlainJSON || f.OmitNulls || f.Nulls || f.ExtraFields || f.SingleObject || f.ObjectShapes || f.Reversed || f.TextIDs ||
		f.LongAddresses || f.ISOTimes
}

// walk converts every object in a value, and the order of every list.
func (f Answers) walk(value any) {
	switch value := value.(type) {
	case []any:
		if f.Reversed {
			slices.Reverse(value)
		}
		for n, element := range value {
			if written, ok := element.(string); ok && f.LongAddresses {
				value[n] = long(written)
			}
			f.walk(element)
		}
	case map[string]any:
		for _, field := range value {
			f.walk(field)
		}
		if discs, ok := value["discs"].([]any); ok && f.Reversed {
			slices.Reverse(discs) // undo: the first is the boot disc
		}
		f.change(value)
	}
}

// change converts one object.
func (f Answers) change(object map[string]any) {
	if f.Nulls {
		addNulls(object)
	}
	maps.DeleteFunc(object, func(name string, field any) bool {
		return field == nil && f.OmitNulls || name == "type" && f.PlainJSON
	})
	if f.ObjectShapes {
		rewrite(object, []string{"keymap", "head"}, func(v string) any { return map[string]any{"name": v} })
	}
	if f.LongAddresses {
		rewrite(object, []string{"address", "ip", "management_address"}, func(v string) any { return long(v) })
	}
	if f.ISOTimes {
		rewrite(object, []string{"start_at"}, isoTime)
	}
	if f.TextIDs {
		writeIDs(object)
	}
	if _, ok := object["id"]; ok && f.ExtraFields {
		object["flavour"], object["links"] = nil, []any{map[string]any{"rel": "self"}}
	}
}

// rewrite converts text fields of an object.
func rewrite(object map[string]any, names []string, as func(string) any) {
	for _, name := range names {
		if v, ok := object[name].(string); ok {
			object[name] = as(v)
		}
	}
}

// addNulls adds the fields that an object lacks as null.
func addNulls(object map[string]any) {
	var nullable []string
	switch {
	case has(object, "power_on"):
		nullable = []string{"discs", "network_interfaces"}
	case has(object, "storage_grade"):
		nullable = []string{"new_storage_grade", "new_storage_pool", "migration_progress", "backup_schedules"}
	case has(object, "mac"):
		nullable = []string{"extra_ips"}
	}
	for _, name := range nullable {
		if field := reflect.ValueOf(object[name]); !field.IsValid() || field.Len() == 0 {
			object[name] = nil
		}
	}
}

// writeIDs converts IDs to strings where API.md leaves the type open: everywhere but in machines, discs and groups with
// machines.
func writeIDs(object map[string]any) {
	if has(object, "power_on") || has(object, "storage_grade") && !has(object, "parent_disc_id") {
		return
	}
	for _, name := range []string{"id", "account_id", "parent_disc_id"} {
		if id, ok := object[name].(json.Number); ok {
			object[name] = id.String()
		}
	}
}

func has(object map[string]any, name string) bool { _, ok := object[name]; return ok }

// long returns an IPv6 address in upper case and without abbreviation, and any other text unchanged.
func long(written string) string {
	if address, err := netip.ParseAddr(written); err == nil && address.Is6() {
		return strings.ToUpper(address.StringExpanded())
	}
	return written
}

// isoTime returns a time in the format of RFC 3339.
func isoTime(written string) any {
	at, err := time.Parse(time.DateTime, written)
	if err != nil {
		return written
	}
	return at.Format(time.RFC3339)
}
