package builtins

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
)

// Of functions that a trace has not seen nothing is said; of properties that do not exist neither.
func TestUnseen(t *testing.T) {
	h := &event.Header{Version: event.Version, Tasks: []string{"main"}, Operations: &event.Operations{}}
	properties := []builtin.Property{builtin.Stuck, builtin.Leak, "dedlock"}
	k := New(h, Config{Properties: properties, MustFinish: []string{"saev"}, MayWait: []string{"log.v2.(*Writer).mil", "main.main"}})
	k.Add(&event.Event{Code: &event.Code{PC: 1, Function: "log%2ev2.(*Writer).mill"}})
	k.Add(&event.Event{Code: &event.Code{PC: 2, Function: "main.save"}})
	want := []string{`the trace has no function log.v2.(*Writer).mil (did you mean "log.v2.Writer.mill"?)`}
	if d := cmp.Diff(want, k.Ineffective()); d != "" {
		t.Error(d)
	}
	results := map[builtin.Property]*tlcheck.Result{}
	for _, r := range k.Results("") {
		results[r.Builtin] = r
	}
	if r := results[builtin.Leak]; r.Verdict != tlcheck.Holds || r.Vacuous != `the trace has no function saev (did you mean "save"?)` {
		t.Errorf("leak: %+v", r)
	}
	if r := results["dedlock"]; r == nil || r.Verdict != tlcheck.Unknown || r.Covered != `no built-in property "dedlock" (did you mean "deadlock"?)` {
		t.Errorf("dedlock: %+v", r)
	}
	if r := results[builtin.Stuck]; r.Verdict != tlcheck.Holds || r.Vacuous != "" {
		t.Errorf("stuck: %+v", r)
	}
}
