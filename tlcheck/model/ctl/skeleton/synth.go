package skeleton

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Synthesis is the result of Synthesize.
type Synthesis struct {
	*tableau.Answer
	Skeletons *Skeletons // nil if there is no model
	// the specification, with the names that the processes have in the program
	Formula *temporal.Formula
}

// NameError reports an atom that cannot be a variable of a program.
type NameError struct{ Name string }

func (e *NameError) Error() string {
	return fmt.Sprintf("atom %s cannot be the name of a variable: take a name of letters, digits and _ that is no word of the language of programs", e.Name)
}

// Synthesize makes a program from a model of the specification in which processes move wherever
// possible. It checks the specification on the model and on the program. Errors are those of
// tableau.Sat, and a *NameError.
func Synthesize(ctx context.Context, f *temporal.Formula, processes int) (*Synthesis, error) {
	for _, a := range f.Atoms() {
		if !isVariable(a.Text) {
			return nil, &NameError{a.Text}
		}
	}
	answer, err := tableau.Sat(ctx, f, tableau.Options{Processes: processes, Concurrent: true})
	if err != nil || answer.Model == nil {
		return &Synthesis{Answer: answer}, err
	}
	names := processNames(answer.Model.Processes())
	sk, err := Extract(ctx, answer.Model, names)
	if err != nil {
		return nil, err
	}
	renamed := map[string]string{}
	for i, name := range answer.Model.Processes() {
		renamed[name] = names[i]
	}
	f = withNames(f, renamed)
	return &Synthesis{answer, sk, f}, verify(ctx, sk, f)
}

func isVariable(name string) bool {
	_, err := gcl.Parse("", "declare "+name+" : [0..1]; process P a : goto a; end")
	return err == nil
}

// processNames returns names that processes of programs can have: P1 for 1.
func processNames(names []string) []string {
	var r []string
	for _, name := range names {
		name = strings.ReplaceAll(name, ".", "_")
		if _, err := gcl.Parse("", "process "+name+" a : goto a; end"); err != nil {
			name = "P" + name
		}
		for slices.Contains(r, name) {
			name += "_"
		}
		r = append(r, name)
	}
	return r
}

// withNames renames the processes of a formula.
func withNames(f *temporal.Formula, names map[string]string) *temporal.Formula {
	if f == nil {
		return nil
	}
	r := *f
	if f.Process != "" {
		r.Process = names[f.Process]
	}
	r.X, r.Y = withNames(f.X, names), withNames(f.Y, names)
	return &r
}

// verify checks the formula on the program. If it is false there, the synthesis has a bug.
func verify(ctx context.Context, sk *Skeletons, f *temporal.Formula) error {
	text := sk.Program()
	file, err := gcl.Parse("program", text)
	var sys kripke.System
	if err == nil {
		sys, err = gcl.New(file, nil)
	}
	if err != nil {
		panic(fmt.Sprintf("skeleton: %v\n%s", err, text))
	}
	g, err := kripke.Explore(ctx, sys)
	if err != nil {
		return err
	}
	c, err := ctl.New(g, kripke.Unfair)
	if err != nil {
		panic(fmt.Sprintf("skeleton: %v\n%s", err, text))
	}
	r, err := c.Check(ctx, f)
	if err == nil && !r.Holds {
		panic(fmt.Sprintf("skeleton: %s is false of\n%s", f, text))
	}
	return err
}
