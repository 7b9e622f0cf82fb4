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
	Name, Class string
	properties  map[string]bool // of the specification
	bug         variant
	twin        variant // its alternatives are reports that are true of it as well
}

// A variant is the program with the bug, or its twin.
type variant struct {
	source       *source
	spec         string        // the specification's file in the corpus; "": it has none
	alternatives []alternative // reports that name a bug; one of them must come of the program
}

// An alternative is a report that names the bug.
type alternative struct {
	builtin  string
	places   []place
	others   bool   // there may be goroutines at other places
	property string // of the specification, if builtin is ""
	panics   string // what a panic says, if there is neither
}

// A place is where a goroutine of a report is.
type place struct {
	lines    []int
	anywhere bool
	function string // of a module, without the package; "": the place is a line of the program
}

var (
	classForm    = regexp.MustCompile(`^== (.+)$`)
	propertyForm = regexp.MustCompile(`^(\w+) +property (\w+)$`)
	panicForm    = regexp.MustCompile(`^(\w+) +panics: (.+)$`)
	builtinForm  = regexp.MustCompile(`^(\w+) +(twin )?(\w+): (.+)$`)
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
		if err := p.parse(line); err != nil {
			return nil, fmt.Errorf("expected.txt:%d: %w", n, err)
		}
	}
	return programs, complete(corpus, programs)
}

// complete returns an error if programs of the corpus are missing, or what they must report.
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
	for _, p := range programs {
		if len(p.bug.alternatives) == 0 {
			return fmt.Errorf("only the twin of %s has a line", p.Name)
		}
	}
	return nil
}

func loadProgram(corpus fs.FS, name, class string) (*Program, error) {
	p := &Program{Name: name, Class: class}
	for _, v := range []struct {
		dir string
		to  *variant
	}{{"bug", &p.bug}, {"fixed", &p.twin}} {
		text, err := fs.ReadFile(corpus, path.Join(name, v.dir, "main.go"))
		if err != nil {
			return nil, err
		}
		if v.to.source, err = parseSource(text); err != nil {
			return nil, err
		}
	}
	both, alone := path.Join(name, name+".tl"), path.Join(name, "bug", name+".tl")
	if _, err := fs.Stat(corpus, both); err == nil {
		p.bug.spec, p.twin.spec = both, both
		return p, p.loadSpecification(corpus, both)
	}
	if _, err := fs.Stat(corpus, alone); err == nil {
		p.bug.spec = alone
		return p, p.loadSpecification(corpus, alone)
	}
	return p, nil
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
	p.properties = make(map[string]bool)
	for _, property := range parsed.Properties {
		p.properties[property.Name] = true
	}
	return nil
}

// parse reads a line of expected.txt.
func (p *Program) parse(line string) error {
	if m := propertyForm.FindStringSubmatch(line); m != nil {
		if !p.properties[m[2]] {
			return fmt.Errorf("%s has no property %s", p.Name, m[2])
		}
		p.bug.alternatives = append(p.bug.alternatives, alternative{property: m[2]})
		return nil
	}
	if m := panicForm.FindStringSubmatch(line); m != nil {
		p.bug.alternatives = append(p.bug.alternatives, alternative{panics: m[2]})
		return nil
	}
	m := builtinForm.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("%q is not of the form PROGRAM PROPERTY: PLACE + PLACE", line)
	}
	v := &p.bug
	if m[2] != "" {
		v = &p.twin
	}
	a := alternative{builtin: m[3]}
	for text := range strings.SplitSeq(m[4], " + ") {
		if text == "..." {
			a.others = true
			continue
		}
		l, err := v.place(text)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		a.places = append(a.places, l)
	}
	v.alternatives = append(v.alternatives, a)
	return nil
}

func (v *variant) place(text string) (place, error) {
	if text == "*" {
		return place{anywhere: true}, nil
	}
	if function, ok := strings.CutPrefix(text, "in "); ok {
		return place{function: function}, nil
	}
	m := placeForm.FindStringSubmatch(text)
	if m == nil {
		return place{}, fmt.Errorf("%q is neither FUNCTION `TEXT` nor in FUNCTION", text)
	}
	lines := v.source.find(m[1], m[2])
	if len(lines) == 0 {
		return place{}, fmt.Errorf("no line with %q in %s", m[2], m[1])
	}
	return place{lines: lines}, nil
}

// named reports whether the bug is among what was reported.
func (p *Program) named(found *reported.Reports) bool {
	if found == nil {
		return false
	}
	return found.Hangs && p.bug.waits() || slices.ContainsFunc(found.Findings, p.bug.has) ||
		slices.ContainsFunc(found.Properties, p.isViolation) || slices.ContainsFunc(found.Panics, p.isPanic)
}

// waits reports whether the bug is that goroutines wait for ever.
func (v *variant) waits() bool {
	return slices.ContainsFunc(v.alternatives, func(a alternative) bool {
		return a.builtin == "stuck" || a.builtin == "deadlock"
	})
}

// isViolation reports whether a property is one that the bug violates.
func (p *Program) isViolation(o *report.Object) bool {
	return slices.ContainsFunc(p.bug.alternatives, func(a alternative) bool {
		return a.property != "" && a.property == o.Property
	})
}

// isPanic reports whether a panic with that text is one to which the bug leads.
func (p *Program) isPanic(text string) bool {
	return slices.ContainsFunc(p.bug.alternatives, func(a alternative) bool {
		return a.panics != "" && strings.Contains(text, a.panics)
	})
}

// has reports whether a finding is about a bug that the program is known to have.
func (v *variant) has(f *report.BuiltinObject) bool {
	return slices.ContainsFunc(v.alternatives, func(a alternative) bool {
		return a.builtin == f.Builtin && a.is(f.Parties)
	})
}

// is reports whether goroutines are at the places, a different one at each, and none is elsewhere
// unless others may be.
func (a *alternative) is(parties []report.PartyObject) bool {
	for _, p := range parties {
		if !a.others && !slices.ContainsFunc(a.places, func(l place) bool { return l.has(p) }) {
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
	return l.anywhere || slices.Contains(l.lines, lineOf(p.At)) || slices.ContainsFunc(p.Stack, l.isAt)
}

// isAt reports whether a call is at the place: on a line of the program, or in a function of a
// module or in a literal there.
func (l place) isAt(f report.FrameObject) bool {
	if l.function != "" {
		_, name, _ := strings.Cut(path.Base(f.Function), ".")
		return name == l.function || strings.HasPrefix(name, l.function+".func")
	}
	return slices.Contains(l.lines, lineOf(f.At))
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
