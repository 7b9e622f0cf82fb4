package draft

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/gosource"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// useful is the number of properties of a first specification.
const useful = 3

// Draft is a specification under construction.
type Draft struct {
	*subject
	name string // of the package, for comments
	all  []candidate
}

// New examines the package in a directory.
func New(dir string) (*Draft, error) {
	paths, _, err := gosource.Files(dir)
	if err != nil {
		return nil, err
	}
	pkg := gosource.Load(paths)
	if pkg == nil {
		return nil, fmt.Errorf("%s has no Go files that are built here", dir)
	}
	d := newSubject(pkg)
	name := "package " + pkg.Name
	if abs, err := filepath.Abs(dir); err == nil && pkg.Name == "main" {
		name = "command " + filepath.Base(abs)
	}
	all := d.candidates()
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no function besides main and no number as a variable, which a first specification could be about", name)
	}
	return &Draft{d, name, all}, nil
}

// IsProgram reports whether the package is a program, which runs without tests.
func (d *Draft) IsProgram() bool { return d.pkg.Name == "main" }

// Probe returns a specification for a run: the candidates, and for each of them a formula that
// holds if it is vacuous.
func (d *Draft) Probe() string {
	var b strings.Builder
	for i, c := range d.all {
		b.WriteString(c.text(fmt.Sprintf("candidate_%d", i)))
		if c.silent != "" {
			fmt.Fprintf(&b, "property silent_%d: %s\n", i, c.silent)
		}
	}
	return b.String()
}

// Keep reads the verdicts on the probe from --report json, and keeps the best candidates that hold
// and are not vacuous. It returns their number.
func (d *Draft) Keep(report []byte) (int, error) {
	type verdict struct{ Property, Verdict, Vacuous string }
	verdicts := map[string]verdict{}
	for line := range bytes.Lines(report) {
		var v verdict
		if err := json.Unmarshal(line, &v); err != nil {
			return 0, err
		}
		verdicts[v.Property] = v
	}
	if len(verdicts) == 0 {
		return 0, errors.New("the run has checked nothing")
	}
	var held []candidate
	for i := range d.all {
		v := verdicts[fmt.Sprintf("candidate_%d", i)]
		if v.Verdict == "holds" && v.Vacuous == "" && verdicts[fmt.Sprintf("silent_%d", i)].Verdict != "holds" {
			held = append(held, d.all[i])
		}
	}
	d.all = choose(held)
	return len(d.all), nil
}

// choose returns the first candidates, of as many kinds as possible.
func choose(held []candidate) []candidate {
	var chosen []candidate
	for len(chosen) < useful && len(held) > 0 {
		var rest []candidate
		seen := [kinds]bool{}
		for k := range kinds {
			for _, c := range held {
				if c.kind == k && !seen[k] && len(chosen) < useful {
					seen[k] = true
					chosen = append(chosen, c)
				} else if c.kind == k {
					rest = append(rest, c)
				}
			}
		}
		held = rest
	}
	return chosen
}

// Text returns the file.
func (d *Draft) Text() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "// What must be true of %s in every order of a run. antichain run and antichain test\n", d.name)
	b.WriteString("// check this file, since it is beside the package. antichain help spec explains the language.\n//\n")
	b.WriteString("// Functions: in.f, start.f and term.f say where a goroutine is.\n//\n")
	for _, f := range d.functions {
		fmt.Fprintf(&b, "//     %-24s %s%s\n", f.Name, d.pkg.Place(f.Node.Pos()), d.startedText(f))
	}
	if len(d.variables) > 0 {
		b.WriteString("//\n// Variables of the package: a goroutine sees what it has last read or written.\n//\n")
		for _, v := range d.variables {
			fmt.Fprintf(&b, "//     %-24s %s\n", v.Name()+typeText(v.Type()), d.pkg.Place(v.Pos()))
		}
	}
	if len(d.all) == 0 {
		b.WriteString("\n// The source suggests no property that holds in the run and is not vacuous. An example:\n//\n")
		b.WriteString("//     property exclusive: not (t1:(in.f) and t2:(in.f)) if t1 != t2\n")
		return b.String(), nil
	}
	b.WriteString("\n// These held in every order of the run that antichain init made. Keep what is intended, and\n// change the rest.\n")
	named := map[string]int{}
	for _, c := range d.all {
		name := c.name
		if named[name]++; named[name] > 1 { // names of functions may differ only in case
			name = fmt.Sprintf("%s_%d", name, named[name])
		}
		fmt.Fprintf(&b, "\n// %s\n// %s\n%s", c.about, c.groundsText(), c.text(name))
	}
	return spec.FormatSource("draft", b.String())
}

// groundsText says what a candidate that holds rests on.
func (c *candidate) groundsText() string {
	if c.enforced {
		return "A lock enforces this."
	}
	return "This may be accidental: no lock enforces it, and another run may violate it."
}

// typeText returns a type for a comment; "" if it is of a package that was not read.
func typeText(t types.Type) string {
	text := types.TypeString(t, func(*types.Package) string { return "" })
	if strings.Contains(text, "invalid type") {
		return ""
	}
	return " " + text
}

// startedText describes the goroutines that run a function.
func (d *subject) startedText(f rewrite.Function) string {
	at := d.pkg.Started[gosource.PosOf(f)]
	if len(at) == 0 {
		if _, ok := f.Node.(*ast.FuncDecl); ok && d.holdsLock(f) {
			return ", holds a lock"
		}
		return ""
	}
	return ", run by goroutines that start at " + d.pkg.Place(at[0])
}
