package emulator_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// BenchmarkListing measures a listing of 1,000 machines.
func BenchmarkListing(b *testing.B) {
	e := emulator.New(emulator.Options{})
	for n := range 1000 {
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
			Name: fmt.Sprintf("web%d", n), PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}},
		})
	}
	client := &http.Client{Transport: e.Transport()}
	const path = "http://emulator/accounts/demo/groups/default/virtual_machines"
	for name, query := range map[string]string{"overview": "?view=overview", "bare": ""} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, path+query, nil)
				if err != nil {
					b.Fatal(err)
				}
				request.Header.Set("Authorization", "Bearer "+emulator.DemoAPIKey)
				request.Header.Set("Accept", "application/json")
				request.Header.Set("Content-Type", "application/json")
				response, err := client.Do(request)
				if err != nil || response.StatusCode != http.StatusOK || response.Body.Close() != nil {
					b.Fatal(response, err)
				}
				b.SetBytes(response.ContentLength)
			}
		})
	}
}
