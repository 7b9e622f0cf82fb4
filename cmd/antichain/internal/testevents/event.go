// Package testevents reads what go test -json prints: it records the tests and their results,
// prints what go test prints without -json, or passes the events on, with those of other tests
// among them.
package testevents

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
)

// Event is a line of go test -json, as described by go doc cmd/test2json and go help buildjson.
type Event struct {
	Time       *time.Time `json:",omitempty"`
	Action     string
	Package    string   `json:",omitempty"`
	Test       string   `json:",omitempty"`
	Elapsed    *float64 `json:",omitempty"` // seconds
	Output     string   `json:",omitempty"`
	ImportPath string   `json:",omitempty"` // of a build
	// the ImportPath of the build that failed, for a package that fails for that
	FailedBuild string `json:",omitempty"`
}

// ends reports whether the event is the last one of a test or package.
func (e *Event) ends() bool {
	return e.Action == "pass" || e.Action == "fail" || e.Action == "skip"
}

// lines takes a text apart that comes in pieces, and calls a function for each line, with its end.
type lines struct {
	rest []byte
	line func([]byte) error
}

// Write implements io.Writer.
func (l *lines) Write(text []byte) (int, error) {
	looked := len(l.rest) // which has no end of a line
	l.rest = append(l.rest, text...)
	for {
		end := bytes.IndexByte(l.rest[looked:], '\n')
		if end < 0 {
			return len(text), nil
		}
		end, looked = looked+end, 0
		if err := l.line(l.rest[:end+1]); err != nil {
			return 0, err
		}
		l.rest = l.rest[end+1:]
	}
}

// flush passes on a last line that has no end.
func (l *lines) flush() error {
	if len(l.rest) == 0 {
		return nil
	}
	rest := l.rest
	l.rest = nil
	return l.line(rest)
}

// parse reads an event; false if the line is none. Commands that go test starts may print other
// lines.
func parse(line []byte) (*Event, bool) {
	if !bytes.HasPrefix(line, []byte("{")) {
		return nil, false
	}
	e := new(Event)
	if err := json.Unmarshal(line, e); err != nil || e.Action == "" {
		return nil, false
	}
	return e, true
}

// Finding is a finding in a package, which is printed as if it were a test.
type Finding struct {
	Name   string // as a part of the test Parent
	Result string // "fail" or "skip"
	Text   string
}

// Parent is the test that findings are printed as parts of.
const Parent = "antichain"

// eventsOf returns the events that go test -json would print if the findings were subtests.
func eventsOf(pkg string, findings []Finding, now time.Time) (all []Event, fails bool) {
	if len(findings) == 0 {
		return nil, false
	}
	event := func(action, test, output string) {
		e := Event{Time: &now, Action: action, Package: pkg, Test: test, Output: output}
		if e.ends() {
			e.Elapsed = new(float64)
		}
		all = append(all, e)
	}
	begin := func(test string) {
		event("run", test, "")
		event("output", test, "=== RUN   "+test+"\n")
	}
	end := func(test, result string) {
		event("output", test, "--- "+strings.ToUpper(result)+": "+test+" (0.00s)\n")
		event(result, test, "")
	}
	begin(Parent)
	result := "pass"
	for _, f := range findings {
		name := Parent + "/" + f.Name
		begin(name)
		for line := range strings.Lines(f.Text) {
			event("output", name, "    "+strings.TrimSuffix(line, "\n")+"\n")
		}
		end(name, f.Result)
		if f.Result == "fail" {
			result = "fail"
		}
	}
	end(Parent, result)
	return all, result == "fail"
}
