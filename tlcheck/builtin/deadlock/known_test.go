package deadlock

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
	"pgregory.net/rapid"
)

// parse reads tasks, one a line: lN, uN lock and unlock lock N, rN and vN for reading, sN and dN
// send and receive on channel N, mN makes it, which else has happened before, c closes the last
// channel, add, done and wait are of the WaitGroup, gN starts task N, tN and aN are loads and
// stores, o is Do of the Once and e the end of its function.
func parse(text string) *program {
	p := &program{caps: []int{0, 1, 1, 0}}
	kinds := map[byte]op.Kind{'l': op.Lock, 'u': op.Unlock, 'r': op.RLock, 'v': op.RUnlock, 's': op.Send, 'd': op.Recv, 'c': op.Close, 'g': op.Go, 'o': op.Once, 'e': ran, 'm': op.MakeChan, 't': op.AtomicLoad, 'a': op.AtomicStore}
	for line := range strings.Lines(text) {
		var code []instr
		for _, word := range strings.Fields(line) {
			switch word {
			case "add":
				code = append(code, instr{op.Add, 0})
			case "done":
				code = append(code, instr{op.Done, 0})
			case "wait":
				code = append(code, instr{op.Wait, 0})
			default:
				n, _ := strconv.Atoi(word[1:])
				code = append(code, instr{kinds[word[0]], n})
			}
		}
		p.tasks = append(p.tasks, code)
	}
	return p
}

// inTurn runs each task as far as it goes, in order, again and again.
func (p *program) inTurn() []move {
	var run []move
	s := p.start()
	for {
		moves := p.moves(s)
		for len(moves) > 0 && moves[0].announce {
			moves = moves[1:]
		}
		if len(moves) == 0 {
			return run
		}
		run = append(run, moves[0])
		p.do(s, moves[0])
	}
}

