package main

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/launch"
)

// formula returns a specification with one property.
func formula(t *testing.T, text string) specfile.Specification {
	t.Helper()
	from := specfile.Source{Formulas: []string{text}}
	s, err := from.Parse()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What was not read to its end gets no verdict.
func TestJudgeIncomplete(t *testing.T) {
	for _, complete := range []bool{true, false} {
		p := &plan{Specification: formula(t, "t:(not in.f)")}
		var out strings.Builder
		c := p.checker(&out)
		r := &recorder{check: true}
		if err := r.begin(&event.Header{Tasks: []string{"main"}}); err != nil {
			t.Fatal(err)
		}
		p.judge(t.Context(), c, r, &launch.Result{Complete: complete})
		if c.Unknown == complete || strings.Contains(out.String(), "not read to its end") == complete {
			t.Errorf("complete %v: unknown %v, %s", complete, c.Unknown, &out)
		}
	}
}
