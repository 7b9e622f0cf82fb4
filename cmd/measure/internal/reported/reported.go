//go:build unix

// Package reported runs antichain as a command, and reads what it reports with --json.
package reported

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// Reports are the violations.
type Reports struct {
	// of built-in properties, without those that are only possible
	Findings   []*report.BuiltinObject
	Possible   []*report.BuiltinObject
	Properties []*report.Object // of the specification
	Panics     []string         // what the panics say that have ended the program
	Hangs      bool             // under the race detector it does not end
}

// Read reads the output of antichain with --json, which may have lines of the program between. An
// unknown verdict is an error, as is an output without any verdict on a built-in property. The
// violations are returned in either case.
func Read(out []byte) (*Reports, error) {
	return read(out, func(builtin, _ string) bool { return builtin != "" })
}

// ReadProperties is Read for --builtin none. An output without any verdict on a specification is an
// error.
func ReadProperties(out []byte) (*Reports, error) {
	return read(out, func(_, property string) bool { return property != "" })
}

// read reads lines. At least one must be about a needed property.
func read(out []byte, needed func(builtin, property string) bool) (*Reports, error) {
	r := new(Reports)
	var unknown error
	checked := false
	for line := range bytes.Lines(out) {
		if text, ok := bytes.CutPrefix(line, []byte("panic: ")); ok {
			r.Panics = append(r.Panics, string(bytes.TrimSpace(text)))
		}
		if !bytes.HasPrefix(line, []byte(`{"trace":`)) {
			continue
		}
		var o struct{ Builtin, Property, Covered string }
		if err := json.Unmarshal(line, &o); err != nil {
			return nil, err
		}
		if o.Covered != "" {
			unknown = fmt.Errorf("%s is unknown: %s", o.Builtin+o.Property, o.Covered)
		}
		checked = checked || needed(o.Builtin, o.Property)
		if err := r.add(line, o.Builtin != ""); err != nil {
			return nil, err
		}
	}
	if !checked {
		return nil, fmt.Errorf("nothing was checked: %s", tail(out))
	}
	return r, unknown
}

// add adds the violation of one line.
func (r *Reports) add(line []byte, builtin bool) error {
	if !builtin {
		o := new(report.Object)
		err := json.Unmarshal(line, o)
		if o.Verdict == tlcheck.Violated.String() {
			r.Properties = append(r.Properties, o)
		}
		return err
	}
	o := new(report.BuiltinObject)
	if err := json.Unmarshal(line, o); err != nil || o.FindingObject == nil {
		return err
	}
	for _, o := range o.Findings() {
		if o.Verdict == tlcheck.Possible.String() {
			r.Possible = append(r.Possible, o)
		} else {
			r.Findings = append(r.Findings, o)
		}
	}
	return nil
}

// tail returns the end of a program's output, in one line.
func tail(out []byte) string {
	const most = 300
	out = bytes.TrimSpace(out)
	if len(out) > most {
		out = out[len(out)-most:]
	}
	return strings.Join(strings.Fields(string(out)), " ")
}
