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

// Sources has the source of a program.
type Sources interface {
	// File returns the file of a place, and the number of the line.
	File(at string) (src []byte, line int, ok bool)

	// Beside returns all Go files in the directory of a place, as places name them.
	Beside(at string) []string
}

// Find looks where the lines of the schedule are now in the program's source: lines of the same text in the same function, else with other
// names of variables and functions, in any file of the directory. It returns what has moved and what is no more, in words; what is no
// more it drops. A line whose text or source is unknown stays where it is.
func (s *Schedule) Find(sources Sources) (changes []string) {
	f := &finder{sources: sources, files: make(map[string]*file), now: make(map[Line]string)}
	for _, g := range s.Goroutines {
		f.add(g.Line)
	}
	for _, step := range s.Steps {
		f.add(step.Line)
	}
	f.look(code)
	f.decide()
	f.look(shape)
	f.decide()
	for _, l := range f.lines {
		switch at := f.now[l]; at {
		case "":
			changes = append(changes, fmt.Sprintf("%s: %s has no line %q any more", l.At, cmp.Or(l.Function, "the file"), l.Text))
		case l.At:
		default:
			changes = append(changes, fmt.Sprintf("%s is %s now", l.At, at))
		}
	}
	s.Goroutines = slices.DeleteFunc(s.Goroutines, func(g Goroutine) bool { return f.now[g.Line] == "" })
	for i := range s.Goroutines {
		s.Goroutines[i].At = f.now[s.Goroutines[i].Line]
	}
	s.Steps = slices.DeleteFunc(s.Steps, func(step Step) bool { return f.now[step.Line] == "" })
	for i := range s.Steps {
		s.Steps[i].At = f.now[s.Steps[i].Line]
	}
	return changes
}

// finder looks for lines.
type finder struct {
	sources Sources
	files   map[string]*file // by name; nil: it cannot be read
	lines   []Line           // that are looked for, each once
	alike   []*likeness      // that have been found, and not decided
	now     map[Line]string  // where each is, "" if nowhere so far
}

// likeness are lines of a schedule that look the same, and where such lines are.
type likeness struct {
	function, text string
	lines          []Line
	places         []string // in the order of files and lines
}

// file is a file of the source.
type file struct {
	name  string
	lines []string
	decls []*ast.FuncDecl
	set   *token.FileSet
}

// add adds a line, once.
func (f *finder) add(l Line) {
	if slices.Contains(f.lines, l) {
		return
	}
	f.lines = append(f.lines, l)
	f.now[l] = l.At
	if l.Text != "" && len(f.around(l)) > 0 {
		f.now[l] = ""
	}
}

// around returns the file of a line and those beside it that can be read.
func (f *finder) around(l Line) []*file {
	name, _, _ := cutPlace(l.At)
	all := []*file{f.file(name)}
	for _, other := range f.sources.Beside(l.At) {
		if other != name {
			all = append(all, f.file(other))
		}
	}
	return slices.DeleteFunc(all, func(x *file) bool { return x == nil })
}

// look looks for the lines that are nowhere so far, where no other line of the schedule is.
func (f *finder) look(textOf func(string) string) {
	taken := make(map[string]bool)
	for _, at := range f.now {
		taken[at] = true
	}
	for _, l := range f.lines {
		if f.now[l] != "" {
			continue
		}
		text := textOf(l.Text)
		places, known := linesLike(f.around(l), l.Function, textOf, text)
		places = slices.DeleteFunc(places, func(at string) bool { return taken[at] })
		if len(places) == 1 || len(places) > 0 && (known || text == code(l.Text)) { // else the function is gone, too, and so any of these could be the line
			f.group(l, text, places)
		}
	}
}

// linesLike returns where in a function there are lines of that text, or in the first file that has such lines if no file has the function.
func linesLike(all []*file, function string, textOf func(string) string, text string) (places []string, known bool) {
	for _, x := range all {
		from, to, ok := x.extent(function)
		if !ok {
			continue
		}
		known = true
		places = append(places, x.like(from, to, textOf, text)...)
	}
	if known {
		return places, true
	}
	for i := 0; i < len(all) && len(places) == 0; i++ {
		places = all[i].like(1, len(all[i].lines), textOf, text)
	}
	return places, false
}

