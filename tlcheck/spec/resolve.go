package spec

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Vocabulary is what the names of a specification can mean: the functions and
// variables of a program, or those that a trace has recorded. Function names are
// frame names within Package: append, Queue.append (pointer receivers without a
// star, generic types without brackets), list.Queue.append for another package.
type Vocabulary struct {
	Package   string   // import path that short names are resolved against
	Functions []string // frame names
	Variables []string // dotted names; one covers its fields too
	Recorded  bool     // the names are those that a trace has recorded
}

// Resolve returns a copy of the file in which every function has its frame name.
// A function or variable that the vocabulary does not have, and a function name that
// fits several, is an *Error with the candidates.
func (f *File) Resolve(v *Vocabulary) (*File, error) {
	r := *f
	r.Properties = make([]*Property, len(f.Properties))
	for _, s := range f.Shared {
		if !v.hasVariable(s.Name) {
			return nil, v.variableError(f.Name, f.text, s)
		}
	}
	for i, p := range f.Properties {
		q, err := p.Resolve(v)
		if err != nil {
			return nil, err
		}
		r.Properties[i] = q
	}
	return &r, nil
}

// Resolve returns a copy of the property in which every function has its frame name;
// see File.Resolve.
func (p *Property) Resolve(v *Vocabulary) (*Property, error) {
	frames := map[string]string{}
	for _, n := range FunctionsOf(p.Formula) {
		matches := MatchFunction(n.Name, v.Package, v.Functions)
		if len(matches) != 1 {
			return nil, v.functionError(p, n, matches)
		}
		frames[n.Name] = matches[0]
	}
	for _, n := range VariablesOf(p.Formula) {
		if !v.hasVariable(n.Name) {
			return nil, v.variableError(p.File, p.text, n)
		}
	}
	r := *p
	r.Formula = renameFormula(p.Formula, frames)
	return &r, nil
}

// MatchFunction returns the candidates that name can mean in a specification of
// package pkg: the one that is equal to it, else methods of which it leaves out the
// type, or the package. Spellings of Go tools count: (*Queue).append,
// Queue[int].append, main.append. What the tracer takes a name for is found again here,
// unless a function of another package looks like a method of this one (list.put).
func MatchFunction(name, pkg string, candidates []string) []string {
	name = plainFunction(name)
	names := []string{name}
	if own, rest, ok := strings.Cut(name, "."); ok && (own == "main" || own == path.Base(pkg)) {
		names = append(names, rest)
	}
	for _, n := range names {
		if slices.Contains(candidates, n) {
			return []string{n}
		}
	}
	for _, n := range names {
		if matches := shortened(n, candidates); len(matches) > 0 {
			return matches
		}
	}
	return nil
}

// shortened returns the candidates that name is short for. Those with the fewest parts
// go before: Queue.put is of the specification's package, list.Queue.put of another.
func shortened(name string, candidates []string) []string {
	var matches []string
	for _, c := range candidates {
		if !isShortFor(name, c) || slices.Contains(matches, c) {
			continue
		}
		switch {
		case len(matches) == 0 || strings.Count(c, ".") < strings.Count(matches[0], "."):
			matches = append(matches[:0], c)
		case strings.Count(c, ".") == strings.Count(matches[0], "."):
			matches = append(matches, c)
		}
	}
	slices.Sort(matches)
	return matches
}

// isShortFor reports whether name is put for Queue.put, list.put for list.Queue.put, or
// init for init.0.
func isShortFor(name, candidate string) bool {
	if strings.HasSuffix(candidate, "."+name) {
		return true
	}
	if lastPart(name) == "init" {
		number, ok := strings.CutPrefix(candidate, name+".")
		_, err := strconv.ParseUint(number, 10, 32)
		return ok && err == nil
	}
	pkg, method, ok := strings.Cut(name, ".")
	return ok && strings.HasPrefix(candidate, pkg+".") && strings.HasSuffix(candidate, "."+method) &&
		strings.Count(candidate, ".") == strings.Count(name, ".")+1
}

