package tlcheck_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
)

// lockTrace is a trace of n tasks that take a lock in turn, m times each, and append
// to a list while they hold it. Without locked, nothing orders them.
func lockTrace(n, m int, locked bool) string {
	var b strings.Builder
	b.WriteString(`{"antichain":1,"tasks":["main"]}` + "\n")
	for i := range n {
		fmt.Fprintf(&b, `{"t":"main","spawn":"w%d"}`+"\n", i)
	}
	after := ""
	for round := range m {
		for i := range n {
			fmt.Fprintf(&b, `{"t":"w%d"%s}`+"\n", i, after)
			fmt.Fprintf(&b, `{"t":"w%d","enter":"append","set":{"x":%d}}`+"\n", i, round)
			fmt.Fprintf(&b, `{"t":"w%d","exit":"append"}`+"\n", i)
			fmt.Fprintf(&b, `{"t":"w%d"}`+"\n", i)
			if locked {
				after = fmt.Sprintf(`,"after":[["w%d",%d]]`, i, 4*(round+1))
			}
		}
	}
	return b.String()
}

// Properties of pairs and triples stay quick over hundreds of tasks.
func TestHundredsOfTasks(t *testing.T) {
	const pair = "not (t1:(in.append) and t2:(in.append)) if t1 != t2"
	const triple = "not (t1:(in.append) and t2:(in.append) and t3:(x == 9 and in.append)) if t1 != t2 and t2 != t3 and t1 != t3"
	tasks := 300
	if testing.Short() { // the race detector makes it slow
		tasks = 60
	}
	locked := santest.Read(t, lockTrace(tasks, 10, true))
	for _, f := range []string{pair, triple, "initially: henceforth " + "(" + pair + ")"} {
		if r := check(t, locked, f, tlcheck.Options{}); r.Verdict != tlcheck.Holds {
			t.Errorf("%s: %v", f, r.Verdict)
		}
	}
	free := santest.Read(t, lockTrace(tasks, 10, false))
	for f, want := range map[string]int{pair: 2 + 2 + 2, triple: 3 + 2 + 2 + 38} {
		r := check(t, free, f, tlcheck.Options{})
		if r.Verdict != tlcheck.Violated || len(r.Witness.Schedule) != want {
			t.Errorf("%s: %v, schedule of %d actions, want %d", f, r.Verdict, len(r.Witness.Schedule), want)
		}
	}
}

// Once a violation is found, thousands of tasks are not paired with all others to find
// out that none gives a smaller one: else this takes minutes.
func TestSmallestOfThousandsOfTasks(t *testing.T) {
	n := 4000
	if testing.Short() { // the race detector makes it slow
		n = 800
	}
	var alike, waiting strings.Builder
	for i := range n {
		fmt.Fprintf(&alike, `,"w%d"`, i)
	}
	fmt.Fprintf(&waiting, `{"antichain":1,"tasks":["main"%s]}`+"\n", alike.String())
	for i := range n {
		fmt.Fprintf(&waiting, `{"t":"w%d","enter":"append"}`+"\n", i)
	}
	for name, trace := range map[string]string{"initial": waiting.String(), "created": lockTrace(n, 1, false)} {
		for _, f := range []string{
			"not (t1:(in.append) and t2:(in.append)) if t1 != t2",
			"not (t1:(in.append) and t2:(in.append) and t3:(in.append)) if t1 != t2 and t1 != t3 and t2 != t3",
		} {
			r := check(t, santest.Read(t, trace), f, tlcheck.Options{})
			if r.Verdict != tlcheck.Violated || r.Covered != "" {
				t.Errorf("%s: %s: %v, %s", name, f, r.Verdict, r.Covered)
			}
		}
	}
}

// TestPairsOfThousandsOfTasks is done in seconds; pair by pair it would take minutes.
func TestPairsOfThousandsOfTasks(t *testing.T) {
	tasks := 5000
	if testing.Short() { // the race detector makes it slow
		tasks = 500
	}
	for _, p := range workload.Patterns() {
		for _, v := range []workload.Variant{workload.Holds, workload.Violated} {
			c := workload.Config{Pattern: p, Variant: v, Tasks: tasks, Events: workload.MinEvents, Seed: 1}
			net, err := c.Net()
			if err != nil {
				t.Fatal(err)
			}
			checkPair(t, c, net)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	for name, trace := range map[string]string{
		"independent": wide(20, 50),
		"locked":      lockTrace(20, 12, true),
	} {
		net := santest.Read(b, trace)
		for label, f := range map[string]string{
			"atom":       "t:(not in.append)",
			"pair":       "not (t1:(x == 9) and t2:(in.append)) if t1 != t2",
			"henceforth": "initially: henceforth not (t1:(in.append) and t2:(in.append) if t1 != t2)",
			"before":     "t1:(start.append) -> (t1:(term.append) before t2:(start.append)) if t1 != t2",
			"exists":     "always exists t (t:(not in.append))",
		} {
			b.Run(name+"/"+label, func(b *testing.B) {
				p := property(b, f)
				for b.Loop() {
					if _, err := tlcheck.Check(b.Context(), net, p, tlcheck.Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// TestDeepLocalFormulas has local formulas that are nested 60 deep, each once as a formula of atoms
// and once in one atom: both say the same.
func TestDeepLocalFormulas(t *testing.T) {
	const depth = 60
	net := santest.Read(t, counter)
	verdicts := map[tlcheck.Verdict]bool{}
	for _, shape := range []string{"(%s -> %s)", "(%s or %s)", "(not %s or not %s)", "(%[2]s -> %[1]s)",
		"(%[2]s or %[1]s)"} {
		nested := func(atom string) string {
			f := fmt.Sprintf(atom, "x == 0")
			for i := range depth {
				f = fmt.Sprintf(shape, f, fmt.Sprintf(atom, fmt.Sprintf("x == %d", i%3)))
			}
			return f
		}
		for _, logic := range []lsl.Logic{lsl.L3, lsl.Frey96} {
			deep := check(t, net, nested("t:(%s)"), tlcheck.Options{Logic: logic})
			flat := check(t, net, "t:("+nested("%s")+")", tlcheck.Options{Logic: logic})
			verdicts[deep.Verdict] = true
			if deep.Verdict != flat.Verdict {
				t.Errorf("%v, %s: %v, in one atom %v", logic, shape, deep.Verdict, flat.Verdict)
			} else if deep.Witness != nil && !deep.Witness.Slice.Equal(flat.Witness.Slice) {
				t.Errorf("%v, %s: %v, in one atom %v", logic, shape, deep.Witness.Slice, flat.Witness.Slice)
			}
		}
	}
	if !verdicts[tlcheck.Holds] || !verdicts[tlcheck.Violated] {
		t.Errorf("only %v", verdicts)
	}
}
