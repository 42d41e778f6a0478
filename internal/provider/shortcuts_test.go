package provider

import "testing"

func TestShortcutsAreTurnedOffByName(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]shortcuts{
		"":                  {plan: true, contexts: true, listings: true},
		"plan":              {contexts: true, listings: true},
		"contexts,listings": {plan: true},
		"listings, plan":    {contexts: true},
		"all":               {},
		"something else":    {plan: true, contexts: true, listings: true},
	} {
		if got := shortcutsWithout(list); got != want {
			t.Errorf("without %q: %+v, want %+v", list, got, want)
		}
	}
}
