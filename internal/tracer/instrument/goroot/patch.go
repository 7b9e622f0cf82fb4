package goroot

import (
	"errors"
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// patch changes one declaration of the standard library, by one of diff, entry, removed and
// directive. It applies only if there are exactly count places for it, since it must not guess at
// code with another meaning.
type patch struct {
	name string // for error messages; unique, but for variants
	// below GOROOT/src; if the declaration is not there, other files of its package are looked at
	file   string
	reason string

	// in is the declaration, with names for the receiver and all parameters if the patch needs
	// them: "(*Mutex).unlockSlow(m, new)". "_" stands for a parameter that it does not need.
	// "mallocgc*(size)" means all functions with one parameter whose names begin so; there is at
	// least one.
	in string

	diff      string
	entry     string // code at the beginning of the function
	removed   bool   // the declaration, a function without body, and the comment before it
	directive string // to the compiler, about the function

	count        int // 0 stands for 1
	imports      []string
	since, until int // as of isFor
}

// isFor reports whether a variant for minor versions of Go from since up to, but not including,
// until (0 for no bound) is for this one. An unknown version gets the newest variants.
func isFor(minor, since, until int) bool {
	return minor >= since && (until == 0 || minor <= until)
}

// noinline keeps a function from being inlined.
func noinline(file, in string) patch {
	return patch{
		name: "noinline " + in, file: file, in: in,
		reason:    "keeps its own frame: the next one is the call in the program",
		directive: "//go:noinline",
	}
}

// edits returns the changes of the patch in a file with these tokens; errNoDeclaration if the
// declaration is not in it.
func (p *patch) edits(src string, all []lexeme) ([]edit, error) {
	name, names := p.declaration()
	if p.removed {
		return removeDeclaration(src, all, name)
	}
	found := declaration(all, name)
	if isPrefix(name) {
		found = slices.DeleteFunc(found, func(s span) bool { return len(parameters(all, s.from)) != len(names) })
	}
	if len(found) == 0 {
		return nil, errNoDeclaration
	}
	if len(found) > 1 && !isPrefix(name) {
		return nil, fmt.Errorf("%s is declared %d times", name, len(found))
	}
	var changes []edit
	for _, within := range found {
		e, err := p.editsWithin(src, all, within)
		if err != nil {
			return nil, err
		}
		changes = append(changes, e...)
	}
	return changes, nil
}

// isPrefix reports whether the name of a declaration is a prefix of several.
func isPrefix(name string) bool { return strings.HasSuffix(name, "*") }

// editsWithin returns the changes in a declaration.
func (p *patch) editsWithin(src string, all []lexeme, within span) ([]edit, error) {
	name, names := p.declaration()
	known, err := bindParameters(names, all, within.from)
	if err != nil {
		return nil, fmt.Errorf("%s %w", name, err)
	}
	switch {
	case p.directive != "":
		at := all[within.from].from
		return []edit{{from: at, to: at, text: "//\n" + p.directive + "\n"}}, nil
	case p.entry != "":
		code, err := known.fill(strings.ReplaceAll(p.entry, "$", metaPrefix))
		at := all[bodyOf(all, within.from)].to
		return []edit{{from: at, to: at, text: "\n" + code + "\n"}}, err
	}
	return p.diffEdits(src, all, within, known)
}

var errNoDeclaration = errors.New("no such declaration")

// diffEdits returns the changes of the diff in a declaration.
func (p *patch) diffEdits(src string, all []lexeme, within span, known binding) ([]edit, error) {
	d, err := parseDiff(p.diff)
	if err != nil {
		return nil, err
	}
	found := d.find(all, within, known)
	if want := max(p.count, 1); len(found) != want {
		name, _ := p.declaration()
		return nil, fmt.Errorf("%s has %d places for it, not %d", name, len(found), want)
	}
	var changes []edit
	for i := range found {
		e, err := d.edits(src, all, &found[i])
		if err != nil {
			return nil, err
		}
		changes = append(changes, e...)
	}
	return changes, nil
}

// declaration returns the name and the parameters of the declaration that the patch changes.
func (p *patch) declaration() (name string, parameters []string) {
	at := strings.LastIndexByte(p.in, '(')
	if at <= 0 || !strings.HasSuffix(p.in, ")") {
		return p.in, nil
	}
	return p.in[:at], strings.Split(p.in[at+1:len(p.in)-1], ", ")
}

// bindParameters binds the names for the parameters of the function at i.
func bindParameters(names []string, all []lexeme, i int) (binding, error) {
	known := make(binding)
	if len(names) == 0 {
		return known, nil
	}
	actual := parameters(all, i)
	if len(actual) != len(names) {
		return nil, fmt.Errorf("has %d parameters, not %d", len(actual), len(names))
	}
	for k, name := range names {
		if name == "_" {
			continue
		}
		if actual[k] == "" || actual[k] == "_" {
			return nil, fmt.Errorf("has no name for its parameter %s", name)
		}
		known[metaPrefix+name] = actual[k]
	}
	return known, nil
}

// removeDeclaration removes a function without a body, with the comment and the directives right
// before it.
func removeDeclaration(src string, all []lexeme, name string) ([]edit, error) {
	var edits []edit
	for i := 0; i < len(all); {
		end := endOfDeclaration(all, i)
		if all[i].begins && all[i].tok == token.FUNC && end > i+1 && all[i+1].text == name && bodyOf(all, i) < 0 {
			before := 0
			if i > 0 {
				before = all[i-1].to
			}
			from := before + len(src[before:all[i].from]) - len(lastParagraph(src[before:all[i].from]))
			_, to := all[end-1].outer()
			to = afterSemicolon(src, to)
			edits = append(edits, edit{from: from, to: to + len(src[to:]) - len(strings.TrimPrefix(src[to:], "\n"))})
		}
		i = max(end, i+1)
	}
	switch len(edits) {
	case 0:
		return nil, errNoDeclaration
	case 1:
		return edits, nil
	}
	return nil, fmt.Errorf("%s is declared %d times", name, len(edits))
}

var paragraphEnd = regexp.MustCompile(`\n[ \t\r]*\n`)

// lastParagraph returns the text after the last empty line or, if there is none, after the first
// line break.
func lastParagraph(text string) string {
	if found := paragraphEnd.FindAllStringIndex(text, -1); len(found) > 0 {
		return text[found[len(found)-1][1]:]
	}
	_, rest, _ := strings.Cut(text, "\n")
	return rest
}

// disable replaces a constant in a whole file, where raceenabled (or race.Enabled) enables code
// that only a race detector needs. The replacement is false or, if that code reports memory
// accesses, the constant that says whether those are wanted (Options.Memory).
type disable struct {
	file     string // below GOROOT/src
	constant string
	by       string
	reason   string

	since, until int // as of isFor
}

const (
	runtimeEnabled = "raceenabled"
	raceEnabled    = "race.Enabled"

	reportsMemory = "reports memory accesses"
)

func (d *disable) name() string { return "disable " + d.constant + " in " + d.file }

// edits returns the changes in a file with these tokens. Code that a patch removes needs none.
func (d *disable) edits(all []lexeme) ([]edit, error) {
	want := strings.Split(d.constant, ".")
	var changes []edit
	for i := range all {
		if all[i].tok != token.IDENT || all[i].text != want[0] {
			continue
		}
		end := i
		if len(want) > 1 {
			if end = i + 2; end >= len(all) || all[i+1].tok != token.PERIOD || all[end].text != want[1] {
				continue
			}
		}
		changes = append(changes, edit{from: all[i].from, to: all[end].to, text: d.by, weak: true})
	}
	if len(changes) == 0 {
		return nil, fmt.Errorf("%s does not mention %s", d.file, d.constant)
	}
	return changes, nil
}
