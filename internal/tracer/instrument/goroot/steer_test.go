//go:build linux && (amd64 || arm64)

package goroot

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/strategy"
)

// steered runs a program of testdata/steer, in which few deadlines pass early.
func steered(t *testing.T, seed uint64, name string) run {
	t.Helper()
	return steeredBy(t, ring.Options{Seed: seed, Early: 2}, name)
}

func steeredBy(t *testing.T, opt ring.Options, name string) run {
	t.Helper()
	return drawnBy(t, opt, strategy.Strategy{}.Of(opt.Seed), name)
}

func drawnBy(t *testing.T, opt ring.Options, s strategy.Strategy, name string) run {
	t.Helper()
	cmd := exec.Command(program(t, "steer"), name)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=3")
	opt.Draws = s.Draws()
	r := trace(t, opt, func(*ring.Record) {}, cmd)
	if r.stats.Missing() != 0 {
		t.Errorf("stats %+v", r.stats)
	}
	return r
}

// A seed repeats its schedule, and others have others, even if it depends on hash values.
func TestSeeds(t *testing.T) {
	for _, name := range []string{"order", "hashes"} {
		outputs := map[string]bool{}
		for seed := uint64(1); seed <= 12; seed++ {
			first := steered(t, seed, name)
			first.ok(t)
			if !strings.HasSuffix(first.stdout, " 3\n") {
				t.Errorf("output %q, want that there are 3 processors", first.stdout)
			}
			outputs[first.stdout] = true
			if again := steered(t, seed, name); again.stdout != first.stdout {
				t.Errorf("%s: seed %d: %q, then %q", name, seed, first.stdout, again.stdout)
			}
		}
		if len(outputs) < 10 {
			t.Errorf("%s: only %d orders in 12 schedules", name, len(outputs))
		}
	}
}

// A run under surw learns how many operations goroutines do. Those that follow draw their orders
// uniformly, and are repeated.
func TestUniformSeeds(t *testing.T) {
	learns := strategy.Strategy{Rule: strategy.SURW}
	first := drawnBy(t, ring.Options{Seed: 1}, learns, "short")
	first.ok(t)
	counts, places := strategy.CountsOf(first.stats.Notes), map[string]int{}
	for seed := uint64(1); seed <= 70; seed++ {
		s := counts.Draw(seed)
		if s.Learner() != nil {
			t.Fatalf("nothing counts of %+v", first.stats.Notes)
		}
		r := drawnBy(t, ring.Options{Seed: seed}, s, "short")
		r.ok(t)
		places[r.stdout]++
		if seed > 10 {
			continue
		}
		if again := drawnBy(t, ring.Options{Seed: seed}, s, "short"); again.stdout != r.stdout {
			t.Errorf("seed %d: %q, then %q", seed, r.stdout, again.stdout)
		}
	}
	// ten each on average; a walk has the last one in one of 128 runs
	for place := range 7 {
		if n := places[fmt.Sprintln(place)]; n < 3 || n > 20 {
			t.Errorf("place %d in %d runs of 70", place, n)
		}
	}
}

// Runs under rff learn what can read what, and each is repeated by its constraints. A load is no
// write, so the one write that leads to 50 can be read although a walk hardly ever does so.
func TestReadsFromSeeds(t *testing.T) {
	learner, middle := strategy.Strategy{Rule: strategy.RFF}.Learner(), 0
	for seed := uint64(1); seed <= 60; seed++ {
		s := learner.Draw(seed)
		r := drawnBy(t, ring.Options{Seed: seed}, s, "reads")
		r.ok(t)
		if r.stdout == "50\n" {
			middle++
		}
		for _, n := range r.stats.Notes {
			if n.Object == 0 && n.Looks {
				t.Errorf("%+v is no operation", n)
			}
		}
		learner.Learn(s, r.stats.Notes)
		if seed > 10 {
			continue
		}
		if again := drawnBy(t, ring.Options{Seed: seed}, s, "reads"); again.stdout != r.stdout {
			t.Errorf("seed %d: %q, then %q", seed, r.stdout, again.stdout)
		}
	}
	if middle < 5 {
		t.Errorf("50 in %d runs of 60", middle)
	}
}

