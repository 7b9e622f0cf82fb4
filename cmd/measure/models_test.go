//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
)

// smallStates are the states of the models with the parameters of tests.
var smallStates = map[string]int{
	"bakery": 11435, "filter": 1524, "szymanski": 3405, "lamport": 5722, "leader": 352, "tokens": 405, "elevator": 69660, "window": 5037,
	"kanban": 4600, // as the Model Checking Contest has it
	"buffer": 1323,
}

// TestModels has the number of states and the verdicts of all models with few states. Reduction is
// left out.
func TestModels(t *testing.T) {
	for _, m := range studiedModels {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			b := &bench{root: filepath.Join("..", "..")}
			for _, r := range m.rows(m.small) {
				sys, f, err := r.open(b.file(r, "gcl"))
				if err != nil {
					t.Fatalf("%s: %v", r.name(), err)
				}
				g, err := kripke.Explore(t.Context(), kripke.Stutter(sys))
				if err != nil {
					t.Fatalf("%s: %v", r.name(), err)
				}
				if r.kind == everyState {
					if g.States() != smallStates[m.name] {
						t.Errorf("%s: %d states, want %d", r.name(), g.States(), smallStates[m.name])
					}
					continue
				}
				result, err := tableau.Check(t.Context(), g, kripke.Unfair, f)
				if err != nil {
					t.Fatalf("%s: %v", r.name(), err)
				}
				if holds := result.Counterexample == nil; holds != r.holds {
					t.Errorf("%s: holds is %v, want %v", r.name(), holds, r.holds)
				}
			}
		})
	}
}

// TestModelTwins has the same in SPIN: one verifier of a model has all properties, another one has
// none, and both try all orders.
func TestModelTwins(t *testing.T) {
	needs(t, "spin", "cc")
	for _, m := range studiedModels {
		t.Run(m.name, func(t *testing.T) {
			dir := t.TempDir()
			rows := m.rows(m.small)
			b := &modelBench{bench: &bench{root: filepath.Join("..", "..")}}
			task, err := b.task(rows[0])
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range rows {
				if r.kind != everyState {
					task.text += fmt.Sprintf("\nltl p%d { %s }\n", i, spinFormula(r.formula))
				}
			}
			if err := os.WriteFile(filepath.Join(dir, "model.pml"), []byte(task.text), 0o600); err != nil {
				t.Fatal(err)
			}
			command := func(name string, args ...string) string {
				t.Helper()
				cmd := exec.Command(name, args...)
				cmd.Dir = dir
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%s %q: %v\n%s", name, args, err, out)
				}
				return string(out)
			}
			generate := task.generate()
			command(generate[0], generate[1:]...)
			command("cc", "-w", "-DNOREDUCE", "-o", "pan", "pan.c")
			command("cc", "-w", "-DNOREDUCE", "-DNOCLAIM", "-DSAFETY", "-o", "all", "pan.c")
			for i, r := range rows {
				search := []string{"./pan", "-E", "-m200000", "-a", "-N", fmt.Sprintf("p%d", i)}
				if r.kind == everyState {
					search = []string{"./all", "-E", "-m200000"}
				}
				var s spinResult
				if err := s.read(command(search[0], search[1:]...)); err != nil {
					t.Fatal(err)
				}
				if s.truncated || s.holds != r.holds {
					t.Errorf("%s: %+v", r.name(), s)
				}
				if r.kind != everyState {
					continue
				}
				sys, _, err := r.open(b.file(r, "gcl"))
				if err != nil {
					t.Fatal(err)
				}
				g, err := kripke.Explore(t.Context(), sys)
				if err != nil {
					t.Fatal(err)
				}
				if s.states != g.States() || s.transitions != g.Len()+1 { // pan counts one to the initial state
					t.Errorf("%d states and %d transitions, that of SPIN has %d and %d", g.States(), g.Len(), s.states, s.transitions-1)
				}
			}
		})
	}
}

// TestModelBench measures a row of each kind.
func TestModelBench(t *testing.T) {
	needs(t, "time", "spin", "cc")
	dir, err := newCommandBench()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(dir.remove)
	b := &modelBench{bench: dir, count: 1, spin: true}
	m := studiedModels[1]
	for _, r := range m.rows(m.small) {
		got, err := b.row(r)
		if err != nil {
			t.Fatalf("%s: %v", r.name(), err)
		}
		if got.orders == nil || got.pan == nil && r.kind != everyState {
			t.Fatalf("%s: no result of SPIN", r.name())
		}
		if got.states <= 0 || got.states > smallStates[m.name] || got.own.mib <= 0 || got.orders.pan.mib <= 0 {
			t.Errorf("%s: %+v", r.name(), got)
		}
		if len(got.cells()) != len(modelTable) {
			t.Errorf("%q", got.cells())
		}
	}
}
