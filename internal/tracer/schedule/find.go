package schedule

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Sources provides the source files of a program.
type Sources interface {
	// File returns the file of a place, and the number of its line.
	File(at string) (src []byte, line int, ok bool)

	// Beside returns all Go files in the directory of a place, as places name them.
	Beside(at string) []string
}

// Find adapts the schedule to the program's present source. It moves each step to a line of the
// same text in the same function, or to one that differs only in the names of variables and
// functions, in any file of the directory. It drops steps whose lines have disappeared. It returns
// in words what it has moved or dropped. A line whose text or source is unknown stays where it is.
func (s *Schedule) Find(sources Sources) (changes []string) {
	f := &finder{sources: sources, files: make(map[string]*file)}
	known := make(map[Line]string)
	now := func(l Line) string {
		at, ok := known[l]
		if !ok {
			at = f.find(l)
			known[l] = at
			switch {
			case at == "":
				changes = append(changes, fmt.Sprintf("%s: %s has no line %q any more", l.At,
					cmp.Or(l.Function, "the file"), l.Text))
			case at != l.At:
				changes = append(changes, fmt.Sprintf("%s is %s now", l.At, at))
			}
		}
		return at
	}
	s.Goroutines = slices.DeleteFunc(s.Goroutines, func(g Goroutine) bool { return now(g.Line) == "" })
	for i := range s.Goroutines {
		s.Goroutines[i].At = now(s.Goroutines[i].Line)
	}
	s.Steps = slices.DeleteFunc(s.Steps, func(step Step) bool { return now(step.Line) == "" })
	for i := range s.Steps {
		s.Steps[i].At = now(s.Steps[i].Line)
	}
	return changes
}

// finder looks for lines.
type finder struct {
	sources Sources
	files   map[string]*file // by name; nil if it cannot be read
}

// find returns where a line is now, "" if it is nowhere.
func (f *finder) find(l Line) (at string) {
	name, line, _ := cutPlace(l.At)
	all := f.filesNear(name, l.At)
	if l.Text == "" || len(all) == 0 {
		return l.At
	}
	exact, alike := linesLike(all, l.Function, code, l.Text), linesLike(all, l.Function, withoutNames, l.Text)
	if len(exact) > 1 || len(exact) == 0 && l.Alike.Of > 0 {
		if l.Alike.Of == len(alike) {
			if at := alike[l.Alike.Nth-1]; len(exact) == 0 || slices.Contains(exact, at) {
				return at
			}
		}
	}
	switch {
	case len(exact) > 0:
		return slices.MinFunc(exact, func(x, y string) int { return cmp.Compare(distance(x, line), distance(y, line)) })
	case l.Alike.Of == 0 && len(alike) == 1:
		return alike[0]
	}
	return ""
}

// filesNear returns the file of a place and those beside it that can be read.
func (f *finder) filesNear(name, at string) []*file {
	all := []*file{f.file(name)}
	for _, other := range f.sources.Beside(at) {
		if other != name {
			all = append(all, f.file(other))
		}
	}
	return slices.DeleteFunc(all, func(x *file) bool { return x == nil })
}

// linesLike returns the lines with that text in a function, or in the first file with such lines if
// no file has the function.
func linesLike(all []*file, function string, textOf func(string) string, text string) (places []string) {
	text = textOf(text)
	known := false
	for _, x := range all {
		if from, to, ok := x.extent(function); ok {
			known = true
			places = append(places, x.linesWithText(from, to, textOf, text)...)
		}
	}
	for i := 0; i < len(all) && !known && len(places) == 0; i++ {
		places = all[i].linesWithText(1, len(all[i].lines), textOf, text)
	}
	return places
}

// file returns a file, nil if it cannot be read.
func (f *finder) file(name string) *file {
	x, ok := f.files[name]
	if !ok {
		if src, _, ok := f.sources.File(name + ":1"); ok {
			x = parse(name, src)
		}
		f.files[name] = x
	}
	return x
}

type file struct {
	name  string
	lines []string
	decls []*ast.FuncDecl
	set   *token.FileSet
}

// parse parses a file, as far as it can be parsed.
func parse(name string, src []byte) *file {
	x := &file{name: name, lines: strings.Split(string(src), "\n"), set: token.NewFileSet()}
	parsed, _ := parser.ParseFile(x.set, "", src, parser.SkipObjectResolution)
	if parsed == nil {
		return x
	}
	for _, d := range parsed.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			x.decls = append(x.decls, d)
		}
	}
	return x
}

// extent returns the first and last line of a function. For a function literal it is the extent of
// the declaration around it.
func (x *file) extent(function string) (from, to int, ok bool) {
	for _, d := range x.decls {
		if isIn(function, d) {
			return x.set.Position(d.Pos()).Line, x.set.Position(d.End()).Line, true
		}
	}
	return 0, 0, false
}

// linesWithText returns the lines between from and to with that text.
func (x *file) linesWithText(from, to int, textOf func(string) string, text string) (places []string) {
	for n := from; n <= min(to, len(x.lines)); n++ {
		if textOf(x.lines[n-1]) == text {
			places = append(places, x.name+":"+strconv.Itoa(n))
		}
	}
	return places
}

// countSimilar counts the lines of a function that look like this one apart from names, and says
// which of them it is. It returns the zero value if the function is unknown.
func (x *file) countSimilar(function string, line int) (a Alike) {
	from, to, ok := x.extent(function)
	if !ok || line < from || line > to {
		return Alike{}
	}
	places := x.linesWithText(from, to, withoutNames, withoutNames(x.lines[line-1]))
	return Alike{Nth: 1 + slices.Index(places, x.name+":"+strconv.Itoa(line)), Of: len(places)}
}

// code returns the tokens of a line, without comments, with a space between two words.
func code(line string) string {
	return joined(line, func(_, _ token.Token, text string) string { return text })
}

// withoutNames is the code of a line without the names of variables, functions and types.
func withoutNames(line string) string {
	return joined(line, func(before, tok token.Token, text string) string {
		if tok == token.IDENT && before != token.PERIOD {
			return "_"
		}
		return text
	})
}

// joined applies word to each token of a line and joins the results.
func joined(line string, word func(before, tok token.Token, text string) string) string {
	set := token.NewFileSet()
	var s scanner.Scanner
	s.Init(set.AddFile("", -1, len(line)), []byte(line), nil, 0)
	var all []string
	for before := token.ILLEGAL; ; {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return strings.Join(all, " ")
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue
		}
		all = append(all, word(before, tok, cmp.Or(text, tok.String())))
		before = tok
	}
}

// cutPlace splits a place "dir/file.go:12".
func cutPlace(at string) (file string, line int, ok bool) {
	i := strings.LastIndexByte(at, ':')
	if i < 0 {
		return at, 0, false
	}
	line, err := strconv.Atoi(at[i+1:])
	return at[:i], line, err == nil
}

// distance returns the number of lines between a place and a line.
func distance(at string, line int) int {
	_, n, _ := cutPlace(at)
	return max(n-line, line-n)
}

// isIn reports whether a function is the declared one, or a literal in it: "shop.(*Cart).Add.func1"
// is in Add.
func isIn(function string, f *ast.FuncDecl) bool {
	_, name, _ := strings.Cut(function, ".")
	want := f.Name.Name
	if f.Recv != nil && len(f.Recv.List) == 1 {
		want = receiver(f.Recv.List[0].Type) + "." + want
	}
	return name == want || strings.HasPrefix(name, want+".")
}

// receiver is the type of a receiver as it stands in names of functions.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return "(*" + receiver(t.X) + ")"
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.ParenExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}
