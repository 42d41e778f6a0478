package provider

import "testing"

func TestShortcutsAreTurnedOffByName(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]shortcuts{
		"":                  {plan: true, contexts: true, listings: true, pace: true},
		"plan":              {contexts: true, listings: true, pace: true},
		"contexts,listings": {plan: true, pace: true},
		"pace, plan":        {contexts: true, listings: true},
		"all":               {},
		"something else":    {plan: true, contexts: true, listings: true, pace: true},
	} {
		if got := shortcutsWithout(list); got != want {
			t.Errorf("without %q: %+v, want %+v", list, got, want)
		}
	}
}
