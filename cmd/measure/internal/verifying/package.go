//go:build unix

package verifying

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// pkg is a kernel as a package of the bench.
type pkg struct {
	*bench
	name, file, suffix string
}

// limits are what a command takes at most: the first one builds the traced standard library.
var limits = reported.Limits{Program: 10 * time.Minute, Check: time.Minute}

func (p *pkg) path(name string) string { return filepath.Join(p.dir, p.name, name) }

func (p *pkg) write(name, text string) error {
	if err := os.MkdirAll(filepath.Join(p.dir, p.name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(p.path(name), []byte(text), 0o600)
}

// change writes the kernel with a fix.
func (p *pkg) change(f *fix, single string) error {
	text, err := f.apply(single, p.suffix)
	if err != nil {
		return err
	}
	return p.write(p.file, text)
}

// builds returns why the package does not build.
func (p *pkg) builds(ctx context.Context) error {
	build := exec.CommandContext(ctx, "go", "build", "-o", os.DevNull, "./"+p.name)
	build.Dir = p.dir
	out, err := build.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// run runs antichain on the package.
func (p *pkg) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.Command(p.antichain, append(args, "./"+p.name)...)
	cmd.Dir = p.dir
	return reported.Finish(ctx, cmd, limits)
}

// schedule makes a schedule of the bug, and says from which: a prediction that was confirmed, a
// reversed pair, or where goroutines wait in the end.
func (p *pkg) schedule(ctx context.Context) (file, from string, err error) {
	kept := filepath.Join(p.dir, "schedules", p.name)
	for _, how := range [][]string{
		{"run", "--json", "--confirm", "--schedule-dir", kept},
		{"run", "--json", "--explore", "50", "--schedule-dir", kept},
	} {
		out, err := p.run(ctx, how...)
		if err != nil {
			return "", "", err
		}
		if files, _ := filepath.Glob(filepath.Join(kept, "*.schedule")); len(files) > 0 {
			return files[0], how[2], nil
		}
		found, err := reported.Read(out)
		if found == nil {
			return "", "", err
		}
		for _, f := range found.Findings {
			if text := p.scheduleOf(f); text != "" {
				file := filepath.Join(p.dir, p.name+".schedule")
				return file, "what is observed", os.WriteFile(file, []byte(text), 0o600)
			}
		}
	}
	return "", "", errors.New("nothing is found")
}

// scheduleOf returns the schedule that a finding shows: which locks goroutines have, and where they
// wait in the end.
func (p *pkg) scheduleOf(f *report.BuiltinObject) string {
	var steps strings.Builder
	for _, party := range f.Parties {
		if !strings.HasPrefix(party.Does, "waits") || party.At == "" {
			continue
		}
		if party.Started != nil {
			fmt.Fprintf(&steps, "goroutine %s by %s at %s\n", party.Task, party.Started.By, party.Started.At)
		}
		for _, held := range party.Holds {
			fmt.Fprintf(&steps, "%s %s at %s\n", party.Task, held.Op, p.place(&held))
		}
		fmt.Fprintf(&steps, "%s waits at %s\n", party.Task, p.place(&party.PlacedObject))
	}
	keep := "by number patience 1s"
	if f.Occurrence != nil && f.Occurrence.Seed != 0 {
		keep = fmt.Sprint("seed ", f.Occurrence.Seed)
	}
	if steps.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("antichain schedule 1\n# %s: %s\nkeep %s\n%s", f.Builtin, f.Text, keep, steps.String())
}

// place describes the place of an operation as schedules do.
func (p *pkg) place(o *report.PlacedObject) string {
	for _, f := range o.Stack {
		if f.At == o.At {
			return fmt.Sprintf("%s in %s: %s", o.At, f.Function, p.line(f.At))
		}
	}
	return o.At
}

// line returns a line of the kernel.
func (p *pkg) line(at string) string {
	text, err := os.ReadFile(filepath.Join(p.dir, at[:strings.LastIndexByte(at, ':')]))
	n, errLine := strconv.Atoi(at[strings.LastIndexByte(at, ':')+1:])
	lines := strings.Split(string(text), "\n")
	if err != nil || errLine != nil || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

// verified returns what antichain verify says of the package.
func (p *pkg) verified(ctx context.Context, file string) (*answer, error) {
	start := time.Now()
	out, err := p.run(ctx, "verify", "--json", "--explore", strconv.Itoa(p.runs), file)
	if err != nil {
		return nil, err
	}
	var said struct {
		Verdict, Why string
		Runs         []struct{ Runs int }
		Found        *struct{ Property, Text, Run string }
	}
	i := bytes.Index(out, []byte(`{"verify":`))
	if i < 0 {
		return nil, fmt.Errorf("antichain verify says: %s", out)
	}
	if err := json.NewDecoder(bytes.NewReader(out[i:])).Decode(&said); err != nil {
		return nil, err
	}
	a := &answer{Verdict: said.Verdict, Why: said.Why, Took: time.Since(start)}
	for _, s := range said.Runs {
		a.Runs += s.Runs
	}
	if f := said.Found; f != nil {
		a.Found = strings.TrimPrefix(f.Property+", "+f.Run, ", ")
	}
	return a, nil
}

// explored returns what many runs of the package show, "" for nothing.
func (p *pkg) explored(ctx context.Context) (string, error) {
	out, err := p.run(ctx, "run", "--json", "--explore", strconv.Itoa(moreRuns))
	if err != nil {
		return "", err
	}
	found, err := reported.Read(out)
	if found == nil || len(found.Findings) == 0 {
		return "", err
	}
	return found.Findings[0].Builtin, nil
}
