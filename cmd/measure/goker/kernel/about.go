package kernel

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Leaks reads which goroutines the runtime's own test expects in the profile of each kernel. An
// expression matches "function(… [reason": the function that a goroutine began with, and why it
// waits.
func Leaks(goroot string) (map[string][]*regexp.Regexp, error) {
	path := filepath.Join(goroot, "src", "runtime", "goroutineleakprofile_test.go")
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	leaks := make(map[string][]*regexp.Regexp)
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || nameOf(call.Fun) != "makeTest" && nameOf(call.Fun) != "makeFlakyTest" {
			return true
		}
		var texts []string
		for _, arg := range call.Args {
			text, e := literal(arg)
			if e != nil {
				err = fmt.Errorf("%s: %w", path, e)
				return false
			}
			texts = append(texts, text)
		}
		for _, text := range texts[1:] {
			expression, e := regexp.Compile(text)
			if e != nil {
				err = fmt.Errorf("%s: %w", path, e)
				return false
			}
			leaks[texts[0]] = append(leaks[texts[0]], expression)
		}
		return true
	})
	return leaks, err
}

// literal is the string that an expression is.
func literal(e ast.Expr) (string, error) {
	l, ok := e.(*ast.BasicLit)
	if !ok {
		return "", fmt.Errorf("a test case is called with something else than strings")
	}
	return strconv.Unquote(l.Value)
}

// What the README beside the kernels says of each: a heading, and a table with a row.
var (
	heading = regexp.MustCompile(`(?m)^## (\w+)/(\d+)$`)
	row     = regexp.MustCompile(`(?m)^\|\[[^|]*\|[^|]*\|[^|]*\|([^|]*)\|([^|]*)\|`)
)

// Classes reads the classes of the bugs from the README beside the kernels: by the names of their
// files without .go, as "Resource: Double Locking".
func Classes(dir string) (map[string]string, error) {
	path := filepath.Join(dir, "README.md")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	classes := make(map[string]string)
	headings := heading.FindAllSubmatchIndex(text, -1)
	for i, at := range headings {
		end := len(text)
		if i+1 < len(headings) {
			end = headings[i+1][0]
		}
		name := strings.ToLower(string(text[at[2]:at[3]]) + string(text[at[4]:at[5]]))
		cells := row.FindSubmatch(text[at[1]:end])
		if cells == nil {
			return nil, fmt.Errorf("%s: no table under the heading of %s", path, name)
		}
		classes[name] = strings.TrimSpace(string(cells[1])) + ": " + strings.TrimSpace(string(cells[2]))
	}
	return classes, nil
}

// File is the name of the kernel's file without .go.
func (k *Kernel) File() string { return strings.TrimSuffix(filepath.Base(k.Path), ".go") }