// plainFunction drops stars, receiver parentheses and type arguments.
func plainFunction(name string) string {
	var b strings.Builder
	brackets := 0
	for _, r := range name {
		switch r {
		case '[':
			brackets++
		case ']':
			brackets--
		case '(', ')', '*':
		default:
			if brackets <= 0 {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// hasVariable reports whether the dotted name is a variable or in one.
func (v *Vocabulary) hasVariable(name string) bool {
	return slices.ContainsFunc(v.Variables, func(w string) bool {
		return name == w || strings.HasPrefix(name, w+".")
	})
}

func (v *Vocabulary) functionError(p *Property, n Name, matches []string) error {
	if len(matches) > 1 {
		return v.nameError(p.File, p.text, n, fmt.Sprintf("function %s is ambiguous", short(n.Name)),
			"write one of the candidates in full", matches)
	}
	if v.Recorded {
		return v.nameError(p.File, p.text, n, fmt.Sprintf("function %s is not recorded in this trace", short(n.Name)),
			v.remedy(n.Name, v.Functions), nearest(n.Name, v.Functions))
	}
	return v.nameError(p.File, p.text, n, fmt.Sprintf("no function %s in the program", short(n.Name)),
		v.remedy(n.Name, v.Functions), nearest(n.Name, v.Functions))
}

func (v *Vocabulary) variableError(file, text string, n Name) error {
	msg := fmt.Sprintf("no variable %s in the program", short(n.Name))
	if v.Recorded {
		msg = fmt.Sprintf("variable %s is not recorded in this trace", short(n.Name))
	}
	return v.nameError(file, text, n, msg, v.remedy(n.Name, v.Variables), nearest(n.Name, v.Variables))
}

func (v *Vocabulary) remedy(name string, candidates []string) string {
	if c := closest(name, candidates); c != "" {
		return "did you mean " + strconv.Quote(c) + "?"
	}
	if v.Recorded {
		return "trace the program again with a specification that names it"
	}
	return ""
}

func (v *Vocabulary) nameError(file, text string, n Name, msg, hint string, candidates []string) error {
	return &Error{File: file, Line: max(n.Pos.Line, 1), Col: max(n.Pos.Col, 1), Msg: msg, Hint: hint,
		Candidates: candidates, SourceLine: sourceLine(text, n.Pos.Line)}
}

// maxCandidates is how many names an error lists.
const maxCandidates = 12

// nearest returns the candidates most like name.
func nearest(name string, candidates []string) []string {
	last := lastPart(name)
	cs := slices.Compact(slices.Sorted(slices.Values(candidates)))
	slices.SortStableFunc(cs, func(a, b string) int { return distance(last, a) - distance(last, b) })
	return cs[:min(len(cs), maxCandidates)]
}

func distance(last, candidate string) int { return editDistance(last, lastPart(candidate)) }

// lastPart returns what follows the last dot.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// renameFormula returns f with the functions of its predicates renamed.
func renameFormula(f Formula, names map[string]string) Formula {
	switch f := f.(type) {
	case *Atom:
		return &Atom{f.TIV, renameLocal(f.Local, names), f.Pos}
	case *Not:
		return &Not{renameFormula(f.X, names), f.Pos}
	case *Nary:
		xs := make([]Formula, len(f.Xs))
		for i, x := range f.Xs {
			xs[i] = renameFormula(x, names)
		}
		return &Nary{f.Op, xs, f.Pos}
	case *Implies:
		return &Implies{renameFormula(f.L, names), renameFormula(f.R, names), f.Pos}
	case *Future:
		return &Future{f.Op, f.K, renameFormula(f.X, names), f.Pos}
	case *Binary:
		return &Binary{f.Op, renameFormula(f.L, names), renameFormula(f.R, names), f.Pos}
	case *If:
		return &If{renameFormula(f.X, names), f.Conds, f.Pos}
	case *Quant:
		return &Quant{f.Op, f.TIV, renameFormula(f.X, names), f.Pos}
	}
	return f
}

func renameLocal(l Local, names map[string]string) Local {
	switch l := l.(type) {
	case *Predicate:
		return &Predicate{l.Phase, names[l.Func], l.Pos}
	case *LocalNot:
		return &LocalNot{renameLocal(l.X, names), l.Pos}
	case *LocalNary:
		xs := make([]Local, len(l.Xs))
		for i, x := range l.Xs {
			xs[i] = renameLocal(x, names)
		}
		return &LocalNary{l.Op, xs, l.Pos}
	case *LocalImplies:
		return &LocalImplies{renameLocal(l.L, names), renameLocal(l.R, names), l.Pos}
	}
	return l
}