// Deadlocks that are found in a run in which the tasks come one after the other as far as they can.
// A party is written as task.operation, both counted from 0.
func TestKnown(t *testing.T) {
	for _, test := range []struct{ name, tasks, want string }{
		{"two locks", "g1 g2\nl0 l1 u1 u0\nl1 l0 u0 u1", "1.1 2.1"},
		{"three locks", "g1 g2 g3\nl0 l1 u1 u0\nl1 l2 u2 u1\nl2 l0 u0 u2", "1.1 2.1 3.1"},
		{"one order", "g1 g2\nl0 l1 u1 u0\nl0 l1 u1 u0", ""},
		{"a channel made behind the lock", "g1 l0 m3 u0 c3 l0 u0\nl0 d3 u0", ""},
		{"a channel made before the lock", "g1 m3 l0 u0 c3\nl0 d3 u0", "0.2 1.1"},
		{"gate", "g1 g2\nl2 l0 l1 u1 u0 u2\nl2 l1 l0 u0 u1 u2", ""},
		{"readers' gate", "g1 g2\nr2 l0 l1 u1 u0 v2\nr2 l1 l0 u0 u1 v2", "1.2 2.2"},
		{"ordered by a channel", "g1 g2\nl0 l1 u1 u0 s0\nd0 l1 l0 u0 u1", ""},
		{"ordered by go", "l0 l1 u1 u0 g1\nl1 l0 u0 u1", ""},
		{"started in the section", "l0 g1 l1 u1 u0\nl1 l0 u0 u1", "0.2 1.1"},
		{"a section before, which came later", "g1 g2\nl0 l1 u1 u0\nl0 u0 l1 l0 u0 u1", "1.1 2.3"},
		{"a section before, of the task that is started in the section", "l0 g1 l1 l2 u2 u1 u0\nl1 u1 l2 l0 u0 u2", "0.3 1.3"},
		{"a section before, and another task is started in the one that comes later", "l0 g1 l1 g2 l2 u2 u1 u0\nl1 u1 l2 l0 u0 u2\nt0", "0.4 1.3"},
		{"both have had the other's lock", "g1 g2\nl0 l1 u1 l1 u1 u0\nl1 l0 u0 l0 u0 u1", "1.1 2.1; 1.1 2.3; 1.3 2.1"},
		{"hand over hand", "g1 g2\nl2 l0 u2 l1 u1 u0\nl2 l1 u2 l0 u0 u1", "1.3 2.3"},
		{"two readers", "g1 g2\nr0 r1 v1 v0\nr1 r0 v0 v1", ""},
		{"reader and writer", "g1 g2\nr0 l1 u1 v0\nl1 l0 u0 u1", "1.1 2.1"},
		{"two readers, a writer of one", "g1 g2 g3\nr0 r1 v1 v0\nr1 r0 v0 v1\nl0 u0", ""},
		{"two readers, writers of both", "g1 g2 g3 g4\nr0 r1 v1 v0\nr1 r0 v0 v1\nl0 u0\nl1 u1", "1.1 2.1 3.0 4.0"},
		{"reading twice", "g1 g2\nr0 r0 v0 v0\nl0 u0", "1.1 2.0"},
		{"reading twice, no writer", "g1 g2\nr0 r0 v0 v0\nr0 v0", ""},
		{"reading twice, writer ordered", "l0 u0 g1\nr0 r0 v0 v0", ""},
		{"send in a section", "g1 g2\nl0 u0 d0\nl0 s0 u0", "1.0 2.1"},
		{"receive after a section", "g1 g2\nd0 l0 u0\nl0 s0 u0", ""},
		{"another receiver", "g1 g2 g3\nl0 u0 d0\nl0 s0 u0\nd1\n", "1.0 2.1"},
		{"close in a section", "g1 g2\nl0 u0 c3\nl0 d3 u0", "1.0 2.1"},
		{"wait in a section", "g1 g2\nl0 u0 done\nl0 wait u0", "1.0 2.1"},
		{"add in the section", "g1 g2\nl0 add done u0 done\nl0 wait u0", "1.0 2.1"},
		{"add in a section behind the wait", "g1 g2\ndone l0 add done u0\nl0 wait u0", ""},
		{"add in a section, another task is done with the share", "g1 g2 g3\nl0 add done u0\ndone\nl0 wait u0", ""},
		{"add by one that needs no lock", "g1 g2 g3\nl0 u0 done\nadd done\nl0 wait u0", "1.0 3.1"},
		{"load in a section", "g1 g2\nl0 u0 a0\nl0 t0 u0", ""},
		{"two channels away", "g1 g2 g3\nl0 u0 s0\nd0 c3\nl0 d3 u0", "1.0 2.0 3.1"},
		{"channels as locks", "g1 g2\ns1 s2 d2 d1\ns2 s1 d1 d2", "1.1 2.1"},
		{"a channel and a lock", "g1 g2\ns1 l0 u0 d1\nl0 s1 d1 u0", "1.1 2.1"},
		{"a channel that is no lock", "g1 g2\ns1 d1 l0 s1 u0\nd1 l0 u0", ""},
		{"ended with a lock", "g1 g2\nl0 u0\nl0", "1.0 2.1"},
		{"ended with a lock for reading", "g1 g2\nl0 u0\nr0", "1.0 2.1"},
		{"once under a lock that the function takes", "g1 g2\no0 l0 u0 e0\nl0 o0 e0 u0", "1.1 2.1"},
		{"once before", "g1\no0 l0 u0 e0 g2\nl0 o0 e0 u0", ""},
		{"once before the section", "g1 g2\no0 l0 u0 e0\no0 e0 l0 o0 e0 u0", ""},
		{"the lock before once", "g1 g2\nl0 u0 o0 e0\nl0 o0 e0 u0", ""},
		{"once, and a gate", "g1 g2\nl2 o0 l0 u0 e0 u2\nl2 l0 o0 e0 u0 u2", ""},
		{"once waits for a third", "g1 g2 g3\no0 d0 e0\nl0 u0 s0\nl0 o0 e0 u0", "1.1 2.0 3.1"},
		{"who waited for a lock to the end goes on", "g1 g2 g3 g4 g5\nl1 d3 u1\ns1 l1 u1 l2 d1 u2\nl0 d1 u0\nl0 s1 l2 l2 u2 u2 u0\nc3", ""},
		{"who waited for a lock that is a channel to the end goes on", "g1 g2 g3 g4 g5\nl1 d3 u1\ns1 l1 u1 s2 d1 d2\nl0 d1 u0\nl0 s1 s2 s2 d2 d2 u0\nc3", ""},
		{"who waited to the end comes later", "g1 g2\nl0 u0 c3\nl0 d3 u0 g3\nl1 l1", "1.0 2.1"},
		{"who waited to the end waits for itself", "g1 g2 g3\nl0 u0 c3\nl0 d3 u0\nl1 l1", "1.0 2.1"},
		{"who waited to the end has nothing to do with it", "g1 g2 g3 g4\nl0 u0 c3\nl0 d3 u0\nl1 s0 l2\nl2 d0 l1", "1.0 2.1; 3.2 4.2"},
		{"who waited for a lock to the end waits", "g1 g2 g3 g4 g5\nl1 d3 u1\ns1 l1 u1 l2 d1 u2\nl0 d1 u0\nl2 l0 s1 l2 u0 u2\nc3", "3.0 4.2"},
		{"happened", "g1 g2\nl0 s0 l1\nl1 d0 l0", "1.2 2.2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := parse(test.tasks)
			dead, _ := p.dead(100000)
			d := New()
			p.observe(kindFilter{d}, p.inTurn())
			var got []string
			for _, c := range d.Cycles() {
				if !p.reaches(dead, &c) {
					t.Errorf("not a deadlock: %+v", c.Parties)
				}
				got = append(got, parties(p, &c))
			}
			slices.Sort(got)
			got = slices.Compact(got) // what happened is also predicted
			if strings.Join(got, "; ") != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// parties returns the parties of a cycle by task.
func parties(p *program, c *Cycle) string {
	at := make([]string, len(p.tasks))
	for _, party := range c.Parties {
		pc := len(p.tasks[party.Task])
		if party.Kind != op.End {
			pc = int(party.At) - int(placeOf(int(party.Task), 0))
		}
		at[party.Task] = fmt.Sprintf("%d.%d", party.Task, pc)
	}
	return strings.Join(strings.Fields(strings.Join(at, " ")), " ")
}

// A task that holds a lock waits in a select statement for one who needs the lock.
func TestSelect(t *testing.T) {
	const mutex, taken, other = 1, 2, 3
	for _, test := range []struct {
		name   string
		n      int64 // of the Select
		before bool  // a task has closed the other channel before
		later  bool  // a task sends on the other channel later
		want   int
	}{
		{name: "nobody uses the other channel", want: 1},
		{name: "somebody does", later: true},
		{name: "it was closed", before: true},
		{name: "there is a default", n: 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := New()
			knows := func(k1, k2, k3 int32) *clock.Clock {
				w := clock.NewWriter(nil)
				w.Set(1, k1)
				w.Set(2, k2)
				w.Set(3, k3)
				return w.Clock()
			}
			for i, c := range []op.Object{taken, other} {
				d.Op(&op.Op{Kind: op.MakeChan, K: int32(i + 1), Object: c, Other: op.NoTask})
			}
			var free *clock.Clock
			if test.before {
				d.Op(&op.Op{Kind: op.Close, Task: 3, K: 1, Object: other, Other: op.NoTask})
				free = knows(0, 0, 1)
			}
			d.Op(&op.Op{Kind: op.Lock, Task: 2, K: 1, Object: mutex, At: 21, Other: op.NoTask})
			d.Op(&op.Op{Kind: op.Unlock, Task: 2, K: 2, Object: mutex, Other: op.NoTask})
			d.Op(&op.Op{Kind: op.Lock, Task: 1, K: 1, Object: mutex, At: 11, Other: op.NoTask, Free: free})
			d.Op(&op.Op{Kind: op.Select, Task: 1, K: 2, Arg: test.n, Cases: []op.Case{{Object: taken}, {Object: other}, {}}, Other: op.NoTask, Free: free})
			d.Op(&op.Op{
				Kind: op.Handoff, Task: 2, K: 3, Object: taken, At: 22, Other: 1, OtherK: 3, OtherAt: 12,
				Free: clock.Join(free, knows(3, 3, 0)), OtherBefore: free,
			})
			d.Op(&op.Op{Kind: op.Unlock, Task: 1, K: 4, Object: mutex, Other: op.NoTask, Free: clock.Join(free, knows(0, 3, 0))})
			if test.later {
				d.Op(&op.Op{Kind: op.Handoff, Task: 3, K: 1, Object: other, Other: 4, OtherK: 1})
			}
			cycles := d.Cycles()
			if len(cycles) != test.want {
				t.Fatalf("%+v, want %d", cycles, test.want)
			}
			if test.want > 0 && (cycles[0].Parties[0].Kind != op.Select || cycles[0].Parties[1].At != 21) {
				t.Errorf("%+v", cycles[0].Parties)
			}
		})
	}
}

// What no task can have done is no reason to fail.
func TestWildOperations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := New()
		k := rapid.Int32Range(-2, 20)
		task := rapid.Map(rapid.IntRange(-1, 3), func(n int) op.Task { return op.Task(n) })
		object := rapid.Map(rapid.IntRange(0, 4), func(n int) op.Object { return op.Object(n) })
		for range rapid.IntRange(0, 100).Draw(t, "length") {
			d.Op(&op.Op{
				Kind: op.Kind(rapid.IntRange(0, int(op.KindCount)-1).Draw(t, "kind")), Want: op.Kind(rapid.IntRange(0, int(op.KindCount)-1).Draw(t, "want")),
				Task: task.Draw(t, "task"), Other: task.Draw(t, "other"), K: k.Draw(t, "k"), OtherK: k.Draw(t, "otherK"),
				Object: object.Draw(t, "object"), Arg: rapid.Int64Range(-1, 3).Draw(t, "n"), At: op.Place(rapid.IntRange(0, 3).Draw(t, "at")),
				Locking: rapid.Bool().Draw(t, "locking"), InCase: rapid.Bool().Draw(t, "inCase"),
				Cases: []op.Case{{Object: object.Draw(t, "case"), Send: rapid.Bool().Draw(t, "send")}},
			})
		}
		d.Cycles()
	})
}

