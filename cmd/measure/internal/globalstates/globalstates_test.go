package globalstates

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
)

// TestKnown counts states that are known: two goroutines that each lock, do something and unlock.
func TestKnown(t *testing.T) {
	section := []operation{{op: lock}, {op: local}, {op: unlock}}
	x := &execution{goroutines: [][]operation{section, section}, order: []int{0, 0, 0, 1, 1, 1}}
	s, err := look(x)
	if err != nil {
		t.Fatal(err)
	}
	// Not those in which both are inside, 2×2 of 4×4. In run order the second one begins after the
	// first; without it the second one may not be in or behind its section while the first one is
	// in its own.
	if len(s.reachable) != 12 || len(s.run) != 4+3 || len(s.valid) != 10 {
		t.Errorf("%d states; %d in the order of the run, %d in others", len(s.reachable), len(s.run), len(s.valid))
	}
}

// TestValid compares valid states with a replay of the run.
func TestValid(t *testing.T) {
	for i := range 200 {
		x := execute(rand.New(rand.NewPCG(7, uint64(i))), constructs[i%len(constructs)], 2+i%3)
		s, err := look(&x)
		if err != nil {
			t.Fatal(err)
		}
		_, free, err := x.nets()
		if err != nil {
			t.Fatal(err)
		}
		for at := range Enumerate(free) {
			want := santest.Excludes(free, func(a san.Action) bool { return a.K <= at[a.Task] })
			if s.valid[positionOf(at)] != want {
				t.Fatalf("run %d: %v is valid: %v, want %v", i, at, !want, want)
			}
		}
	}
}

// TestCheck wants errors of states that are seen in a narrower sense only.
func TestCheck(t *testing.T) {
	some, none := map[position]bool{{1}: true}, map[position]bool{}
	for text, s := range map[string]*seen{
		"not valid":         {run: some, valid: none, reachable: some},
		"cannot be reached": {run: none, valid: some, reachable: none},
	} {
		if err := s.check(); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %s", err, text)
		}
	}
}

func TestTable(t *testing.T) {
	var out strings.Builder
	if err := Run([]string{"-runs", "32"}, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2+4+4+1 || !strings.HasPrefix(lines[len(lines)-1], "| all | 32 |") {
		t.Error(out.String())
	}
	if err := Run([]string{"-runs", "0"}, &out); err == nil {
		t.Error("no runs")
	}
}
