package reorder_test

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/ndjson"
	"github.com/antichain-go/antichain/tracer/op"
)

// logMapping is the mapping of logs of random runs, in which wordsOf are the operations.
const logMapping = `{"task":"t","operation":"op","object":"on","other":"on","at":"at"}`

var wordsOf = map[op.Kind]string{
	op.Go: "start", op.Lock: "lock", op.Unlock: "unlock", op.RLock: "rlock", op.RUnlock: "runlock", op.Read: "read", op.Write: "write",
}

// drawRun draws a run in which tasks synchronise by sections alone, and returns it with a log in
// which event i is at the place "f:i+1".
func drawRun(t *rapid.T) (*reorder.Run, string) {
	program := reorder.DrawProgram(t)
	for i := range program {
		program[i] = slices.DeleteFunc(program[i],
			func(i reorder.Instr) bool { return i.Kind == op.Close || i.Kind == op.RecvClosed })
	}
	r := reorder.Execute(t, program)
	var text strings.Builder
	for i, e := range r.Events {
		object := fmt.Sprint("L", e.Obj)
		switch {
		case e.Kind == op.Go:
			object = fmt.Sprint("T", e.Obj)
		case e.IsAccess():
			object = fmt.Sprint("V", e.Obj)
		}
		fmt.Fprintf(&text, `{"t":"T%d","op":%q,"on":%q,"at":"f:%d"}`+"\n", e.Task, wordsOf[e.Kind], object, i+1)
	}
	return r, text.String()
}

// pair are two accesses, of which the second one came first.
type pair struct{ now, before int }

// racesOf returns the races that are reported of a log, and whether sections hide them.
func racesOf(t *rapid.T, text string) map[pair]bool {
	mapping, err := ndjson.ParseMapping("mapping", []byte(logMapping))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := ndjson.Read(strings.NewReader(text), "log", mapping, ndjson.Options{})
	if err != nil {
		t.Fatal(err)
	}
	header, err := runs[0].Header()
	if err != nil {
		t.Fatal(err)
	}
	checker, err := builtin.New(builtin.Race)
	if err != nil {
		t.Fatal(err)
	}
	operations := process.NewOperations(header, checker)
	for e := new(event.Event); ; {
		if err = runs[0].Next(e); err != nil {
			break
		}
		operations.Add(e)
	}
	if err != io.EOF {
		t.Fatalf("%v\n%s", err, text)
	}
	operations.Finish()
	found := map[pair]bool{}
	for _, f := range checker.Findings(operations) {
		var at [2]int
		for i := range at {
			if at[i], err = strconv.Atoi(strings.TrimPrefix(operations.Place(f.Parties[i].At).At, "f:")); err != nil {
				t.Fatal(err)
			}
		}
		found[pair{at[0] - 1, at[1] - 1}] = f.Sectioned
	}
	return found
}

// The races that sections hide in random logs can happen, each read seeing what it saw. If a prefix
// of the log leads to one, it is reported, or one with a later access of the same task. That holds
// where tasks do not read what others have written: of these, what they do up to their next
// operation is taken to come before the read.
func TestHiddenRaces(t *testing.T) {
	hidden, exact := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 10 { // few runs have any
			r, text := drawRun(t)
			if len(r.Events) == 0 {
				continue
			}
			found := racesOf(t, text)
			var reached map[reorder.Bits]bool
			for p, isHidden := range found {
				if !isHidden {
					continue
				}
				if reached == nil {
					reached = r.Reached()
				}
				if !isReached(r, reached, p) {
					t.Fatalf("%v\n%s%v: no order leads there", r.Program, text, p)
				}
			}
			for _, p := range hiddenRaces(r) {
				hidden++
				if found[p] {
					exact++
				}
				if !readsOthers(r) && !isCovered(r, found, p) {
					t.Fatalf("%v\n%s%v: nothing like it is reported, but %v", r.Program, text, p, found)
				}
			}
		}
	})
	t.Logf("%d, %d reported as such", hidden, exact)
	if exact == 0 && !testing.Short() {
		t.Error("nothing was found")
	}
}

func readsOthers(r *reorder.Run) bool {
	return slices.ContainsFunc(r.Events,
		func(e reorder.Event) bool { return e.Writer >= 0 && r.Events[e.Writer].Task != e.Task })
}

func isReached(r *reorder.Run, reached map[reorder.Bits]bool, p pair) bool {
	is := false
	r.Cuts(func(c reorder.Cut) { is = is || r.AtPoints(c, p.now, p.before) && reached[r.Bits(c)] })
	return is
}

// hiddenRaces returns the conflicts that sections order, for which there is a prefix in which both
// are next.
func hiddenRaces(r *reorder.Run) []pair {
	h := reorder.New()
	var all []pair
	for i := range r.Events {
		for _, o := range r.Ops(i) {
			h.Op(&o)
			if o.Kind != op.Conflict || !o.Sectioned {
				continue
			}
			now, before := reorder.Point{Task: o.Task, Done: o.Moment, Data: o.Data}, reorder.Point{Task: o.Other, Done: o.OtherMoment, Data: o.OtherData}
			if h.Prefix(now, before) != nil {
				all = append(all, pair{i, int(o.OtherAt) - 1})
			}
		}
	}
	return all
}

// isCovered reports whether a race was found, or one with a later access of the task whose access
// came first.
func isCovered(r *reorder.Run, found map[pair]bool, p pair) bool {
	b := r.Events[p.before]
	for q := range found {
		e := r.Events[q.before]
		if q.now == p.now && q.before >= p.before && e.Task == b.Task && e.Obj == b.Obj {
			return true
		}
	}
	return false
}
