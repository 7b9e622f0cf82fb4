package kripke_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// plainStructure is a structure as encoding/json reads it.
type plainStructure struct {
	States int                 `json:"states"`
	Start  []int               `json:"start"`
	Labels [][]string          `json:"labels,omitempty"`
	Succ   [][]int             `json:"succ,omitempty"`
	Trans  map[string][][2]int `json:"trans,omitempty"`
}

// edge is a move from one state to another.
type edge struct {
	from, to int
	process  string
}

// edges returns the moves, in any order.
func (p *plainStructure) edges() map[edge]bool {
	all := map[edge]bool{}
	for from, tos := range p.Succ {
		for _, to := range tos {
			all[edge{from, to, "1"}] = true
		}
	}
	for process, pairs := range p.Trans {
		for _, pair := range pairs {
			all[edge{pair[0], pair[1], process}] = true
		}
	}
	return all
}

func drawPlain(t *rapid.T) *plainStructure {
	p := &plainStructure{States: rapid.IntRange(1, 70).Draw(t, "states")}
	state := rapid.IntRange(0, p.States-1)
	p.Start = rapid.SliceOfN(state, 1, 3).Draw(t, "start")
	letters := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ü\n\"", "turn == 1"}), 0, 3)
	p.Labels = rapid.SliceOfN(letters, p.States, p.States).Draw(t, "labels")
	if rapid.Bool().Draw(t, "processes") {
		pair := rapid.Custom(func(t *rapid.T) [2]int { return [2]int{state.Draw(t, "from"), state.Draw(t, "to")} })
		p.Trans = map[string][][2]int{"1": rapid.SliceOf(pair).Draw(t, "1"), "two": rapid.SliceOf(pair).Draw(t, "two")}
	} else {
		p.Succ = rapid.SliceOfN(rapid.SliceOfN(state, 0, 4), p.States, p.States).Draw(t, "succ")
	}
	return p
}

func drawStructure(t *rapid.T) (*plainStructure, *kripke.Structure) {
	p := drawPlain(t)
	text, err := json.MarshalIndent(p, "", rapid.SampledFrom([]string{"", " "}).Draw(t, "indent"))
	if err != nil {
		t.Fatal(err)
	}
	x, err := kripke.ParseStructure("m.json", text)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return p, x
}

// The parser reads the same as encoding/json.
func TestParseStructure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, x := drawStructure(t)
		if x.States() != p.States {
			t.Fatalf("%d states of %d", x.States(), p.States)
		}
		var initial []int
		for _, s := range x.Initial() {
			initial = append(initial, int(s))
		}
		if want := distinct(p.Start); !slices.Equal(initial, want) {
			t.Fatalf("starts in %v, want %v", initial, want)
		}
		if diff := cmp.Diff(p.edges(), edgesOf(t, x), cmp.AllowUnexported(edge{})); diff != "" {
			t.Fatal(diff)
		}
		for _, name := range []string{"a", "b", "ü\n\"", "turn == 1", "nowhere"} {
			a, err := x.Atom(name)
			if err != nil {
				t.Fatal(err)
			}
			for s, label := range p.Labels {
				if got := x.Holds(a, kripke.State(s)); got != slices.Contains(label, name) {
					t.Fatalf("%q in state %d: %v", name, s, got)
				}
			}
		}
	})
}

// distinct returns each number where it is first.
func distinct(all []int) (once []int) {
	for _, n := range all {
		if !slices.Contains(once, n) {
			once = append(once, n)
		}
	}
	return once
}

