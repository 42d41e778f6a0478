package main

import (
	"cmp"
	"slices"
	"time"
)

// median returns the middle value, or the mean of the two in the middle. It returns zero if there are no values.
func median[T ~int | ~int64 | ~float64](values []T) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Clone(values)
	slices.SortFunc(sorted, cmp.Compare[T])
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// ratio returns the median over the rounds of our wall time divided by the other's in the same round: what slows the
// machine down for a while slows both.
func ratio(ours, other []timing) float64 {
	var ratios []float64
	for i := range ours {
		ratios = append(ratios, float64(ours[i].wall)/float64(other[i].wall))
	}
	return median(ratios)
}

// wall returns the median wall time.
func wall(timings []timing) time.Duration {
	return median(collect(timings, func(t timing) time.Duration { return t.wall }))
}

// collect returns one figure of each round.
func collect[T any](timings []timing, figure func(timing) T) []T {
	figures := make([]T, len(timings))
	for i, t := range timings {
		figures[i] = figure(t)
	}
	return figures
}
