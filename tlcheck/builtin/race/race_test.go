package race_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/race"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// testNames names what the numbers of made-up operations mean; places above 1000 are in the
// library, and above 2000 the program calls it.
type testNames struct{}

func (testNames) Task(t op.Task) op.Origin  { return op.Origin{Name: fmt.Sprintf("main.%d", t)} }
func (testNames) Object(o op.Object) string { return fmt.Sprintf("object %d", o) }
func (testNames) Place(p op.Place) op.Location {
	return op.Location{At: fmt.Sprintf("x.go:%d", p), Library: p > 1000, Called: p <= 1000 || p > 2000}
}

// Races between the same places are one, with either side first.
func TestRaces(t *testing.T) {
	c := builtin.NewChecker(race.Rule)
	tell := func(task op.Task, want op.Kind, at op.Place, other op.Task, otherWant op.Kind, otherAt op.Place) {
		c.Op(&op.Op{
			Kind: op.Conflict, Task: task, Want: want, At: at, Other: other, OtherAt: otherAt,
			Access: op.Access{OtherWant: otherWant},
		})
	}
	tell(1, op.Read, 5, 2, op.Write, 6)
	tell(3, op.Read, 5, 2, op.Write, 6)
	tell(2, op.Write, 6, 1, op.Read, 5)
	tell(4, op.AtomicLoad, 7, 5, op.Write, 8)
	tell(6, op.Write, 1001, 7, op.AtomicStore, 1002) // of the library alone, as the race detector has them
	type finding struct {
		Text  string
		Count int
	}
	var got []finding
	for _, f := range c.Findings(testNames{}) {
		if f.Property != race.Rule.Name || f.How != rule.Predicted || len(f.Parties) != 2 || len(f.Schedule) != 2 {
			t.Errorf("%+v", f)
		}
		got = append(got, finding{f.Text, f.Count})
	}
	want := []finding{
		{"main.4 atomically reads at x.go:7 the memory that main.5 writes at x.go:8, and nothing orders the two", 1},
		{"main.6 writes at x.go:1001 the memory that main.7 atomically writes at x.go:1002, and nothing orders the two", 1},
		{"main.1 reads at x.go:5 the memory that main.2 writes at x.go:6, and nothing orders the two", 3},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error("-want +got:", d)
	}
}

// What is kept has a bound.
func TestRacesAreBounded(t *testing.T) {
	r := race.Rule.New()
	for i := range 2 * race.MaxRaces {
		r.Op(&op.Op{
			Kind: op.Conflict, Task: 1, Want: op.Write, At: op.Place(i), Other: 2,
			Access: op.Access{OtherWant: op.Read},
		})
	}
	if n := len(r.Findings(testNames{})); n != race.MaxRaces {
		t.Errorf("%d findings", n)
	}
}
