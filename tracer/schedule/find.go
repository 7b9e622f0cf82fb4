package schedule

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Find looks where the lines of the schedule are now in the program's source, which source returns for a place: lines of
// the same text in the same function, the nearest of several. It returns what has moved and what is no more, in words; what is
// no more it drops. A line whose text or source is unknown stays where it is.
func (s *Schedule) Find(source func(at string) (src []byte, line int, ok bool)) (changes []string) {
	known := make(map[Line]string)
	now := func(l Line) string {
		at, ok := known[l]
		if !ok {
			at = find(l, source)
			known[l] = at
			switch {
			case at == "":
				changes = append(changes, fmt.Sprintf("%s: %s has no line %q any more", l.At, cmp.Or(l.Function, "the file"), l.Text))
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

// find returns where a line is now, "" if nowhere.
func find(l Line, source func(string) ([]byte, int, bool)) (at string) {
	src, line, ok := source(l.At)
	if !ok || l.Text == "" {
		return l.At
	}
	from, to := extent(src, l.Function)
	best := 0
	for i, text := range strings.Split(string(src), "\n") {
		if n := i + 1; n >= from && n <= to && strings.TrimSpace(text) == l.Text && (best == 0 || abs(n-line) < abs(best-line)) {
			best = n
		}
	}
	if best == 0 {
		return ""
	}
	return l.At[:strings.LastIndexByte(l.At, ':')+1] + strconv.Itoa(best)
}

// extent returns the first and last line of a function, or of what it is a literal in; of the whole file if it is not found.
func extent(src []byte, function string) (from, to int) {
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, "", src, parser.SkipObjectResolution) // what can be parsed of it
	whole := 1 + strings.Count(string(src), "\n")
	if file == nil {
		return 1, whole
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && isIn(function, f) {
			return fset.Position(f.Pos()).Line, fset.Position(f.End()).Line
		}
	}
	return 1, whole
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
