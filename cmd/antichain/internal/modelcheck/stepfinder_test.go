package modelcheck

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
)

// Structures in which steps are looked for.
const (
	diamond = `{"states":4,"start":0,"labels":[["a"],[],["a","b"],["a"]],"succ":[[1,2],[2],[3],[]]}`
	round   = `{"states":4,"start":0,"labels":[["a"],["a"],["a"],[]],"succ":[[1],[2],[1,3],[]]}`
	two     = `{"states":2,"start":[0,1],"labels":[[],["a"]],"succ":[[1],[0]]}`
)

func TestFind(t *testing.T) {
	tests := []struct {
		name, model, formula string
		finder               StepFinder
		json                 bool
		code                 int
		out, said            string
	}{
		{"shortest", diamond, "F b", StepFinder{From: InitialState}, false, exit.Holds,
			"step 1, 2 states\n    state 0: labels=a\n    state 2: labels=a,b\n", ""},
		{"in JSON", diamond, "F b", StepFinder{From: InitialState}, true, exit.Holds,
			`{"exists":true,"steps":[[0,2]]}` + "\n", ""},
		{"all of them", diamond, "F b", StepFinder{From: InitialState, Mode: "min", AllPaths: true}, true, exit.Holds,
			`{"exists":true,"steps":[[0,1,2],[0,2]]}` + "\n", ""},
		{"at most three states", diamond, "F b", StepFinder{From: InitialState, Mode: "max", AllPaths: true, Limit: 3},
			true, exit.Holds, `{"exists":true,"steps":[[0,2,3]]}` + "\n", ""},
		{"from another state", diamond, "F b", StepFinder{From: 1}, true, exit.Holds,
			`{"exists":true,"steps":[[1,2]]}` + "\n", ""},
		{"none", diamond, "F b", StepFinder{From: 3}, false, exit.Violated, "there is no such step\n", ""},
		{"none in JSON", diamond, "F b", StepFinder{From: 3}, true, exit.Violated,
			`{"exists":false,"steps":[]}` + "\n", ""},
		{"a cycle", round, "G a", StepFinder{From: InitialState, Mode: "max"}, false, exit.Holds,
			"can grow for ever\n    state 0: labels=a\n    and then for ever:\n", ""},
		{"a cycle in JSON", round, "G a", StepFinder{From: InitialState, Mode: "max"}, true, exit.Holds,
			`"cycles":[{"stem":[0],"loop":[1,2]}]`, ""},
		{"stuttering", diamond, "G a & F (b & X true)", StepFinder{From: InitialState, Stutter: true}, true, exit.Holds,
			`{"exists":true,"steps":[[0,2,3]]}` + "\n", ""},
		{"a program", lock, "F P2.at.C", StepFinder{From: InitialState}, true, exit.Holds,
			`"described":{"0":"state 0: `, ""},
		{"a program in words", lock, "F P2.at.C", StepFinder{From: 0}, false, exit.Holds, "    P2: ", ""},
		{"an unknown state", diamond, "F b", StepFinder{From: 4}, false, exit.Error, "",
			"there is no state 4 to begin in: the states are 0 to 3"},
		{"two initial states", two, "F a", StepFinder{From: InitialState}, false, exit.Error, "",
			"there are 2 initial states: choose one with from"},
		{"an unknown mode", diamond, "F b", StepFinder{From: InitialState, Mode: "some"}, false,
			exit.Error, "", "some"},
		{"a mistake", diamond, "F (b", StepFinder{From: InitialState}, false, exit.Error, "", "formula:1:"},
		{"an unknown name", lock, "F z == 1", StepFinder{From: InitialState}, false, exit.Error, "", "formula:1:3: "},
		{"a budget", round, "G a", StepFinder{From: InitialState, Limits: limits.Limits{Timeout: time.Nanosecond}},
			true, exit.Unknown, `{"unknown":"the time ran out; --timeout allows more"}` + "\n",
			"--timeout allows more"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := defaults(&test.finder)
			f.Model = model(t, test.model)
			var out, said bytes.Buffer
			err := f.Find(t.Context(), terminal.Streams{Out: &out, Err: &said}, test.formula, test.json)
			compare(t, err, test.code, out.String(), test.out, said.String(), test.said)
		})
	}
}

// defaults completes a finder.
func defaults(f *StepFinder) *StepFinder {
	if f.Mode == "" {
		f.Mode = "shortest"
	}
	if f.Limit == 0 {
		f.Limit = 100
	}
	return f
}

// TestFindBatch has questions that override what holds for all of them.
func TestFindBatch(t *testing.T) {
	in := `{"id":1,"formula":"F b"}
{"id":2,"formula":"F b","mode":"min","all_paths":true}
{"id":3,"formula":"F b","from":3}
{"id":4,"formula":"G a","structure":` + round + `,"mode":"max","limit":5}
{"id":5,"formula":"F b","from":9}
{"id":6}
`
	want := `{"id":1,"exists":true,"steps":[[0,2]]}
{"id":2,"exists":true,"steps":[[0,1,2],[0,2]]}
{"id":3,"exists":false,"steps":[]}
{"id":4,"exists":true,"steps":[],"cycles":[{"stem":[0],"loop":[1,2]}]}
{"id":5,"error":"line 5: there is no state 9 to begin in: the states are 0 to 3"}
{"id":6,"error":"line 6: the key \"formula\" is missing"}
`
	f := defaults(&StepFinder{Model: model(t, diamond), From: InitialState})
	var out bytes.Buffer
	err := batch.Run(t.Context(), terminal.Streams{In: strings.NewReader(in), Out: &out}, f.Answer)
	compare(t, err, exit.Error, out.String(), want, "", "")
}
