package main

import (
	"slices"
	"testing"
	"time"
)

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []int
		want   int
	}{
		{nil, 0}, {[]int{7}, 7}, {[]int{9, 1, 5}, 5}, {[]int{1, 100, 3, 5}, 4},
	} {
		before := slices.Clone(c.values)
		if got := median(c.values); got != c.want {
			t.Errorf("the median of %v is %d, want %d", c.values, got, c.want)
		}
		if !slices.Equal(before, c.values) {
			t.Errorf("the values were sorted in place: %v", c.values)
		}
	}
}

// Neither a round that was slow for both nor an outlier moves the ratio.
func TestRatioIsTheMedianOfTheRounds(t *testing.T) {
	t.Parallel()
	ours, other := walls(3, 30, 9), walls(2, 20, 1)
	if got := ratio(ours, other); got != 1.5 {
		t.Errorf("the ratio is %v, want 1.5", got)
	}
	if got := wall(ours); got != 9*time.Second {
		t.Errorf("the wall time is %v, want 9s", got)
	}
}

func walls(seconds ...int) []timing {
	var timings []timing
	for _, s := range seconds {
		timings = append(timings, timing{wall: time.Duration(s) * time.Second})
	}
	return timings
}
