package instrument

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
)

// unseenCalls are functions that write to memory of their callers in ways that are not
// instrumented: with package reflect, in a package that the runtime uses or the runtime itself, in
// assembly, or in the kernel. A type stands for its methods that write to its values. runtime.Stack
// is left out: it mostly fills a buffer that no other goroutine has.
var unseenCalls = map[string]*regexp.Regexp{
	"fmt":             regexp.MustCompile(`^[SF]?[Ss]can(f|ln)?$`),
	"math/rand/v2":    regexp.MustCompile(`^(New)?ChaCha8$`),
	"runtime":         regexp.MustCompile(`^(Callers|ReadMemStats|\w+Profile)$`),
	"runtime/metrics": regexp.MustCompile(`^Read$`),
	"strconv":         regexp.MustCompile(`^Append(Bool|Float|Int|Uint)$`),
	"syscall": regexp.MustCompile(`^(Adjtimex|EpollWait|[FL]?[Ss]tat|F?[Ss]tatfs|` +
		`Get(cwd|dents|rlimit|rusage|timeofday|xattr)|Klogctl|Listxattr|Mmap|Nanosleep|Pipe2?|` +
		`Ptrace(GetRegs|Peek\w+)|Read(Dirent|link)|Recv(from|msg)|Select|Sendfile|Splice|Sysinfo|Times?|` +
		`Uname|Wait4)$`),
}

// maybeUnseen finds files that must be parsed.
var maybeUnseen = regexp.MustCompile(`\bclear\(|\b[SF]?[Ss]can(f|ln)?\b|` +
	`\bAppend(Bool|Float|Int|Uint)\b|ChaCha8|"runtime"|"runtime/metrics"|"syscall"`)

var noRace = []byte("//go:norace")

// hasNoRace reports whether functions of a package may be marked as reporting no accesses to
// memory. replace is the user's overlay.
func hasNoRace(l *frontend.Package, replace map[string]string) bool {
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
		file := frontend.Absolute(l.Dir, name)
		src, err := os.ReadFile(cmp.Or(replace[file], file))
		if err != nil || bytes.Contains(src, noRace) {
			return true
		}
	}
	return false
}

// unseen returns a part of a package that touches memory without being instrumented, "" if there is
// none: functions marked so, the function clear, which the compiler turns into a call of the
// runtime, and some of the library's.
func unseen(l *frontend.Package) string {
	for _, name := range l.GoFiles {
		src, err := os.ReadFile(frontend.Absolute(l.Dir, name))
		if err != nil {
			return "a file that cannot be read"
		}
		if bytes.Contains(src, noRace) {
			return string(noRace)
		}
		if !maybeUnseen.Match(src) {
			continue
		}
		if what := unseenIn(src); what != "" {
			return what
		}
	}
	return ""
}

// unseenIn is unseen for the source of a file.
func unseenIn(src []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return "" // it will not be compiled, either
	}
	imported := map[string]string{} // paths, by name
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if unseenCalls[path] == nil {
			continue
		}
		name := packageName(path)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = path
	}
	found := ""
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "clear" {
				found = "clear"
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && imported[x.Name] != "" &&
				unseenCalls[imported[x.Name]].MatchString(n.Sel.Name) {
				found = imported[x.Name] + "." + n.Sel.Name
			}
		case *ast.Ident:
			if path := imported["."]; path != "" && unseenCalls[path].MatchString(n.Name) {
				found = path + "." + n.Name
			}
		}
		return found == ""
	})
	return found
}

// packageName is the name of a package of the standard library.
func packageName(importPath string) string { return path.Base(strings.TrimSuffix(importPath, "/v2")) }
