//go:build unix

package reported

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/antichain-go/antichain/tlcheck/report"
)

// Race builds the program in a directory with -race, runs it, and returns what the race detector
// and the runtime report.
func Race(ctx context.Context, dir string, l Limits) (*Reports, error) {
	executable := filepath.Join(dir, "race.exe")
	build := exec.CommandContext(ctx, "go", "build", "-race", "-o", executable, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build -race: %w: %s", err, tail(out))
	}
	began := time.Now()
	out, err := Finish(ctx, exec.Command(executable), l)
	if err != nil {
		return nil, err
	}
	r := readRaces(out)
	r.Hangs = r.Hangs || time.Since(began) >= l.Program
	return r, nil
}

var (
	accessForm   = regexp.MustCompile(`^(Previous )?(atomic )?(Read|read|Write|write) at `)
	functionForm = regexp.MustCompile(`^  (\S.*)\(\)$`)
	placeForm    = regexp.MustCompile(`^      (\S+:\d+)`)
)

// readRaces reads the output of a program that was built with -race.
func readRaces(out []byte) *Reports {
	r := new(Reports)
	var race *report.BuiltinObject // that is being read
	for line := range bytes.Lines(out) {
		text := strings.TrimRight(string(line), "\n")
		switch {
		case text == "WARNING: DATA RACE":
			race = &report.BuiltinObject{Builtin: "race",
				FindingObject: &report.FindingObject{How: "observed", Text: "the race detector reports it"}}
			r.Findings = append(r.Findings, race)
		case text == "fatal error: all goroutines are asleep - deadlock!":
			r.Hangs = true
		case strings.HasPrefix(text, "panic: "), strings.HasPrefix(text, "fatal error: "):
			_, said, _ := strings.Cut(text, ": ")
			r.Panics = append(r.Panics, said)
		case race == nil:
		case accessForm.MatchString(text):
			race.Parties = append(race.Parties, report.PartyObject{Does: strings.TrimSuffix(text, ":")})
		case strings.HasPrefix(text, "Goroutine "), strings.HasPrefix(text, "====="):
			race = nil
		default:
			addFrame(race.Parties, text)
		}
	}
	return r
}

// addFrame adds a line of a stack to the access that was read last.
func addFrame(parties []report.PartyObject, text string) {
	if len(parties) == 0 {
		return
	}
	p := &parties[len(parties)-1]
	if m := functionForm.FindStringSubmatch(text); m != nil {
		p.Stack = append(p.Stack, report.FrameObject{Function: m[1]})
	}
	if m := placeForm.FindStringSubmatch(text); m != nil && len(p.Stack) > 0 {
		p.Stack[len(p.Stack)-1].At = m[1]
		if p.At == "" {
			p.At = m[1]
		}
	}
}
