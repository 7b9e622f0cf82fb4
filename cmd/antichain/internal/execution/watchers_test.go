package execution

import (
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Operations are wanted only where something looks at them or needs what comes with them.
func TestWatchers(t *testing.T) {
	bound, visits := new(replayBound), new(schedule.Visits)
	for _, tt := range []struct {
		name string
		w    watchers
		want op.Watcher
	}{
		{"none", watchers{}, nil},
		{"operations", watchers{reported: true}, op.Discard},
		{"one", watchers{visits: visits, reported: true}, visits},
		{"one that is empty", watchers{bound: bound}, bound},
	} {
		if got := tt.w.all(); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// Each operation comes to all watchers, and to that of the bound first.
func TestOrderOfWatchers(t *testing.T) {
	w := watchers{timers: timers{}, visits: new(schedule.Visits), bound: new(replayBound)}
	all := w.all().(watcherList)
	if len(all) != 3 || all[0] != w.bound || all[1] != w.visits {
		t.Errorf("%v", all)
	}
	all.Op(&op.Op{Kind: op.Arm, Task: 7})
	if w.bound.operations.Load() != 1 || !w.timers[7] {
		t.Errorf("%v, %v", w.bound, w.timers)
	}
}