// Bugs that need a certain order show with some seeds, and again with the same one.
func TestSeedsFindBugs(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		seeds      int // enough for the rarity of the bug
		least      int
	}{
		{"deadlock", "all goroutines are asleep", 80, 3}, {"depth", "panic: bug", 200, 2},
		{"timeout", "panic: bug", 80, 3},
	} {
		found := 0
		for seed := 1; seed <= tt.seeds; seed++ {
			r := steered(t, uint64(seed), tt.name)
			if r.err == nil {
				continue
			}
			found++
			if !strings.Contains(r.stdout, tt.want) {
				t.Fatalf("%s: %s", tt.name, r.stdout)
			}
			if again := steered(t, uint64(seed), tt.name); again.err == nil {
				t.Errorf("%s: seed %d shows it once", tt.name, seed)
			}
		}
		t.Logf("%s: %d of %d seeds", tt.name, found, tt.seeds)
		if found < tt.least || found > tt.seeds*9/10 {
			t.Errorf("%s: %d of %d seeds", tt.name, found, tt.seeds)
		}
	}
}

// A failure that needs a deadline to pass early does not come without that, and the deadline is
// named.
func TestEarly(t *testing.T) {
	found := 0
	for seed := uint64(1); seed <= 50; seed++ {
		r := steered(t, seed, "timeout")
		if r.err == nil {
			continue
		}
		found++
		early := r.stats.Passed.Early
		if len(early) == 0 || early[0].Kind != ring.EarlyTimer || early[0].Duration != 2*time.Millisecond ||
			early[0].Set[0] == 0 || early[0].At[0] == 0 {
			t.Errorf("seed %d: early %+v", seed, early)
		}
		without := steeredBy(t, ring.Options{Seed: seed, Early: 2, WithoutEarly: ^uint32(0)}, "timeout")
		without.ok(t)
		fired := func(f ring.Firing) bool { return f.Kind != 0 }
		if passed := without.stats.Passed; passed.Slow || slices.ContainsFunc(passed.Early, fired) ||
			len(passed.Early) == 0 {
			t.Errorf("seed %d: without early firings: %+v", seed, passed)
		}
		steeredBy(t, ring.Options{Seed: seed}, "timeout").ok(t)
	}
	if found == 0 {
		t.Error("no deadline passed early")
	}
}

// A sleep takes no real time. By all clocks a program takes as long as it sleeps, and a microsecond
// for each reading. Time goes by for goroutines that poll or wait for something outside.
func TestTimeOfSteeredRuns(t *testing.T) {
	for seed := uint64(1); seed <= 6; seed++ {
		r := steeredBy(t, ring.Options{Seed: seed}, "sleeps")
		r.ok(t)
		if r.stdout != "3h0m0.000003s 3h0m0.000003s\n" {
			t.Errorf("seed %d: %s", seed, r.stdout)
		}
	}
	for seed := uint64(1); seed <= 3; seed++ {
		steeredBy(t, ring.Options{Seed: seed}, "measures").ok(t)
	}
	first := map[string]bool{}
	for seed := uint64(1); seed <= 60 && len(first) < 3; seed++ {
		first[steeredBy(t, ring.Options{Seed: seed}, "together").stdout] = true
	}
	if len(first) != 3 {
		t.Errorf("of three that sleep for the same time only %v are first", first)
	}
	for _, name := range []string{"busy", "outside"} {
		for seed := uint64(1); seed <= 3; seed++ {
			r := steeredBy(t, ring.Options{Seed: seed}, name)
			r.ok(t)
			if !r.stats.Passed.Slow {
				t.Errorf("%s, seed %d: no time has passed", name, seed)
			}
		}
	}
}

