package builtin

import (
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tracer/op"
)

// script makes operations that each know what it lists: by index, from 1.
type script []struct {
	op.Op // at a place of its own unless it has one
	knows []int
}

// at returns the script with some operations, by index from 1, at other places.
func (s script) at(places map[int]op.Place) script {
	s = slices.Clone(s)
	for i, p := range places {
		s[i-1].At = p
	}
	return s
}

// findings returns the findings of a property in the script, each operation at a place that is its
// index. Operations know what those know that they know, and what came before in their tasks.
func (s script) findings(p Property) []Finding { return s.tell(checkerOf(p)) }

// tell passes the script to a checker, and returns what it finds.
func (s script) tell(c *Checker) []Finding {
	r := newNetRun()
	for _, step := range s {
		learnt := bits(0)
		for _, i := range step.knows {
			learnt |= r.before[i-1] | 1<<(i-1)
		}
		r.do(step.Op, learnt)
		o := r.ops[len(r.ops)-1]
		if step.At != 0 {
			o.At = step.At
		}
		c.Op(&o)
	}
	return c.Findings(testNames{})
}

// brief says how each finding is known, and who takes part at which places.
func brief(all []Finding) string {
	var lines []string
	for _, f := range all {
		line := f.How.String() + ":"
		for _, p := range f.Parties {
			line += " " + p.Kind.String() + "@" + strings.TrimPrefix(testNames{}.Place(p.At).At, "x.go:")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

// A Signal that a task may miss, because it does not come after the task began to wait.
func TestLostSignal(t *testing.T) {
	const cond, mu, other = 1, 2, 3
	waits := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.Lock, Task: 1, Object: mu}},
		{Op: op.Op{Kind: op.Unlock, Task: 1, Object: mu}}, // 4
		{Op: op.Op{Kind: op.Block, Task: 1, Want: op.CondWait, Object: cond}},
	}
	woken := script{
		{Op: op.Op{Kind: op.CondWait, Task: 1, Object: cond}},
		{Op: op.Op{Kind: op.End, Task: 1}},
		{Op: op.Op{Kind: op.Left}},
	}
	for _, test := range []struct {
		name, want string
		signals    script
	}{
		{"without the lock", "predicted: condwait@5", script{{Op: op.Op{Kind: op.Signal, Object: cond}}}},
		{"with the lock", "", script{{Op: op.Op{Kind: op.Lock, Object: mu}, knows: []int{4}}, {Op: op.Op{Kind: op.Unlock, Object: mu}}, {Op: op.Op{Kind: op.Signal, Object: cond}}}},
		{"and with it once more", "", script{{Op: op.Op{Kind: op.Signal, Object: cond}}, {Op: op.Op{Kind: op.Lock, Object: mu}, knows: []int{4}}, {Op: op.Op{Kind: op.Broadcast, Object: cond}}}},
		{"and may signal again, knowing of the wait", "", script{{Op: op.Op{Kind: op.Signal, Object: cond}}, {Op: op.Op{Kind: op.Lock, Object: mu}, knows: []int{4}}}},
		{"for nobody", "predicted: condwait@5", script{{Op: op.Op{Kind: op.Signal, Object: cond, Arg: 1}}}},
		{"for nobody, with the lock", "", script{{Op: op.Op{Kind: op.Signal, Object: cond}}, {Op: op.Op{Kind: op.Lock, Object: mu}, knows: []int{4}}, {Op: op.Op{Kind: op.Signal, Object: cond, Arg: 1}}}},
		{"by one who goes on", "", script{{Op: op.Op{Kind: op.Go, Other: 2}}, {Op: op.Op{Kind: op.Signal, Task: 2, Object: cond}}}},
		{"by one who has ended", "predicted: condwait@5", script{{Op: op.Op{Kind: op.Go, Other: 2}}, {Op: op.Op{Kind: op.Signal, Task: 2, Object: cond}}, {Op: op.Op{Kind: op.End, Task: 2}}}},
	} {
		s := append(append(waits[:len(waits):len(waits)], test.signals...), woken...)
		if got := brief(s.findings(Stuck)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A Signal that comes after the unlock of one task, but not after that of another one, which waits
// at the same place: that one can miss it.
func TestLostSignalOfTheSecond(t *testing.T) {
	const cond, mu, flag = 1, 2, 3
	for _, test := range []struct {
		name, want string
		known      int // operation that comes before the Signal
	}{
		{"after the first", "predicted: condwait@9", 7},
		{"after neither", "predicted: condwait@9", 1},
		{"after both", "", 8},
	} {
		s := script{
			{Op: op.Op{Kind: op.Main}},
			{Op: op.Op{Kind: op.Go, Other: 1}},
			{Op: op.Op{Kind: op.Go, Other: 2}},
			{Op: op.Op{Kind: op.Lock, Task: 1, Object: mu}},
			{Op: op.Op{Kind: op.Unlock, Task: 1, Object: mu}}, // 5
			{Op: op.Op{Kind: op.Block, Task: 1, Want: op.CondWait, Object: cond, At: 9}},
			{Op: op.Op{Kind: op.Lock, Task: 2, Object: mu}, knows: []int{5}},
			{Op: op.Op{Kind: op.Unlock, Task: 2, Object: mu}},
			{Op: op.Op{Kind: op.Block, Task: 2, Want: op.CondWait, Object: cond, At: 9}},
			{Op: op.Op{Kind: op.AtomicStore, Object: flag}, knows: []int{test.known}}, // 10
			{Op: op.Op{Kind: op.Broadcast, Object: cond}},
			{Op: op.Op{Kind: op.CondWait, Task: 1, Object: cond, At: 9}},
			{Op: op.Op{Kind: op.End, Task: 1}},
			{Op: op.Op{Kind: op.CondWait, Task: 2, Object: cond, At: 9}},
			{Op: op.Op{Kind: op.End, Task: 2}},
			{Op: op.Op{Kind: op.Left}},
		}
		if got := brief(s.findings(Stuck)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// That no other task signals if the task waits for too long is reported as an assumption.
func TestLostSignalOfOthers(t *testing.T) {
	const cond, mu, wg = 1, 2, 3
	begin := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.Add, Object: wg, Arg: 1}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.Go, Other: 2}},
		{Op: op.Op{Kind: op.Lock, Task: 1, Object: mu}},
		{Op: op.Op{Kind: op.Unlock, Task: 1, Object: mu}},
		{Op: op.Op{Kind: op.Block, Task: 1, Want: op.CondWait, Object: cond}},
		{Op: op.Op{Kind: op.Signal, Task: 2, Object: cond}},
		{Op: op.Op{Kind: op.End, Task: 2}},
		{Op: op.Op{Kind: op.CondWait, Task: 1, Object: cond}}, // 10
	}
	done := script{{Op: op.Op{Kind: op.Done, Task: 1, Object: wg, Arg: -1}}, {Op: op.Op{Kind: op.End, Task: 1}}}
	joins := script{{Op: op.Op{Kind: op.Wait, Object: wg}, knows: []int{11}}, {Op: op.Op{Kind: op.Left}}}
	arms := script{{Op: op.Op{Kind: op.Go, Other: 3, Arg: 1, Object: 8}}}
	stops := script{{Op: op.Op{Kind: op.Stop, Object: 8}}}
	again := script{{Op: op.Op{Kind: op.End, Task: 3}}, {Op: op.Op{Kind: op.Go, Other: 4, Arg: 1, Object: 8}}}
	end := joins[1:]
	for _, test := range []struct {
		name    string
		then    script
		assumes bool
	}{
		{"main waits for it", joins, false},
		{"main knows nothing of it", script{{Op: op.Op{Kind: op.Left}}}, false},
		{"main has seen that it has gone on", script{{Op: op.Op{Kind: op.AtomicLoad, Object: 9}, knows: []int{11}}, {Op: op.Op{Kind: op.Left}}}, true},
		{"somebody is asleep", append(script{{Op: op.Op{Kind: op.Go, Other: 3}}}, joins...), true},
		{"somebody is asleep who is started later", append(joins[:1:1], script{{Op: op.Op{Kind: op.Go, Other: 3}}, {Op: op.Op{Kind: op.Left}}}...), false},
		{"a timer that is stopped then", slices.Concat(arms, joins[:1], stops, end), true},
		{"a timer that is stopped by who knows nothing of it", slices.Concat(arms, stops, joins), false},
		{"a timer that is armed again then", slices.Concat(arms, joins[:1], again, stops, end), true},
		{"a timer that is armed later", slices.Concat(joins[:1], arms, stops, end), false},
	} {
		found := append(append(begin[:len(begin):len(begin)], done...), test.then...).findings(Stuck)
		if len(found) != 1 || found[0].How != Predicted || (found[0].Guess != nil) != test.assumes {
			t.Errorf("%s: %s, %+v", test.name, brief(found), found)
		}
	}
	stopped := slices.Concat(begin, arms, script{{Op: op.Op{Kind: op.Stop, Task: 1, Object: 8}}}, done, end).findings(Stuck)
	if len(stopped) != 1 || stopped[0].Guess == nil {
		t.Errorf("a timer that the task stops when it has waited: %+v", stopped)
	}
}

// Whoever signals learns of the Wait by waiting for what comes after it, and gets no further
// without it.
func TestLostSignalIsWaitedFor(t *testing.T) {
	const cond, mu, c, wg = 1, 2, 3, 4
	waits := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.MakeChan, Object: c}},
		{Op: op.Op{Kind: op.Add, Object: wg, Arg: 1}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.Lock, Task: 1, Object: mu}},
		{Op: op.Op{Kind: op.Unlock, Task: 1, Object: mu}},
		{Op: op.Op{Kind: op.Block, Task: 1, Want: op.CondWait, Object: cond}}, // 7
		{Op: op.Op{Kind: op.Broadcast, Object: cond}},
		{Op: op.Op{Kind: op.CondWait, Task: 1, Object: cond}},
		{Op: op.Op{Kind: op.Unlock, Task: 1, Object: mu}}, // 10
	}
	handoff := op.Op{Kind: op.Handoff, Task: 1, Other: 0, Object: c}
	closed := script{{Op: op.Op{Kind: op.Close, Task: 1, Object: c}}, {Op: op.Op{Kind: op.RecvClosed, Object: c}, knows: []int{11}}}
	inSelect := script{closed[0], closed[1]}
	inSelect[1].InCase = true
	for _, test := range []struct {
		name, want string
		then       script
	}{
		{"for its end", "predicted: condwait@7 wait@12", script{{Op: op.Op{Kind: op.Done, Task: 1, Object: wg, Arg: -1}}, {Op: op.Op{Kind: op.Wait, Object: wg}, knows: []int{11}}}},
		{"for a close", "predicted: condwait@7 recv@12", closed},
		{"for a value", "predicted: condwait@7 recv@12", script{{Op: op.Op{Kind: op.Send, Task: 1, Object: c}}, {Op: op.Op{Kind: op.Recv, Object: c}, knows: []int{11}}}},
		{"for a transfer", "predicted: condwait@7 recv@11", script{{Op: handoff}}},
		{"among others", "", inSelect},
		{"for a value of two", "", script{{Op: op.Op{Kind: op.Send, Task: 2, Object: c}}, {Op: op.Op{Kind: op.Send, Task: 1, Object: c}}, {Op: op.Op{Kind: op.Recv, Object: c}, knows: []int{12}}}},
		{"and signals then", "", append(closed[:2:2], script{{Op: op.Op{Kind: op.Signal, Object: cond, Arg: 1}}}...)},
		{"when it knows", "", append(script{{Op: op.Op{Kind: op.Lock, Object: mu}, knows: []int{10}}}, script{
			{Op: op.Op{Kind: op.Done, Task: 1, Object: wg, Arg: -1}}, {Op: op.Op{Kind: op.Wait, Object: wg}, knows: []int{12}},
		}...)},
	} {
		s := append(append(waits[:len(waits):len(waits)], test.then...), script{{Op: op.Op{Kind: op.End, Task: 1}}, {Op: op.Op{Kind: op.Left}}}...)
		if got := brief(s.findings(Stuck)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// Who wants a lock that the task holds while it misses the Signal waits as well.
func TestLostSignalInSection(t *testing.T) {
	const cond, mu, held = 1, 2, 3
	s := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.RLock, Task: 1, Object: held}},
		{Op: op.Op{Kind: op.Lock, Task: 1, Object: mu}},
		{Op: op.Op{Kind: op.Unlock, Task: 1, Object: mu}},
		{Op: op.Op{Kind: op.Block, Task: 1, Want: op.CondWait, Object: cond}},
		{Op: op.Op{Kind: op.Go, Other: 2}},
		{Op: op.Op{Kind: op.Signal, Task: 2, Object: cond}},
		{Op: op.Op{Kind: op.End, Task: 2}},
		{Op: op.Op{Kind: op.CondWait, Task: 1, Object: cond}},
		{Op: op.Op{Kind: op.RUnlock, Task: 1, Object: held}},
		{Op: op.Op{Kind: op.Lock, Object: held}, knows: []int{11}},
		{Op: op.Op{Kind: op.Unlock, Object: held}},
		{Op: op.Op{Kind: op.Left}},
	}
	if got, want := brief(s.findings(Stuck)), "predicted: condwait@6 lock@12"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A lock that a task never gives back, and that another one has taken before.
