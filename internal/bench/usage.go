package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// usage is what the provider processes of one command used: the CPU of all and the peak memory of the largest. The
// meter writes one for each process.
type usage struct {
	CPUSeconds float64
	PeakKB     int64
}

// readUsage adds up what the meters wrote to a folder.
func readUsage(dir string) (usage, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return usage{}, err
	}
	var sum usage
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return usage{}, err
		}
		var one usage
		if err := json.Unmarshal(text, &one); err != nil {
			return usage{}, fmt.Errorf("%s: %w", file, err)
		}
		sum = sum.add(one)
	}
	return sum, nil
}

// add returns the usage of both.
func (u usage) add(other usage) usage {
	return usage{CPUSeconds: u.CPUSeconds + other.CPUSeconds, PeakKB: max(u.PeakKB, other.PeakKB)}
}