// Without a seed, orders that are rare otherwise come about while operations are recorded, only
// then, and not always.
func TestPerturbation(t *testing.T) {
	left, perturbed := printed(t, "begins", false), printed(t, "begins", true)
	t.Logf("of 300 goroutines %d began early, and %d with perturbation", left, perturbed)
	if left > 15 || perturbed < 30 || perturbed > 240 {
		t.Errorf("of 300 goroutines %d began early, and %d with perturbation", left, perturbed)
	}
}

// The number of a run decides where goroutines let others go first: with most numbers the program
// ends as it did before.
func TestYieldsRepeat(t *testing.T) {
	const repeated, most = 20, 400
	same, deadlocks, tried := 0, 0, 0
	for tried < repeated || tried < most && (deadlocks < 2 || tried-deadlocks < 2) {
		tried++
		first := yielding(t, uint64(tried))
		if first {
			deadlocks++
		}
		if tried <= repeated && first == yielding(t, uint64(tried)) {
			same++
		}
	}
	seen := fmt.Sprintf("of %d numbers %d show the deadlock, and %d of the first %d do the same again",
		tried, deadlocks, same, repeated)
	t.Log(seen)
	if same < repeated-3 || deadlocks < 2 || tried-deadlocks < 2 {
		t.Error(seen)
	}
}

// yielding reports whether a program that may deadlock does so, with goroutines that let others go
// first where a number says so.
func yielding(t *testing.T, yields uint64) bool {
	cmd := exec.Command(program(t, "steer"), "deadlock")
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	return trace(t, ring.Options{Operations: true, Yields: yields}, func(*ring.Record) {}, cmd).err != nil
}

// A goroutine that holds a resource which a crowd tries to get repeatedly does not let all of them
// try each time: without that, 5000 that do so once make about 40 attempts each.
func TestPerturbationInACrowd(t *testing.T) {
	if vain := printed(t, "crowd", true); vain > 5000*10 {
		t.Errorf("5000 goroutines tried %d times in vain", vain)
	}
}

// A goroutine that can run when main returns does so on another processor, if there is the time: on
// a busy machine there may be none.
func TestLeaving(t *testing.T) {
	most := 0
	for i := 0; i < 50 && most < 50; i++ {
		most = max(most, len(ranOn(t, 2, "leaves", true)))
	}
	t.Logf("at most %d of 50 goroutines have written a letter", most)
	if most < 50 {
		t.Errorf("main has never let 50 goroutines write a letter each, but %d", most)
	}
}

// printed runs a program that prints a number. It runs on one processor, on which little comes
// about by itself.
func printed(t *testing.T, name string, operations bool) int {
	n, err := strconv.Atoi(strings.TrimSpace(ranOn(t, 1, name, operations)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// ranOn runs a program on so many processors, and returns what it prints.
func ranOn(t *testing.T, processors int, name string, operations bool) string {
	cmd := exec.Command(program(t, "steer"), name)
	cmd.Env = append(os.Environ(), fmt.Sprint("GOMAXPROCS=", processors))
	r := trace(t, ring.Options{Operations: operations}, func(*ring.Record) {}, cmd)
	r.ok(t)
	return r.stdout
}

// No goroutine waits forever for those that poll.
func TestSteeringIsFair(t *testing.T) {
	for _, name := range []string{"polls", "ring"} {
		for seed := uint64(1); seed <= 20; seed++ {
			steered(t, seed, name).ok(t)
		}
	}
}

// Programs work as usual, and their records are as complete.
func TestSteeredPrograms(t *testing.T) {
	for seed := uint64(1); seed <= 4; seed++ {
		c := newChecker()
		cmd := exec.Command(program(t, "noraces"))
		trace(t, ring.Options{Seed: seed, Operations: true}, c.add, cmd).ok(t)
		for _, r := range c.races {
			t.Errorf("seed %d: false race %s", seed, r)
		}
	}
}
