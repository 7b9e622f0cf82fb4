package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// verb runs antichain and returns its exit code and what it printed.
func verb(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = mainerr(args, terminal.Streams{In: strings.NewReader(""), Out: &out, Err: &err})
	return code, out.String(), err.String()
}

// written writes a file of a test.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Formulas nested as deep as the language allows go through every verb; deeper ones are a
// mistake with a place and a remedy.
func TestDeepFormulas(t *testing.T) {
	t.Parallel()
	trace := written(t, "two.jsonl", `{"antichain":1,"tasks":["main"]}
{"t":"main","global":{"x":1}}
{"t":"main","global":{"x":2}}
`)
	for name, of := range map[string]func(n int) string{
		"not":      func(n int) string { return strings.Repeat("not ", n/2*2) + "t:(x == 1)" },
		"next":     func(n int) string { return strings.Repeat("next ", n) + "t:(x == 1)" },
		"sometime": func(n int) string { return strings.Repeat("sometime ", n) + "t:(x == 1)" },
		"until": func(n int) string {
			return strings.Repeat("t:(x > 0) until (", n) + "t:(x == 1)" + strings.Repeat(")", n)
		},
		"implies":    func(n int) string { return strings.Repeat("t:(x == 1) -> ", n) + "t:(x == 3)" },
		"quantifier": func(n int) string { return strings.Repeat("exists t (", n) + "t:(x == 1)" + strings.Repeat(")", n) },
		"local":      func(n int) string { return "t:(" + strings.Repeat("not ", n/2*2) + "x == 1)" },
	} {
		deep := written(t, "deep.tl", "property p: "+of(spec.MaxDepth-1)+"\n")
		verbs := map[int][][]string{exit.Violated: {{"check", "--spec", deep, trace}}}
		if name == "until" { // every other verb
			verbs[exit.Violated] = append(verbs[exit.Violated], []string{"explain", "--spec", deep, "--on", trace})
			verbs[exit.Holds] = [][]string{{"table", "-e", of(spec.MaxDepth - 1), trace}}
		}
		for want, lines := range verbs {
			for _, args := range lines {
				if code, stdout, stderr := verb(args...); code != want || stdout == "" || stderr != "" {
					t.Errorf("%s: %s: exit code %d, %d bytes, %.200s", name, args[0], code, len(stdout), stderr)
				}
			}
		}
		deeper := written(t, "deeper.tl", "property p: "+of(spec.MaxDepth+2)+"\n")
		code, stdout, stderr := verb("check", "--spec", deeper, trace)
		if code != exit.Error || stdout != "" || !strings.Contains(stderr, "deeper.tl:1:") ||
			!strings.Contains(stderr, "nested deeper than 10000 levels") || !strings.Contains(stderr, "split the formula") {
			t.Errorf("%s, too deep: exit code %d, %.200s", name, code, stderr)
		}
	}
}

// A run with 100,000 tasks is a run like others.
func TestManyTasks(t *testing.T) {
	t.Parallel()
	const tasks = 100_000
	var b strings.Builder
	b.WriteString(`{"antichain":1,"tasks":["main"]}` + "\n")
	for i := range tasks {
		fmt.Fprintf(&b, `{"t":"main","spawn":"w%d"}`+"\n", i)
	}
	for i := range tasks {
		fmt.Fprintf(&b, `{"t":"w%d","enter":"%s"}`+"\n", i, []string{"f", "g"}[i%2])
	}
	trace := written(t, "many.jsonl", b.String())
	for _, run := range []struct {
		want int
		says string
		args []string
	}{
		{exit.Holds, "-e: holds\n", []string{"check", "-e", "not (t:(in.f) and u:(in.h)) if t != u", trace}},
		{exit.Violated, "t is w0, started by main", []string{"check", "-e", "not (t:(in.f) and u:(in.g))", trace}},
		{exit.Holds, "-e: holds\n", []string{"check", "-e", "initially: exists t (t:(not in.f))", trace}},
		{exit.Unknown, "", []string{"table", "-e", "t:(in.f)", trace}},
	} {
		code, stdout, stderr := verb(run.args...)
		if code != run.want || !strings.Contains(stdout, run.says) {
			t.Errorf("%.60q: exit code %d, want %d: %.200s %.200s", run.args, code, run.want, stdout, stderr)
		}
	}
}