// What is kept of a run does not grow with it: not with tasks that have ended, nor with locks and
// channels that are freed, nor with repetitions.
func TestBounded(t *testing.T) {
	d := New()
	const rounds = 3 << 12
	for i := range int32(rounds) {
		task, own, shared := op.Task(i+1), op.Object(100+3*i), op.Object(1)
		d.Op(&op.Op{Kind: op.Go, K: i + 1, Other: task})
		k := int32(0)
		do := func(o op.Op) {
			k++
			o.Task, o.K, o.Other, o.At = task, k, op.NoTask, op.Place(k)
			d.Op(&o)
		}
		do(op.Op{Kind: op.MakeChan, Object: own + 1, Arg: 1})
		do(op.Op{Kind: op.Lock, Object: shared})
		do(op.Op{Kind: op.Lock, Object: own})
		do(op.Op{Kind: op.Send, Object: own + 1, Locking: true})
		do(op.Op{Kind: op.Add, Object: 2, Arg: 1})
		do(op.Op{Kind: op.Done, Object: 2, Arg: -1})
		do(op.Op{Kind: op.Unlock, Object: own})
		do(op.Op{Kind: op.Unlock, Object: shared})
		do(op.Op{Kind: op.End})
		d.Op(&op.Op{Kind: op.Free, Task: op.NoTask, Object: own})
		d.Op(&op.Op{Kind: op.Free, Task: op.NoTask, Object: own + 1})
	}
	shared, counted := d.locks.At(1), d.media.At(2)
	locks, media := maps.Collect(d.locks.All()), maps.Collect(d.media.All())
	for what, n := range map[string]int{
		"tasks": len(d.actors), "locks": len(locks), "channels": len(media) - 1,
		"dependencies": len(d.dependencies), "places": len(d.alike), "of a lock": len(shared.first) + len(shared.wanted) + len(shared.owners),
		"writers": len(shared.writers) - maxInstances, "counts": len(counted.counts), "doers": len(counted.doers) - maxUsers,
	} {
		if n > 1 {
			t.Errorf("%d %s are kept", n, what)
		}
	}
}
