package findings

import (
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// A finding that stands for others is shown again by their tests, too, and confirmed in its own.
func TestTestPatternAlike(t *testing.T) {
	names := testNames{origins: []op.Origin{
		{Name: "main", By: op.NoTask},
		{Function: "shop.TestA.func1", By: 0, At: 1},
		{Function: "shop.TestB.func1", By: 0, At: 1},
		{Function: "shop.serve", By: 0},
	}, places: map[op.Place][]op.Frame{1: {{Function: "shop.start", At: "shop/shop_test.go:1"}}}}
	r := &tlcheck.Result{Names: names, Finding: &builtin.Finding{
		Parties: []builtin.Party{{Task: 2}},
		Alike:   []builtin.Like{{Party: builtin.Party{Task: 1}}, {Party: builtin.Party{Task: 3}}, {Party: builtin.Party{Task: 1}}},
	}}
	if got := TestPattern([]*tlcheck.Assessment{r.Assessment()}); got != "^(TestA|TestB)$" {
		t.Errorf("all: %q", got)
	}
	if got := PatternOfOne(r); got != "^TestB$" {
		t.Errorf("its own: %q", got)
	}

	many := testNames{}
	for i := range maxInPattern + 1 {
		many.origins = append(many.origins, op.Origin{By: op.NoTask, Test: fmt.Sprint("Test", i)})
		r.Finding.Alike = append(r.Finding.Alike, builtin.Like{Party: builtin.Party{Task: op.Task(i)}})
	}
	r.Names = many
	if got := TestPattern([]*tlcheck.Assessment{r.Assessment()}); got != "" {
		t.Errorf("of many tests: %q", got)
	}
}

// testNames are tasks that are started by one another, each at the place with its number.
type testNames struct {
	origins []op.Origin
	places  map[op.Place][]op.Frame
}

func (n testNames) Task(t op.Task) op.Origin { return n.origins[t] }

func (n testNames) Object(op.Object) string { return "" }

func (n testNames) Place(p op.Place) op.Location {
	l := op.Location{Stack: n.places[p]}
	if len(l.Stack) > 0 {
		l.At = l.Stack[0].At
	}
	return l
}

func TestTestPattern(t *testing.T) {
	names := testNames{
		origins: []op.Origin{
			{Name: "main", By: op.NoTask},
			{Function: "testing.(*T).Run.gowrap1", By: 0, At: 1},     // runs a test
			{Function: "shop.helper.func1", By: 1, At: 2},            // started by TestA, in a helper
			{Function: "shop.TestB.func1", By: 0, At: 3},             // is a part of TestB
			{Function: "shop.serve", By: 0, At: 4},                   // started before all tests
			{Function: "testing.(*T).Run.gowrap1", By: 1, At: 5},     // a part of TestA
			{Function: "fake.TestServer.func1", By: 0, At: 6},        // is no test, in spite of its name
			{Function: "shop.TestMain.func1", By: 0, At: 3},          // nor is this
			{Function: "shop.Testament.func1", By: op.NoTask, At: 3}, // nor this
		},
		places: map[op.Place][]op.Frame{
			1:  {{Function: "testing.(*T).Run", At: "testing/testing.go:1"}},
			2:  {{Function: "shop.helper", At: "shop/shop_test.go:2"}, {Function: "shop.TestA.func1", At: "shop/shop_test.go:9"}},
			3:  {{Function: "shop.start", At: "shop/shop_test.go:3"}},
			4:  {{Function: "shop.init", At: "shop/shop.go:4"}},
			5:  {{Function: "testing.(*T).Run", At: "testing/testing.go:1"}, {Function: "shop.TestA", At: "shop/shop_test.go:5"}},
			6:  {{Function: "fake.TestServer", At: "fake/fake.go:6"}},
			10: {{Function: "shop.FuzzC.func2", At: "shop/fuzz_test.go:10"}},
			11: {{Function: "shop.TestInner", At: "shop/shop_test.go:11"}},
		},
	}
	for _, tt := range []struct {
		name  string
		tasks [][]op.Task
		at    op.Place
		want  string
	}{
		{"started in a helper", [][]op.Task{{2}}, 0, "^TestA$"},
		{"a function in the test", [][]op.Task{{3}}, 0, "^TestB$"},
		{"one of two parties", [][]op.Task{{4, 2}}, 0, "^TestA$"},
		{"several", [][]op.Task{{3}, {2, 3}}, 0, "^(TestA|TestB)$"},
		{"where it is", [][]op.Task{{1}}, 10, "^FuzzC$"},
		{"the outermost one", [][]op.Task{{5}}, 11, "^TestA$"},
		{"of none", [][]op.Task{{4}}, 0, ""},
		{"one of none", [][]op.Task{{3}, {4}}, 0, ""},
		{"no test", [][]op.Task{{6}}, 0, ""},
		{"TestMain", [][]op.Task{{7}}, 0, ""},
		{"a word that begins alike", [][]op.Task{{8}}, 0, ""},
	} {
		var found []*tlcheck.Assessment
		for _, tasks := range tt.tasks {
			f := new(builtin.Finding)
			for _, task := range tasks {
				f.Parties = append(f.Parties, builtin.Party{Task: task, At: tt.at})
			}
			found = append(found, (&tlcheck.Result{Finding: f, Names: names}).Assessment())
		}
		if got := TestPattern(found); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Where the run says which test each goroutine is in, that counts: a test with all of its parts.
// Goroutines of none of them do not matter, and go test -run does not choose benchmarks.
func TestTestPatternOfRecorded(t *testing.T) {
	tests := []string{
		op.OutsideTests, "TestA/part", "TestA/other/part", "TestB", "BenchmarkC/part", "FuzzD/seed#0",
	}
	names := testNames{}
	for i, test := range tests {
		names.origins = append(names.origins, op.Origin{By: op.Task(i - 1), Function: "shop.TestX", Test: test})
	}
	for _, tt := range []struct {
		tasks []op.Task
		want  string
	}{
		{[]op.Task{1}, "^TestA$"},
		{[]op.Task{1, 0, 2}, "^TestA$"},
		{[]op.Task{3, 5, 1}, "^(FuzzD|TestA|TestB)$"},
		{[]op.Task{0}, ""},
		{[]op.Task{1, 4}, ""},
	} {
		r := &tlcheck.Result{Names: names, Finding: &builtin.Finding{}}
		for _, task := range tt.tasks {
			r.Finding.Parties = append(r.Finding.Parties, builtin.Party{Task: task})
		}
		if got := TestPattern([]*tlcheck.Assessment{r.Assessment()}); got != tt.want {
			t.Errorf("%v: %q, not %q", tt.tasks, got, tt.want)
		}
	}
}
