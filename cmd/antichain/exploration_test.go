package main

import (
	"testing"
)

// The command that repeats what an exploration has found has the seed of the schedule.
func TestWithSeed(t *testing.T) {
	for again, want := range map[string]string{
		"antichain run ./p arg":             "antichain run --seed 7 ./p arg",
		"antichain test --all ./p --seed 4": "antichain test --seed 7 --all ./p --seed 4",
	} {
		if got := withSeed(again, 7); got != want {
			t.Errorf("%s: %s, want %s", again, got, want)
		}
	}
}