// edgesOf returns the moves of a system, which must not repeat.
func edgesOf(t *rapid.T, sys kripke.System) map[edge]bool {
	all := map[edge]bool{}
	for s := range kripke.State(sys.States()) {
		moves, err := sys.Moves(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moves {
			e := edge{int(s), int(m.To), sys.Processes()[m.Process]}
			if all[e] {
				t.Fatalf("%v is there twice", e)
			}
			all[e] = true
		}
	}
	return all
}

// Sets of states say the same as labels.
func TestAtoms(t *testing.T) {
	x, err := kripke.ParseStructure("m.json", []byte(`{"states":70,"start":[3,1,3],"succ":[`+strings.Repeat("[],", 69)+`[]],
		"atoms":{"low":"5","none":"0","also none":"","high":"200000000000000001"},"model":"ignored"}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]kripke.State{"low": {0, 2}, "none": nil, "also none": nil, "high": {0, 69}} {
		a, err := x.Atom(name)
		if err != nil {
			t.Fatal(err)
		}
		var got []kripke.State
		for s := range kripke.State(x.States()) {
			if x.Holds(a, s) {
				got = append(got, s)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is true in %v, want %v", name, got, want)
		}
	}
	if _, err := x.Atom("hihg"); err == nil ||
		err.Error() != "the structure has no proposition hihg among its 4 atoms (did you mean high?)" {
		t.Errorf("unknown proposition: %v", err)
	}
	if got := kripke.Text(x, 0); got != "state 0: labels=high,low" {
		t.Error(got)
	}
}

func TestStructureMistakes(t *testing.T) {
	for text, want := range map[string]string{
		``:                                   `m.json:1:1: this is not JSON: unexpected end of JSON input`,
		"{\n \"a\": }":                       `m.json:2:7: this is not JSON: invalid character '}' looking for beginning of value`,
		`[1]`:                                `m.json:1:1: the structure is not an object (write it in { })`,
		`{"start":0}`:                        `m.json:1:1: the structure has no "states" (say how many states it has)`,
		`{"states":0}`:                       `m.json:1:11: states is 0 (it must be a whole number from 1 to 1048576)`,
		`{"states":-1}`:                      `m.json:1:11: states is -1 (it must be a whole number from 1 to 1048576)`,
		`{"states":2000000}`:                 `m.json:1:11: states is 2000000 (it must be a whole number from 1 to 1048576)`,
		`{"states":1.5}`:                     `m.json:1:11: states is 1.5 (it must be a whole number from 1 to 1048576)`,
		`{"states":"1"}`:                     `m.json:1:11: states is "1" (it must be a whole number from 1 to 1048576)`,
		`{"states":1}`:                       `m.json:1:1: the structure has no "start" (say in which state, or list of states, it starts)`,
		`{"states":1,"start":1}`:             `m.json:1:21: start is 1 (it must be a whole number from 0 to 0)`,
		`{"states":1,"start":[]}`:            `m.json:1:21: "start" is empty (a structure starts in at least one state)`,
		`{"states":2,"start":[0,{"x":[1]}]}`: `m.json:1:24: start[1] is {"x":[1]} (it must be a whole number from 0 to 1)`,
		`{"states":1,"start":0}`:             `m.json:1:1: the structure has no "succ" (give the successors of each state, or "trans" with the moves of each process)`,
		`{"states":1,"start":0,"succ":[],"trans":{}}`:                 `m.json:1:30: the structure has both "succ" and "trans" (leave "succ" out: it is the union of "trans")`,
		`{"states":2,"start":0,"succ":[[1]]}`:                         `m.json:1:30: "succ" has 1 lists, and there are 2 states (give one for each state, [] if it is empty)`,
		"{\"states\":2,\"start\":0,\n\"succ\":[[1],[0,2]]}":           `m.json:2:16: succ[1][1] is 2 (it must be a whole number from 0 to 1)`,
		`{"states":2,"start":0,"succ":[[1],7]}`:                       `m.json:1:35: succ[1] is not a list (write it in [ ])`,
		`{"states":2,"start":0,"trans":[]}`:                           `m.json:1:31: "trans" is not an object (write it in { })`,
		`{"states":2,"start":0,"trans":{}}`:                           `m.json:1:31: "trans" has no process (give the moves of at least one)`,
		`{"states":2,"start":0,"trans":{"1":[[0]]}}`:                  `m.json:1:37: trans.1[0] has 1 states (a move is from one to another, as [0,1])`,
		`{"states":2,"start":0,"trans":{"1":[[0,1,1]]}}`:              `m.json:1:37: trans.1[0] has 3 states (a move is from one to another, as [0,1])`,
		`{"states":2,"start":0,"trans":{"1":[[0,2]]}}`:                `m.json:1:40: trans.1[0][1] is 2 (it must be a whole number from 0 to 1)`,
		`{"states":2,"start":0,"trans":{"1":[],"1":[]}}`:              `m.json:1:39: "trans" has "1" twice (leave one of them out)`,
		`{"states":1,"start":0,"succ":[[]],"labels":[]}`:              `m.json:1:44: "labels" has 0 lists, and there are 1 states (give one for each state, [] if it is empty)`,
		`{"states":1,"start":0,"succ":[[]],"labels":[[1]]}`:           `m.json:1:46: what is in a list of "labels" is not a string (write it in quotes)`,
		`{"states":1,"start":0,"succ":[[]],"labels":[[""]]}`:          `m.json:1:46: labels[0][0] is empty (propositions have names)`,
		`{"states":1,"start":0,"succ":[[]],"labels":[[]],"atoms":{}}`: `m.json:1:44: the structure has both "labels" and "atoms" (leave one of them out)`,
		`{"states":1,"start":0,"succ":[[]],"atoms":{"a":"x"}}`:        `m.json:1:48: the set of a is not a hexadecimal number (state s is its bit s)`,
		`{"states":1,"start":0,"succ":[[]],"atoms":{"a":"2"}}`:        `m.json:1:48: a is true in state 1, and there are 1 states`,
	} {
		_, err := kripke.ParseStructure("m.json", []byte(text))
		if err == nil {
			t.Errorf("%s is read", text)
			continue
		}
		if got, _, _ := strings.Cut(err.Error(), "\n"); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

// FuzzParseStructure: a valid structure has only existing states, and can be explored.
func FuzzParseStructure(f *testing.F) {
	f.Add([]byte(`{"states":3,"start":0,"labels":[["a"],[],["a","b"]],"succ":[[1,2],[2],[]]}`))
	f.Add([]byte(`{"states":3,"start":[0,1],"atoms":{"a":"5"},"trans":{"1":[[0,1]],"2":[[0,2]]}}`))
	f.Add([]byte("{\"states\":1,\"start\":0,\"succ\":[[\"\\\"]\"]], \"x\":{\"y\":[null,-1e3,true]}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		x, err := kripke.ParseStructure("m.json", text)
		if err != nil {
			if x != nil || err.Error() == "" {
				t.Fatal(x, err)
			}
			return
		}
		g, err := kripke.Explore(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		for s := range kripke.State(g.States()) {
			for _, to := range g.Successors(s) {
				if to < 0 || int(to) >= g.States() {
					t.Fatalf("state %d has the successor %d of %d", s, to, g.States())
				}
			}
			_ = kripke.Text(g, s)
		}
	})
}

func BenchmarkParseStructure(b *testing.B) {
	const states = 100_000
	var text strings.Builder
	fmt.Fprintf(&text, `{"states":%d,"start":0,"succ":[[0,1]`, states)
	for s := 1; s < states; s++ {
		fmt.Fprintf(&text, ",[%d,%d,%d]", s/2, (s*7+1)%states, (s*31+5)%states)
	}
	text.WriteString(`],"labels":[[]` + strings.Repeat(`,["a","b"]`, states-1) + `]}`)
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, err := kripke.ParseStructure("m.json", []byte(text.String())); err != nil {
			b.Fatal(err)
		}
	}
}
