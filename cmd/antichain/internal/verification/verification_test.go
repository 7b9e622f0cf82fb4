package verification

import (
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tracer/op"
)

// names are those of a run: a place is a line of a.go, which has a function for each ten lines.
type names struct{}

func (names) Task(t op.Task) op.Origin {
	if t == 0 {
		return op.Origin{Name: "main", By: op.NoTask}
	}
	return op.Origin{Name: "main." + string(rune('0'+t)), By: 0, At: 1}
}

func (names) Object(op.Object) string { return "" }

func (names) Place(p op.Place) op.Location {
	at := "a.go:" + string(rune('0'+p/10)) + string(rune('0'+p%10))
	function := "main." + string(rune('f'+p/10)) + ".func" + string(rune('1'+p%3))
	return op.Location{At: at, Called: true, Stack: []op.Frame{{Function: function, At: at}}}
}

// sources has no file: lines stay where they are.
type sources struct{}

func (sources) File(string) ([]byte, int, bool) { return nil, 0, false }
func (sources) Beside(string) []string          { return nil }

// logOf returns the log of a run in which goroutines lock at these places.
func logOf(steps ...[2]int) *log {
	l := &log{names: names{}}
	k := make(map[op.Task]int32)
	for _, s := range steps {
		t := op.Task(s[0])
		k[t]++
		l.Op(&op.Op{Kind: op.Lock, Task: t, K: k[t], At: op.Place(s[1]), Object: 1, Other: op.NoTask})
	}
	return l
}

// step returns the step of a goroutine that locks at a line.
func step(goroutine, line, function string) schedule.Step {
	return schedule.Step{
		Goroutine: goroutine, Kind: op.Lock, Nth: 1, Line: schedule.Line{At: "a.go:" + line, Function: function},
	}
}

// orderOf describes the steps of a schedule: "1@12 2@22".
func orderOf(s *schedule.Schedule) string {
	var all []string
	for _, step := range s.Steps {
		all = append(all, strings.TrimPrefix(step.Goroutine, "main.")+"@"+strings.TrimPrefix(step.At, "a.go:"))
	}
	return strings.Join(all, " ")
}

func ordersOf(all []neighbour) (orders []string) {
	for _, n := range all {
		orders = append(orders, orderOf(n.schedule))
	}
	return orders
}