func TestLeftLocked(t *testing.T) {
	const mu = 1
	for _, test := range []struct {
		name, want    string
		first, second op.Kind
		knows         []int // of who leaves it locked
		panics        []int // what it knows when it does
	}{
		{"without order", "predicted, locks reordered: lock@4", op.Lock, op.RLock, nil, nil},
		{"two readers", "", op.RLock, op.RLock, nil, nil},
		{"a reader, then a writer", "predicted, locks reordered: rlock@4", op.RLock, op.Lock, nil, nil},
		{"ordered", "", op.Lock, op.Lock, []int{5}, nil},
		{"panics", "predicted, locks reordered: lock@4", op.Lock, op.Lock, nil, []int{3}},
		{"panics by what the other did", "", op.Lock, op.Lock, nil, []int{5}},
		{"panics by what the other did, as a reader", "", op.Lock, op.RLock, nil, []int{5}},
	} {
		unlock := map[op.Kind]op.Kind{op.Lock: op.Unlock, op.RLock: op.RUnlock}
		s := script{
			{Op: op.Op{Kind: op.Main}},
			{Op: op.Op{Kind: op.Go, Other: 1}},
			{Op: op.Op{Kind: op.Go, Other: 2}},
			{Op: op.Op{Kind: test.first, Task: 1, Object: mu}},
			{Op: op.Op{Kind: unlock[test.first], Task: 1, Object: mu}},
			{Op: op.Op{Kind: test.second, Task: 2, Object: mu}, knows: test.knows},
		}
		if test.panics != nil {
			s = append(s, script{{Op: op.Op{Kind: op.Misuse, Task: 2, Arg: int64(op.SendClosed)}, knows: test.panics}}...)
		}
		s = append(s, script{{Op: op.Op{Kind: op.End, Task: 2}}, {Op: op.Op{Kind: op.End, Task: 1}}, {Op: op.Op{Kind: op.Left}}}...)
		if got := brief(s.findings(Stuck)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A task that meets another one in a select statement, which could have taken another case.
func TestOtherCase(t *testing.T) {
	const c, stop, buffered, timer = 1, 2, 3, 4
	// Main starts a task that sends on c, and one that closes stop, or sends on it.
	begin := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.MakeChan, Object: c}},
		{Op: op.Op{Kind: op.MakeChan, Object: stop}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.Go, Other: 2}}, // 5
	}
	sel := op.Op{Kind: op.Block, Want: op.Select, Cases: []op.Case{{Object: c}, {Object: stop}}}
	timed := op.Op{Kind: op.Block, Want: op.Select, Cases: []op.Case{{Object: c}, {Object: timer}}}
	meet := op.Op{Kind: op.Handoff, Task: 1, Other: 0, Object: c}
	closes := op.Op{Kind: op.Close, Task: 2, Object: stop}
	for _, test := range []struct {
		name, want string
		ops        script
	}{
		{"closed in the meantime", "possible: send@7", script{{Op: sel}, {Op: meet}, {Op: closes}}},
		{"closed afterwards", "", script{{Op: sel}, {Op: meet}, {Op: closes, knows: []int{7}}}},
		{"not closed", "", script{{Op: sel}, {Op: meet}}},
		{"a timer", "possible: send@8", script{{Op: op.Op{Kind: op.Arm, Object: timer}}, {Op: timed}, {Op: meet}}},
		{"a ticker", "", script{{Op: op.Op{Kind: op.Arm, Object: timer, Arg: 1}}, {Op: timed}, {Op: meet}}},
		{"and again", "", script{{Op: sel}, {Op: meet}, {Op: closes}, {Op: op.Op{Kind: op.Recv, Object: c}}}},
		{"there is somebody else", "", script{{Op: sel}, {Op: meet}, {Op: closes}, {Op: op.Op{Kind: op.Block, Task: 2, Want: op.Select, Cases: sel.Cases}}, {Op: op.Op{Kind: op.End, Task: 2}}}},
		{"the sender has another case", "", script{
			{Op: op.Op{Kind: op.Block, Task: 1, Want: op.Select, Cases: []op.Case{{Object: c, Send: true}, {Object: stop}}}}, {Op: sel}, {Op: meet}, {Op: closes},
		}},
	} {
		s := append(append(begin[:len(begin):len(begin)], test.ops...), script{{Op: op.Op{Kind: op.End, Task: 1}}, {Op: op.Op{Kind: op.Left}}}...)
		if got := brief(s.findings(Stuck)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// What the run shows of a case decides whether to expect that a task comes back behind it.
func TestOtherCaseAsShown(t *testing.T) {
	const c, stop = 1, 2
	// Task 1 is a loop that serves c until it is stopped; main and task 2 use it.
	sel := op.Op{Kind: op.Block, Task: 1, Want: op.Select, Cases: []op.Case{{Object: c}, {Object: stop}}}
	request := op.Op{Kind: op.Handoff, Task: 0, Other: 1, Object: c}
	stops := op.Op{Kind: op.Handoff, Task: 2, Other: 1, Object: stop}
	many := sel
	many.Cases = append(make([]op.Case, candidate.MaxCases-2), sel.Cases...)
	for _, test := range []struct {
		name, want string
		behind     script
	}{
		{"it ends", "possible: send@7", script{{Op: op.Op{Kind: op.End, Task: 1}}}},
		{"there are many cases", "possible: send@7", script{{Op: op.Op{Kind: op.End, Task: 1}}}},
		{"it serves what is left", "", script{{Op: op.Op{Kind: op.Close, Task: 1, Object: c}}, {Op: op.Op{Kind: op.End, Task: 1}}}},
		{"the program ends before it could", "", nil},
		{"it comes to a statement with more cases", "", script{
			{Op: op.Op{Kind: op.Select, Task: 1, Cases: append(make([]op.Case, candidate.MaxCases), op.Case{Object: c})}}, {Op: op.Op{Kind: op.End, Task: 1}},
		}},
	} {
		s := script{
			{Op: op.Op{Kind: op.Main}},
			{Op: op.Op{Kind: op.MakeChan, Object: c}},
			{Op: op.Op{Kind: op.MakeChan, Object: stop}},
			{Op: op.Op{Kind: op.Go, Other: 1}},
			{Op: op.Op{Kind: op.Go, Other: 2}},
			{Op: sel},
			{Op: request},
			{Op: sel},
			{Op: stops},
		}
		if test.name == "there are many cases" {
			s[5].Op, s[7].Op = many, many
		}
		s = append(append(s, test.behind...), script{{Op: op.Op{Kind: op.Left}}}...)
		// Places are those of the statements: the loop has one.
		if got := brief(s.at(map[int]op.Place{8: 6}).findings(Stuck)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// What the source says behind the cases decides, and another case may remain.
func TestOtherCaseInSource(t *testing.T) {
	const c, stop, quit = 1, 2, 3
	s := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.MakeChan, Object: c}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.Go, Other: 2}},
		// 5
		{Op: op.Op{Kind: op.Block, Want: op.Select, Cases: []op.Case{{Object: c}, {Object: stop}, {Object: quit}}}},
		{Op: op.Op{Kind: op.Handoff, Task: 1, Other: 0, Object: c}},
		{Op: op.Op{Kind: op.Close, Task: 2, Object: stop}},
		{Op: op.Op{Kind: op.Close, Task: 2, Object: quit}},
		{Op: op.Op{Kind: op.End, Task: 1}},
		{Op: op.Op{Kind: op.Left}},
	}
	for _, test := range []struct {
		stop, quit Behind
		want       string
		other      int // case that is reported
	}{
		{Unread, Unread, "possible: send@6", 1},
		{ComesBack, ComesBack, "", 0},
		{Leaves, ComesBack, "predicted: send@6", 1},
		{ComesBack, Unread, "possible: send@6", 2},
		{ComesBack, Leaves, "predicted: send@6", 2},
		{Unread, Leaves, "predicted: send@6", 2},
	} {
		checker := checkerOf(Stuck)
		checker.ReadSource(func(g *Guess) Behind {
			if g.Select != 5 || g.Took != 0 {
				t.Errorf("asked for %+v", g)
			}
			return [...]Behind{Unread, test.stop, test.quit}[g.Other]
		})
		found := s.tell(checker)
		if got := brief(found); got != test.want || got != "" && found[0].Guess.Other != test.other {
			t.Errorf("%v, %v: %q, want %q, case %d: %+v", test.stop, test.quit, got, test.want, test.other, found)
		}
	}
}

// What is known of a case by its number means nothing where the cases are not always the same.
func TestOtherCaseOfVaryingMany(t *testing.T) {
	const c, stop, third = 1, 2, 3
	s := script{
		{Op: op.Op{Kind: op.Main}},
		{Op: op.Op{Kind: op.MakeChan, Object: c}},
		{Op: op.Op{Kind: op.MakeChan, Object: stop}},
		{Op: op.Op{Kind: op.Go, Other: 1}},
		{Op: op.Op{Kind: op.Go, Other: 2}},
		{Op: op.Op{Kind: op.Block, Task: 1, Want: op.Select, Cases: []op.Case{{Object: third}, {Object: stop}, {Object: c}}}},
		{Op: op.Op{Kind: op.Handoff, Task: 0, Other: 1, Object: c}},
		{Op: op.Op{Kind: op.Block, Task: 1, Want: op.Select, Cases: []op.Case{{Object: third}, {Object: stop}}}},
		{Op: op.Op{Kind: op.Handoff, Task: 2, Other: 1, Object: stop}},
		{Op: op.Op{Kind: op.End, Task: 1}},
		{Op: op.Op{Kind: op.Left}},
	}
	if got := brief(s.at(map[int]op.Place{8: 6}).findings(Stuck)); got != "" {
		t.Errorf("%q", got)
	}
}
