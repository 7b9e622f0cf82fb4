package spec

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tlcheck/source"
)

// Vocabulary has the possible meanings of names: the functions and variables that a trace has
// recorded. Function names are frame names within Package: append, Queue.append (pointer receivers
// without a star, generic types without brackets), list.Queue.append for another package.
type Vocabulary struct {
	Package   string            // import path that short names refer to
	Functions []string          // frame names
	Names     map[string]string // frame names by the names that were given to the tracer
	Variables []string          // dotted names; each includes its fields

	Operations []string // the frame names that are recorded as operations
}

// Resolve returns a copy of the property in which every function has its frame name. An unknown
// function or variable, or an ambiguous function, is an *Error with the candidates.
func (p *Property) Resolve(v *Vocabulary) (*Property, error) {
	frames := map[string]string{}
	for _, n := range FunctionsOf(p.Formula) {
		matches := v.function(n.Name)
		if len(matches) != 1 {
			return nil, v.functionError(p, n, matches)
		}
		frames[n.Name] = matches[0]
	}
	for _, m := range OperationsOf(p.Formula) {
		if !slices.Contains(v.Operations, frames[m.Func]) {
			return nil, p.unrecordedError("operation", Name{m.Func, m.Pos}, v.Operations)
		}
	}
	for _, n := range VariablesOf(p.Formula) {
		if !v.hasVariable(n.Name) {
			return nil, p.unrecordedError("variable", n, v.Variables)
		}
	}
	r := *p
	r.Formula = renameFormula(p.Formula, frames)
	return &r, nil
}

// function returns the functions that name can mean: the one that the tracer, which knows the
// program, took it for; otherwise those recorded that it abbreviates. It accepts spellings of Go
// tools: (*Queue).append, Queue[int].append, main.append.
func (v *Vocabulary) function(name string) []string {
	if frame, ok := v.Names[name]; ok {
		return []string{frame}
	}
	name = site.PlainFunction(name)
	names := []string{name}
	if own, rest, ok := strings.Cut(name, "."); ok && (own == "main" || own == path.Base(v.Package)) {
		names = append(names, rest)
	}
	for _, n := range names {
		if slices.Contains(v.Functions, n) {
			return []string{n}
		}
	}
	for _, n := range names {
		if matches := expansionsOf(n, v.Functions); len(matches) > 0 {
			return matches
		}
	}
	return nil
}

// expansionsOf returns the candidates that name abbreviates. Those with the fewest parts take
// precedence: Queue.put is of the specification's package, list.Queue.put of another.
func expansionsOf(name string, candidates []string) []string {
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

// isShortFor reports whether name abbreviates candidate: put abbreviates Queue.put, list.put
// abbreviates list.Queue.put, and init abbreviates init.0.
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

// hasVariable reports whether the dotted name is a variable or a field of one.
func (v *Vocabulary) hasVariable(name string) bool {
	return slices.ContainsFunc(v.Variables, func(w string) bool {
		return name == w || strings.HasPrefix(name, w+".")
	})
}

func (v *Vocabulary) functionError(p *Property, n Name, matches []string) error {
	if len(matches) > 1 {
		return p.nameError(n, fmt.Sprintf("function %s is ambiguous", source.Short(n.Name)),
			"write one of the candidates in full", matches)
	}
	return p.unrecordedError("function", n, v.Functions)
}

// unrecordedError returns the error for a name that a trace does not have.
func (p *Property) unrecordedError(what string, n Name, recorded []string) error {
	hint := "trace the program again with a specification that names it"
	if c := source.Closest(n.Name, recorded); c != "" {
		hint = "did you mean " + strconv.Quote(c) + "?"
	}
	return p.nameError(n, fmt.Sprintf("%s %s is not recorded in this trace", what, source.Short(n.Name)), hint,
		mostSimilar(n.Name, recorded))
}

func (p *Property) nameError(n Name, msg, hint string, candidates []string) error {
	return &Error{File: p.File, Line: max(n.Pos.Line, 1), Col: max(n.Pos.Col, 1), Msg: msg, Hint: hint,
		Candidates: candidates, SourceLine: source.Line(p.text, n.Pos.Line)}
}

// maxCandidates limits the names in an error.
const maxCandidates = 12

// mostSimilar returns the candidates most similar to name.
func mostSimilar(name string, candidates []string) []string {
	last := lastPart(name)
	cs := slices.Compact(slices.Sorted(slices.Values(candidates)))
	slices.SortStableFunc(cs, func(a, b string) int { return distance(last, a) - distance(last, b) })
	return cs[:min(len(cs), maxCandidates)]
}

func distance(last, candidate string) int { return source.Distance(last, lastPart(candidate)) }

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// renameFormula returns f with the functions of its predicates renamed.
func renameFormula(f Formula, names map[string]string) Formula {
	switch f := f.(type) {
	case *Atom:
		return &Atom{f.TIV, renameLocal(f.Local, names), f.Pos}
	case *Not:
		return &Not{renameFormula(f.X, names), f.Pos}
	case *Nary:
		return &Nary{f.Op, renameAll(f.Xs, names, renameFormula), f.Pos}
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
	case *Linearizable:
		renamed := *f
		renamed.Methods = renameAll(f.Methods, names, renameMethod)
		return &renamed
	}
	return f
}

func renameMethod(m *Method, names map[string]string) *Method {
	renamed := *m
	renamed.Func = names[m.Func]
	return &renamed
}

func renameLocal(l Local, names map[string]string) Local {
	switch l := l.(type) {
	case *Predicate:
		return &Predicate{l.Phase, names[l.Func], l.Pos}
	case *LocalNot:
		return &LocalNot{renameLocal(l.X, names), l.Pos}
	case *LocalNary:
		return &LocalNary{l.Op, renameAll(l.Xs, names, renameLocal), l.Pos}
	case *LocalImplies:
		return &LocalImplies{renameLocal(l.L, names), renameLocal(l.R, names), l.Pos}
	}
	return l
}

func renameAll[T any](xs []T, names map[string]string, rename func(T, map[string]string) T) []T {
	renamed := make([]T, len(xs))
	for i, x := range xs {
		renamed[i] = rename(x, names)
	}
	return renamed
}
