package verification

import (
	"regexp"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tracer/op"
)

// maxOperations bounds the operations that are kept of a run.
const maxOperations = 1 << 16

// log remembers where the goroutines of a run were, and what they did there. It implements
// op.Watcher.
type log struct {
	visits     schedule.Visits
	operations []schedule.Operation // that can be steps of a schedule
	places     map[op.Place]bool    // of all operations
	names      op.Names             // once the run has ended
}

// Op implements op.Watcher.
func (l *log) Op(o *op.Op) {
	if o.Task == op.NoTask {
		return
	}
	l.visits.Op(o)
	l.add(schedule.Operation{Task: o.Task, K: o.K, Kind: o.Kind, Object: o.Object, At: o.At})
	if o.Kind == op.Handoff && o.Other != op.NoTask {
		l.add(schedule.Operation{Task: o.Other, K: o.OtherK, Kind: op.Recv, Object: o.Object, At: o.OtherAt})
	}
}

func (l *log) add(o schedule.Operation) {
	if l.places == nil {
		l.places = make(map[op.Place]bool)
	}
	l.places[o.At] = true
	if o.Kind != op.Block && len(l.operations) < maxOperations && schedule.KindOf(o.Kind.String()) != op.None {
		l.operations = append(l.operations, o)
	}
}

// isNear reports whether the run had an operation in one of these functions, or on one of these
// lines.
func (l *log) isNear(functions, lines map[string]bool) bool {
	for p := range l.places {
		near := slices.ContainsFunc(l.names.Place(p).Stack, func(f op.Frame) bool {
			return functions[declared(f.Function)] || lines[f.At]
		})
		if near {
			return true
		}
	}
	return false
}

// functionOf returns the function of the place of an operation.
func (l *log) functionOf(o *schedule.Operation) string {
	place := l.names.Place(o.At)
	for _, f := range place.Stack {
		if f.At == place.At {
			return declared(f.Function)
		}
	}
	return ""
}

// functionsOf returns the functions of the steps of a schedule.
func functionsOf(s *schedule.Schedule) map[string]bool {
	functions := make(map[string]bool)
	for _, step := range s.Steps {
		if step.Function != "" {
			functions[declared(step.Function)] = true
		}
	}
	return functions
}

// literal is what the name of a function literal has behind that of the function around it.
var literal = regexp.MustCompile(`\.(func|gowrap|deferwrap)\d+.*$`)

// declared returns the function that is declared around a function literal: the numbers of these
// change with the program.
func declared(function string) string { return literal.ReplaceAllString(function, "") }
