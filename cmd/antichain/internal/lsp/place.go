package lsp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

// place is a kind of position in a specification, which determines the candidates.
type place uint8

const (
	outside   place = iota // before the first declaration
	formula                // outside of atoms
	condition              // after "if"
	local                  // within the parentheses of an atom
	functions              // in a line must_finish or may_wait
	shared                 // in a line shared
	head                   // between "property" and its colon
)

// scanner determines the place of each token. It tolerates mistakes.
type scanner struct {
	at     place
	depth  int       // of parentheses
	atom   int       // depth outside of the atom, if in one
	before [2]string // the last tokens, the latest first
	tivs   []string  // task variables of the property
}

// next advances past a token.
func (s *scanner) next(t spec.Token) {
	begins := t.Text == "property" ||
		s.at != local && s.at != head && slices.Contains(beginnings, t.Text) && s.before[0] != ","
	switch {
	case begins:
		*s = scanner{at: map[string]place{"property": head, "shared": shared}[t.Text]}
		if s.at == outside {
			s.at = functions
		}
	case s.at == head && t.Text == ":":
		s.at, s.before = formula, [2]string{}
		return
	case t.Text == "(":
		if s.depth++; s.at == formula && s.before[0] == ":" {
			s.at, s.atom = local, s.depth-1
			s.addTIV(s.before[1])
		}
	case t.Text == ")":
		if s.depth = max(s.depth-1, 0); s.at == local && s.depth == s.atom || s.at == condition && s.before[1] != "(" {
			s.at = formula
		}
	case s.at == formula && t.Text == "if":
		s.at = condition
	case s.at == formula && (s.before[0] == "forall" || s.before[0] == "exists"),
		s.at == condition && t.Name && !slices.Contains(spec.Keywords(), t.Text):
		s.addTIV(t.Text)
	}
	s.before = [2]string{t.Text, s.before[0]}
}

func (s *scanner) addTIV(name string) {
	if !slices.Contains(s.tivs, name) && !slices.Contains(spec.Keywords(), name) {
		s.tivs = append(s.tivs, name)
	}
}

// word is the part of a dotted name at a position, and the place of the name.
type word struct {
	scanner          // before the name
	name      string // the name up to the end of the part: b.last of b.last.x
	phase     string // in, start or term, if the name is a function
	from, to  int    // of the part, in bytes
	isKeyword bool
}

// wordAt returns the word that includes an offset or ends there.
func wordAt(d *document, offset int) (w word, ok bool) {
	for _, t := range spec.Tokens(d.text) {
		if t.Offset > offset {
			break
		}
		if offset <= t.End() && (t.Name || t.Text == "->") {
			w.name, w.from, w.to, ok = t.Text, t.Offset, t.End(), true
			break
		}
		w.next(t)
	}
	if !ok {
		return w, false
	}
	first, rest, dotted := strings.Cut(w.name, ".")
	switch {
	case w.at == local && dotted && slices.Contains(phases, first):
		if offset <= w.from+len(first) {
			w.name, w.to, w.isKeyword = first, w.from+len(first), true
			return w, true
		}
		w.phase, w.name, w.from = first, unquoted(rest), w.from+len(first)+1
	case w.at == functions:
		w.phase, w.name = phases[0], unquoted(w.name)
	case dotted:
		end := len(w.name)
		if i := strings.IndexByte(w.name[offset-w.from:], '.'); i >= 0 {
			end = offset - w.from + i
		}
		w.name, w.to = w.name[:end], w.from+end
		w.from = w.to - len(w.name) + strings.LastIndexByte(w.name, '.') + 1
	}
	w.isKeyword = w.phase == "" && w.isLanguageWord(w.name)
	return w, true
}

// isLanguageWord reports whether a word belongs to the language at its place. Others are names.
func (w *word) isLanguageWord(name string) bool {
	_, builtin := spec.Builtins[name]
	switch w.at {
	case local:
		return builtin || slices.Contains(connectives, name) || slices.Contains(constants, name) || name == "->"
	case functions, shared:
		return slices.Contains(beginnings, name)
	}
	return name == "->" || slices.Contains(spec.Keywords(), name)
}

// unquoted returns the name of a function without the quotes around its last part.
func unquoted(name string) string {
	before, quoted, ok := strings.Cut(name, `"`)
	if !ok {
		return name
	}
	if text, err := strconv.Unquote(`"` + quoted); err == nil {
		return before + text
	}
	return name
}
