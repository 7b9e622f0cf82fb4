package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/launch"
)

// A run that was traced without some kind of synchronisation gives no verdict, like a check
// of its trace.
func TestUntracedRunIsUnknown(t *testing.T) {
	for _, tt := range []struct {
		untraced []string
		want     string
	}{
		{nil, "-e: holds\n"},
		{[]string{"sync.Cond"}, "-e: unknown: the program was traced without sync.Cond\n"},
	} {
		p := &plan{Specification: formula(t, "t:(not in.f)")}
		var out bytes.Buffer
		c := p.checker(&out)
		r := &recorder{check: true}
		h := &event.Header{Tasks: []string{"main"}, Instrumented: &event.Instrumented{Functions: []string{"f"}, Untraced: tt.untraced}}
		if err := r.begin(h); err != nil {
			t.Fatal(err)
		}
		if err := r.add(&event.Event{Task: "main", Op: "end"}); err != nil {
			t.Fatal(err)
		}
		p.judge(t.Context(), c, r, &launch.Result{Complete: true})
		if got := out.String(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("untraced %q: %q, want %q", tt.untraced, got, tt.want)
		}
	}
}
