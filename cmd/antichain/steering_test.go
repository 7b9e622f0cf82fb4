package main

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
)

// The command that repeats a run is the same without what says under which schedules it runs.
func TestAgainWithoutSeed(t *testing.T) {
	for _, tt := range []struct{ own, rest, want string }{
		{"--explore 50", "./p arg", "antichain run ./p arg"},
		{"--explore=50 --seed=3 --all", "./p", "antichain run --all ./p"},
		{"--runs 4 --for 1m --stop-at=never --yields 9 -e x", "./p", "antichain run -e x ./p"},
		{"--spec a.tl --seed 3 --explore 9", "./p --seed 4", "antichain run --spec a.tl ./p --seed 4"},
	} {
		args := instrument.Args{Own: strings.Fields(tt.own), Rest: strings.Fields(tt.rest)}
		f := new(traceFlags)
		f.flagSet("", true)
		if got := rerun.Verb("run", again(f, args)); got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.own, tt.rest, got, tt.want)
		}
	}
}

// What a run has sent is not sent again by who looks at it again.
func TestAgainWithoutTopic(t *testing.T) {
	for _, tt := range []struct{ own, want string }{
		{"--to kafka://a/b --all --kafka-tls --strict", "antichain run --all --strict ./p --to it"},
		{"--to=kafka://a/b --run-id r --kafka-user alice --insecure --spec a.tl", "antichain run --spec a.tl ./p --to it"},
		{"--run-id=r --spec a.tl --to-full stop --to kafka://a/b", "antichain run --spec a.tl ./p --to it"},
	} {
		f := new(traceFlags)
		f.flagSet("", true)
		args := instrument.Args{Own: strings.Fields(tt.own), Rest: []string{"./p", "--to", "it"}}
		if got := rerun.Verb("run", again(f, args)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.own, got, tt.want)
		}
	}
}
