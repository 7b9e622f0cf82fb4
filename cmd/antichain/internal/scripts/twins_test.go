package scripts

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/rogpeppe/go-internal/testscript"
)

// twins is the script command "twins PROGRAM IMPOSSIBLE REAL [live]": that a goroutine has not gone
// on from the function ready while another one is in done with the outcome IMPOSSIBLE is found by
// no way to check the program, that it is there with the outcome REAL by each. An outcome "-" is
// left out. The executable twins, which antichain has built, runs the program. With live the
// program is also built, run and checked at once, and while it runs.
func twins(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || len(args) > 4 {
		ts.Fatalf("usage: twins PROGRAM IMPOSSIBLE REAL [live]")
	}
	formulas, verdicts, code := []string{}, []string{}, "0"
	for i, want := range []string{"holds", "violated"} {
		if outcome := args[1+i]; outcome != "-" {
			formulas = append(formulas, "-e", fmt.Sprintf("not (t1:(in.ready) and t2:(in.done and what == %s)) if t1 != t2", outcome))
			verdicts = append(verdicts, want)
		}
	}
	if slices.Contains(verdicts, "violated") {
		code = "1"
	}
	judge := func(call ...string) {
		exits(ts, false, append([]string{code, "antichain"}, call...))
		said := ts.ReadFile("stdout") + ts.ReadFile("stderr")
		for i, want := range verdicts {
			name := "-e"
			if len(verdicts) > 1 {
				name = fmt.Sprintf("-e %d", i+1)
			}
			if !regexp.MustCompile("(?m)^" + name + `: ` + want + `$`).MatchString(said) {
				ts.Fatalf("%s, %s: property %q is not %s:\n%s", args[0], call[0], name, want, said)
			}
		}
	}
	raw, trace := ts.MkAbs(args[0]+".raw"), ts.MkAbs(args[0]+".jsonl")
	ts.Setenv("ANTICHAIN_TRACE", raw)
	ts.Check(ts.Exec(ts.MkAbs("twins"), args[0]))
	ts.Setenv("ANTICHAIN_TRACE", "")
	ts.Check(ts.Exec("antichain", "convert", "-o", trace, raw))
	judge(append([]string{"check", "--builtin", "none"}, append(formulas, raw)...)...)
	judge(append([]string{"monitor", "--keep-going", "--until-eof"}, append(formulas, trace)...)...)
	if len(args) == 4 {
		judge(append([]string{"run"}, append(formulas, ".", args[0])...)...)
		judge(append([]string{"run", "--live", "--keep-going"}, append(formulas, ".", args[0])...)...)
	}
}