func TestReorderings(t *testing.T) {
	steps := []schedule.Step{step("main.1", "10", ""), step("main.2", "20", ""), step("main.1", "11", "")}
	s := &schedule.Schedule{Steps: steps}
	got := ordersOf(reorderings(s))
	// the two steps of main.1 stay in their order
	want := []string{"2@20 1@10 1@11", "1@10 1@11 2@20"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if orderOf(s) != "1@10 2@20 1@11" {
		t.Errorf("the schedule has become %s", orderOf(s))
	}
}

func TestShortenings(t *testing.T) {
	first, again := step("main.1", "10", ""), step("main.1", "10", "")
	first.Nth = 2
	s := &schedule.Schedule{Steps: []schedule.Step{first, step("main.2", "20", ""), again}}
	all := shortenings(s)
	if got, want := ordersOf(all), []string{"2@20 1@10", "1@10 1@10", "1@10 2@20"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := all[0].schedule.Steps[1].Nth; n != 3 {
		t.Errorf("without the first step, the last one is at its line for time %d, not 3", n)
	}
	if n := s.Steps[2].Nth; n != 1 {
		t.Errorf("the schedule has changed: time %d", n)
	}
	if got := shortenings(&schedule.Schedule{Steps: s.Steps[:2]}); got != nil {
		t.Errorf("a step alone is no order: %v", got)
	}
}

// TestMatch finds the operations that take the part of steps: by line, by goroutine, and in the
// same function if the line is gone.
func TestMatch(t *testing.T) {
	l := logOf([2]int{1, 12}, [2]int{2, 12}, [2]int{1, 12}, [2]int{2, 25}, [2]int{2, 29}, [2]int{1, 31})
	second := step("main.1", "12", "main.g.func9")
	second.Nth = 2
	for _, c := range []struct {
		name  string
		steps []schedule.Step
		want  []int
	}{
		{"line and goroutine", []schedule.Step{step("main.2", "12", ""), step("main.1", "12", "")}, []int{1, 0}},
		{"second time", []schedule.Step{second}, []int{2}},
		{"after its step before", []schedule.Step{step("main.1", "12", ""), step("main.1", "12", "")}, []int{0, 2}},
		{"other goroutine", []schedule.Step{step("main.3", "25", "")}, []int{3}},
		{"nearest line of the function", []schedule.Step{step("main.2", "28", "main.h.func7.2")}, []int{4}},
		{"none", []schedule.Step{step("main.2", "28", "main.other")}, []int{-1}},
	} {
		if got := l.match(&schedule.Schedule{Steps: c.steps}); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestNeighbours(t *testing.T) {
	l := logOf([2]int{1, 11}, [2]int{1, 12}, [2]int{1, 13}, [2]int{2, 21}, [2]int{2, 22})
	steps := []schedule.Step{step("main.2", "28", "main.h"), step("main.1", "12", "main.g")}
	original := &schedule.Schedule{Steps: steps}
	fit := &schedule.Schedule{Steps: original.Steps[1:]} // line 28 is gone
	got := ordersOf(l.neighbours(fit, original, sources{}))
	want := []string{
		"2@22 1@12",              // line 22 takes its part
		"1@12 2@22",              // the other way round
		"2@21 1@12", "2@22 1@11", // earlier
		"2@22 1@13", // later
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := new(log).neighbours(fit, original, sources{}); got != nil {
		t.Errorf("a run that was cut off has neighbours: %v", got)
	}
}

func TestIsNear(t *testing.T) {
	l := logOf([2]int{1, 12})
	for _, c := range []struct {
		function, line string
		want           bool
	}{{"main.g", "", true}, {"main.h", "", false}, {"", "a.go:12", true}, {"", "a.go:13", false}} {
		if got := l.isNear(map[string]bool{c.function: true}, map[string]bool{c.line: true}); got != c.want {
			t.Errorf("%+v: got %t", c, got)
		}
	}
}

func TestDeclared(t *testing.T) {
	for function, want := range map[string]string{
		"main.f": "main.f", "main.f.func1": "main.f", "main.(*T).f.func2.1": "main.(*T).f", "p.f.gowrap3": "p.f",
		"main.functions": "main.functions", "main.f.func1.p.g": "main.f",
	} {
		if got := declared(function); got != want {
			t.Errorf("%s: got %s, want %s", function, got, want)
		}
	}
}

func TestWrite(t *testing.T) {
	all := &Outcome{
		File: "x/bank.schedule", Shows: "deadlock: two wait", Verdict: Violated, Steps: 3, Fit: 2, Kept: 1,
		Changes: []string{"a", "b", "c", "d", "e", "f"}, Failed: 2,
		Runs:  []Series{{AsIs, 1}, {Scheduled, 3}},
		Found: &Found{"closed", "a send", "observed", "main before main.1", "antichain replay F ."},
	}
	verified := &Outcome{
		File: "bank.schedule", Verdict: Verified, Steps: 1, Fit: 1, Runs: []Series{{AsIs, 1}, {Scheduled, 2}},
	}
	interrupted := &Outcome{
		Verdict: Unknown, Why: "it was interrupted after 1 runs", Steps: 2, Fit: 1, Runs: []Series{{AsIs, 1}},
	}
	for _, c := range []struct {
		outcome *Outcome
		code    int
		want    string
	}{
		{all, exit.Violated, `not verified: a run shows a violation
    closed: a send (observed)
    in a run with main before main.1
    show it again: antichain replay F .
    the schedule was made for deadlock: two wait
    the program has places for 2 of 3 steps of the schedule; the runs under it came to 1 of them at most
    a
    b
    c
    d
    2 more
    4 runs: 1 as it is, 3 under the schedule
    in 2 runs the program failed while goroutines were held, which may depend on time
`},
		{verified, exit.Holds, `verified: bank.schedule leads to no violation any more
    the program has places for 1 of 1 step of the schedule; the runs under it came to none of them
    3 runs: 1 as it is, 2 under the schedule
`},
		{interrupted, exit.Unknown, `not judged: it was interrupted after 1 runs
    the program has places for 1 of 2 steps of the schedule
    1 run: 1 as it is
`},
		{&Outcome{Verdict: Unknown, Why: "it was interrupted after 2 runs", Steps: 1}, exit.Unknown,
			`not judged: it was interrupted after 2 runs
    the program has no place any more for 1 step of the schedule
`},
	} {
		var text strings.Builder
		if err := c.outcome.Write(&text); err != nil || text.String() != c.want {
			t.Errorf("%v: got\n%s\nwant\n%s", err, &text, c.want)
		}
		if got := c.outcome.Code(); got != c.code {
			t.Errorf("%s: code %d, want %d", c.outcome.Verdict, got, c.code)
		}
	}
}
