//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/reported"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// recorded is traced, with the trace kept. It is an error if antichain check and antichain monitor find something else on that than
// antichain run has found.
func recorded(ctx context.Context, w *workspace, l reported.Limits, env []string, args ...string) ([]*report.BuiltinObject, error) {
	dir, err := os.MkdirTemp("", "goker-trace-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	trace := filepath.Join(dir, "trace.bin")
	found, err := traced(ctx, w, l, env, append([]string{"-o", trace}, args...)...)
	if err != nil {
		return found, err
	}
	want := keysOf(found)
	for _, verb := range [][]string{
		{"check", "--json", trace},
		{"monitor", "--json", "--builtin", "deadlock,stuck,closed,waitgroup,unlock", "--keep-going", "--until-eof", trace},
	} {
		cmd := exec.Command(w.antichain, verb...)
		cmd.Dir = w.dir
		out, err := reported.Finish(ctx, cmd, l)
		if err != nil {
			return found, err
		}
		onTrace, err := findings(out)
		if err != nil {
			return found, fmt.Errorf("antichain %s: %w", verb[0], err)
		}
		if got := keysOf(onTrace); !slices.Equal(got, want) {
			return found, fmt.Errorf("antichain %s finds\n%s\nand antichain run\n%s", verb[0], strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	return found, nil
}

// partiesOf returns what the parties of a finding do, and where.
func partiesOf(f *report.BuiltinObject) []string {
	var parties []string
	for _, p := range f.Parties {
		parties = append(parties, p.Op+"@"+p.At)
	}
	slices.Sort(parties)
	return parties
}

// keysOf tells findings apart: what is violated, where, and how that is known. What was predicted and has happened then has happened. Who
// waits behind a deadlock is told with that, or at the end if that was told before, so those that wait for ever are told one by one.
func keysOf(found []*report.BuiltinObject) []string {
	hows := map[string]string{}
	const waits = "waits for ever "
	for _, f := range found {
		for _, p := range partiesOf(f) {
			if f.How == "observed" && (f.Builtin == "deadlock" || f.Builtin == "stuck") {
				hows[waits+p] = f.How
			}
		}
	}
	isOver := func(p string) bool { return hows[waits+p] != "" }
	for _, f := range found {
		parties := partiesOf(f)
		if (f.Builtin == "deadlock" || f.How == "observed" && f.Builtin == "stuck") && !slices.ContainsFunc(parties, func(p string) bool { return !isOver(p) }) {
			continue // who is predicted to wait where he waits for ever was told before that came
		}
		key := f.Builtin + " " + strings.Join(slices.Compact(parties), " ")
		if hows[key] != "observed" {
			hows[key] = f.How
		}
	}
	var keys []string
	for key, how := range hows {
		keys = append(keys, key+" "+how)
	}
	slices.Sort(keys)
	return keys
}
