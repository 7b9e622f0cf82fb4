//go:build unix

package corpus

import (
	"bufio"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// A Program is one of a corpus.
type Program struct {
	Name, Class  string
	spec         string          // its specification's file in the corpus; "": it has none
	properties   map[string]bool // of the specification
	alternatives []alternative   // one of them must be reported
	source       *source         // of the bug
}

// An alternative is a report that names the bug.
type alternative struct {
	builtin  string
	places   []place
	property string // of the specification, if builtin is ""
}

// A place is where a goroutine of a report is.
type place struct {
	lines    []int
	anywhere bool
}

var (
	classForm    = regexp.MustCompile(`^== (.+)$`)
	propertyForm = regexp.MustCompile(`^(\w+) +property (\w+)$`)
	builtinForm  = regexp.MustCompile(`^(\w+) +(\w+): (.+)$`)
	placeForm    = regexp.MustCompile("^(\\S+) `([^`]+)`$")
)

// Load reads what is expected of the programs of a corpus, in the order of the text. That a program
// of the corpus is not in the text, or has no twin, is an error.
func Load(corpus fs.FS, text string) ([]*Program, error) {
	var programs []*Program
	class := ""
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if m := classForm.FindStringSubmatch(line); m != nil {
			class = m[1]
			continue
		}
		name, _, _ := strings.Cut(line, " ")
		if len(programs) == 0 || programs[len(programs)-1].Name != name {
			p, err := loadProgram(corpus, name, class)
			if err != nil {
				return nil, fmt.Errorf("expected.txt:%d: %w", n, err)
			}
			programs = append(programs, p)
		}
		p := programs[len(programs)-1]
		a, err := p.parse(line)
		if err != nil {
			return nil, fmt.Errorf("expected.txt:%d: %w", n, err)
		}
		p.alternatives = append(p.alternatives, a)
	}
	return programs, complete(corpus, programs)
}

// complete returns an error if programs of the corpus are missing.
func complete(corpus fs.FS, programs []*Program) error {
	dirs, err := fs.ReadDir(corpus, ".")
	if err != nil {
		return err
	}
	for _, d := range dirs {
		if !slices.ContainsFunc(programs, func(p *Program) bool { return p.Name == d.Name() }) {
			return fmt.Errorf("nothing is expected of %s", d.Name())
		}
	}
	return nil
}

func loadProgram(corpus fs.FS, name, class string) (*Program, error) {
	p := &Program{Name: name, Class: class}
	text, err := fs.ReadFile(corpus, path.Join(name, "bug", "main.go"))
	if err != nil {
		return nil, err
	}
	if p.source, err = parseSource(text); err != nil {
		return nil, err
	}
	if _, err := fs.Stat(corpus, path.Join(name, "fixed", "main.go")); err != nil {
		return nil, err
	}
	file := path.Join(name, name+".tl")
	if _, err := fs.Stat(corpus, file); err != nil {
		return p, nil
	}
	return p, p.loadSpecification(corpus, file)
}

func (p *Program) loadSpecification(corpus fs.FS, file string) error {
	text, err := fs.ReadFile(corpus, file)
	if err != nil {
		return err
	}
	parsed, err := spec.Parse(file, string(text))
	if err != nil {
		return err
	}
	p.spec, p.properties = file, make(map[string]bool)
	for _, property := range parsed.Properties {
		p.properties[property.Name] = true
	}
	return nil
}

// parse reads a line of expected.txt.
func (p *Program) parse(line string) (alternative, error) {
	if m := propertyForm.FindStringSubmatch(line); m != nil {
		if !p.properties[m[2]] {
			return alternative{}, fmt.Errorf("%s has no property %s", p.Name, m[2])
		}
		return alternative{property: m[2]}, nil
	}
	m := builtinForm.FindStringSubmatch(line)
	if m == nil {
		return alternative{}, fmt.Errorf("%q is not of the form PROGRAM PROPERTY: PLACE + PLACE", line)
	}
	a := alternative{builtin: m[2]}
	for text := range strings.SplitSeq(m[3], " + ") {
		l, err := p.place(text)
		if err != nil {
			return a, err
		}
		a.places = append(a.places, l)
	}
	return a, nil
}

func (p *Program) place(text string) (place, error) {
	if text == "*" {
		return place{anywhere: true}, nil
	}
	m := placeForm.FindStringSubmatch(text)
	if m == nil {
		return place{}, fmt.Errorf("%q is not of the form FUNCTION `TEXT`", text)
	}
	lines := p.source.find(m[1], m[2])
	if len(lines) == 0 {
		return place{}, fmt.Errorf("%s has no line with %q in %s", p.Name, m[2], m[1])
	}
	return place{lines: lines}, nil
}

// named reports whether the bug is among what was reported.
func (p *Program) named(found *reported.Reports) bool {
	return slices.ContainsFunc(found.Findings, p.isBug) || slices.ContainsFunc(found.Properties, p.isViolation)
}

// isViolation reports whether a property is one that the bug violates.
func (p *Program) isViolation(o *report.Object) bool {
	return slices.ContainsFunc(p.alternatives, func(a alternative) bool { return a.builtin == "" && a.property == o.Property })
}

// isBug reports whether a finding is about the bug.
func (p *Program) isBug(f *report.BuiltinObject) bool {
	return slices.ContainsFunc(p.alternatives, func(a alternative) bool { return a.builtin == f.Builtin && a.is(f.Parties) })
}

// is reports whether goroutines are at the places, a different one at each, and none is elsewhere.
func (a *alternative) is(parties []report.PartyObject) bool {
	for _, p := range parties {
		if !slices.ContainsFunc(a.places, func(l place) bool { return l.has(p) }) {
			return false
		}
	}
	return distinct(a.places, parties)
}

// distinct reports whether there is a different party for each place.
func distinct(places []place, parties []report.PartyObject) bool {
	if len(places) == 0 {
		return true
	}
	for i, p := range parties {
		if places[0].has(p) && distinct(places[1:], slices.Delete(slices.Clone(parties), i, i+1)) {
			return true
		}
	}
	return false
}

// has reports whether a goroutine is there, or in a call from there.
func (l place) has(p report.PartyObject) bool {
	return l.anywhere || slices.Contains(l.lines, lineOf(p.At)) ||
		slices.ContainsFunc(p.Stack, func(f report.FrameObject) bool { return slices.Contains(l.lines, lineOf(f.At)) })
}

// lineOf is the line of the program's file at which a place is, 0 if it is elsewhere.
func lineOf(at string) int {
	file, line, _ := strings.Cut(path.Base(at), ":")
	n, err := strconv.Atoi(line)
	if err != nil || file != "main.go" {
		return 0
	}
	return n
}
