//go:build unix

package corpus

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// A source is the text of a program.
type source struct {
	lines     []string
	functions map[string][2]int // first and last line, by names such as (*T).f
}

func parseSource(text []byte) (*source, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "main.go", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	s := &source{lines: strings.Split(string(text), "\n"), functions: make(map[string][2]int)}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			s.functions[nameOf(f)] = [2]int{files.Position(f.Pos()).Line, files.Position(f.End()).Line}
		}
	}
	return s, nil
}

// nameOf is the name of a function in a stack trace, without the package.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver := types.ExprString(f.Recv.List[0].Type)
	if strings.HasPrefix(receiver, "*") {
		receiver = "(" + receiver + ")"
	}
	return receiver + "." + f.Name.Name
}

// find returns the lines of a function that have a text.
func (s *source) find(function, text string) (found []int) {
	extent, ok := s.functions[function]
	if !ok {
		return nil
	}
	for n := extent[0]; n <= extent[1]; n++ {
		if strings.Contains(s.lines[n-1], text) {
			found = append(found, n)
		}
	}
	return found
}