// group puts a line to those that look the same.
func (f *finder) group(l Line, text string, places []string) {
	i := slices.IndexFunc(f.alike, func(a *likeness) bool {
		return a.function == l.Function && a.text == text && slices.Equal(a.places, places)
	})
	if i < 0 {
		i, f.alike = len(f.alike), append(f.alike, &likeness{function: l.Function, text: text, places: places})
	}
	f.alike[i].lines = append(f.alike[i].lines, l)
}

// decide decides where the lines are. If there are as many as look the same in the schedule, they are in the same order; else each is the nearest.
func (f *finder) decide() {
	for _, a := range f.alike {
		slices.SortStableFunc(a.lines, func(x, y Line) int { return cmp.Compare(lineOfPlace(x.At), lineOfPlace(y.At)) })
		for i, l := range a.lines {
			if len(a.lines) == len(a.places) {
				f.now[l] = a.places[i]
			} else {
				f.now[l] = slices.MinFunc(a.places, func(x, y string) int {
					return cmp.Compare(abs(lineOfPlace(x)-lineOfPlace(l.At)), abs(lineOfPlace(y)-lineOfPlace(l.At)))
				})
			}
		}
	}
	f.alike = nil
}

// file returns a file, nil if it cannot be read.
func (f *finder) file(name string) *file {
	x, ok := f.files[name]
	if !ok {
		if src, _, ok := f.sources.File(name + ":1"); ok {
			x = &file{name: name, lines: strings.Split(string(src), "\n"), set: token.NewFileSet()}
			parsed, _ := parser.ParseFile(x.set, "", src, parser.SkipObjectResolution) // what can be parsed of it
			if parsed != nil {
				for _, d := range parsed.Decls {
					if d, ok := d.(*ast.FuncDecl); ok {
						x.decls = append(x.decls, d)
					}
				}
			}
		}
		f.files[name] = x
	}
	return x
}

// extent returns the first and last line of a function, or of what it is a literal in.
func (x *file) extent(function string) (from, to int, ok bool) {
	for _, d := range x.decls {
		if isIn(function, d) {
			return x.set.Position(d.Pos()).Line, x.set.Position(d.End()).Line, true
		}
	}
	return 0, 0, false
}

// like returns where between two lines there are those with a text.
func (x *file) like(from, to int, textOf func(string) string, text string) (places []string) {
	for n := from; n <= min(to, len(x.lines)); n++ {
		if textOf(x.lines[n-1]) == text {
			places = append(places, x.name+":"+strconv.Itoa(n))
		}
	}
	return places
}

// code is what a line says to the compiler, with a space between two words.
func code(line string) string {
	return joined(line, func(_, _ token.Token, text string) string { return text })
}

// shape is the code of a line without the names of variables, functions and types.
func shape(line string) string {
	return joined(line, func(before, tok token.Token, text string) string {
		if tok == token.IDENT && before != token.PERIOD {
			return "_"
		}
		return text
	})
}

// joined joins what word makes of the tokens of a line.
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

// cutPlace takes a place "dir/file.go:12" apart.
func cutPlace(at string) (file string, line int, ok bool) {
	i := strings.LastIndexByte(at, ':')
	if i < 0 {
		return at, 0, false
	}
	line, err := strconv.Atoi(at[i+1:])
	return at[:i], line, err == nil
}

func lineOfPlace(at string) int {
	_, line, _ := cutPlace(at)
	return line
}

// isIn reports whether a function is the declared one, or a literal in it: "shop.(*Cart).Add.func1" is in Add.
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

// textOf returns a line of a source without space around it.
func textOf(src []byte, line int) string {
	for text := range strings.Lines(string(src)) {
		if line--; line == 0 {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

func abs(n int) int { return max(n, -n) }
