package goroot

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// Package sync/atomic. Its functions have no Go bodies, and a direct call of one is replaced by the
// compiler with an instruction, in every package. Here each gets a twin that does the operation, by
// the same replacement, and records it:
//
//   - the methods of the types call the twins;
//   - the functions call the twins, which takes effect where the compiler does not replace the
//     call: function values, and packages that are compiled with CallAtomics.

// twinPrefix begins the name of a twin.
const twinPrefix = "antichain"

// atomicFunc is a function of sync/atomic without a body.
type atomicFunc struct {
	name    string
	params  string   // "addr *int32, old, new int32"
	args    []string // "addr", "old", "new"
	results string   // "(swapped bool)" or ""
	result  string   // "swapped" or ""
	swaps   bool     // the result is a bool
}

// inRuntime reports whether the runtime implements f: there a write barrier belongs
// to the operation. The runtime's patches record it.
func (f *atomicFunc) inRuntime() bool {
	return strings.HasSuffix(f.name, "Pointer") && f.name != "LoadPointer"
}

func (f *atomicFunc) kind() string {
	switch {
	case strings.HasPrefix(f.name, "Load"):
		return "KindAtomicLoad"
	case strings.HasPrefix(f.name, "Store"):
		return "KindAtomicStore"
	default:
		return "KindAtomicRMW"
	}
}

// value is the expression that the record carries.
func (f *atomicFunc) value() string {
	switch {
	case strings.HasSuffix(f.name, "Pointer"):
		return "0"
	case f.result == "":
		return "uintptr(" + f.args[1] + ")"
	case f.swaps:
		return "uintptr(*(*uint8)(unsafe.Pointer(&" + f.result + ")))"
	default:
		return "uintptr(" + f.result + ")"
	}
}

// size returns the size of the variable in bytes.
func (f *atomicFunc) size() int {
	if strings.HasSuffix(f.name, "32") {
		return 4
	}
	return 8
}

// source returns the function and its twin. While the twin holds the lock of the variable it must
// not be preempted, hence nosplit; see antichainAtomicBegin. A load first tries to do without the
// lock; see antichainAtomicPeek.
func (f *atomicFunc) source() string {
	assign, ret := "", ""
	if f.result != "" {
		assign, ret = f.result+" = ", "return "
	}
	args := strings.Join(f.args, ", ")
	peek := ""
	if f.kind() == "KindAtomicLoad" {
		peek = fmt.Sprintf(`
	if taken := antichainPeek(uintptr(unsafe.Pointer(%[1]s))); taken != 0 {
		%[2]s%[3]s(%[4]s)
		if antichainPeeked(uintptr(unsafe.Pointer(%[1]s)), taken) {
			return
		}
	}`, f.args[0], assign, f.name, args)
	}
	return fmt.Sprintf(`
//go:nosplit
//go:noinline
func %[1]s(%[2]s) %[3]s { %[4]s%[5]s%[1]s(%[6]s) }

//go:nosplit
//go:noinline
func %[5]s%[1]s(%[2]s) %[3]s {
	if antichainOn == 0 {
		%[7]s%[1]s(%[6]s)
		return
	}%[12]s
	ctx := antichainBegin(uintptr(unsafe.Pointer(%[11]s)))
	%[7]s%[1]s(%[6]s)
	antichainEnd(ctx, antichain%[8]s, uintptr(unsafe.Pointer(%[11]s)), %[9]s, %[10]d)
	return
}
`, f.name, f.params, f.results, ret, twinPrefix, args, assign, f.kind(), f.value(), f.size(), f.args[0], peek)
}

// atomicHeader declares the parts of the runtime that the twins use. The variable and the functions
// are defined there.
const atomicHeader = `package atomic

import "unsafe"

//go:linkname antichainOn runtime.antichainOn
var antichainOn uint32

//go:linkname antichainBegin runtime.antichainAtomicBegin
//go:nosplit
func antichainBegin(addr uintptr) uintptr

//go:linkname antichainPeek runtime.antichainAtomicPeek
//go:nosplit
func antichainPeek(addr uintptr) uint64

//go:linkname antichainPeeked runtime.antichainAtomicPeeked
//go:nosplit
func antichainPeeked(addr uintptr, taken uint64) bool

//go:linkname antichainEnd runtime.antichainAtomicEnd
//go:nosplit
func antichainEnd(ctx uintptr, kind uint64, addr, value, size uintptr)

// antichainLoadType loads the type of a Value. Once it is there it stays, and whoever finds it goes
// on to the data, which was stored before: that orders all that the type would.
func antichainLoadType(addr *unsafe.Pointer) unsafe.Pointer {
	if typ := LoadPointer(addr); typ != nil && typ != unsafe.Pointer(&firstStoreInProgress) {
		return typ
	}
	return antichainLoadPointer(addr)
}
`

// patchAtomics returns the changed and new files of sync/atomic. read returns a file
// below GOROOT/src.
func patchAtomics(read func(string) (string, error)) (map[string]string, error) {
	layout, err := ring.HookConstants("atomic", "antichain")
	if err != nil {
		return nil, err
	}
	files := make(map[string]string)
	var funcs []atomicFunc
	for _, name := range []string{"sync/atomic/doc.go", "sync/atomic/doc_64.go"} {
		src, err := read(name)
		if err != nil {
			return nil, err
		}
		rest, found, err := takeBodiless(name, src)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s declares no functions without body", name)
		}
		files[name] = rest
		funcs = append(funcs, found...)
	}
	asm, err := read("sync/atomic/asm.s")
	if err != nil {
		return nil, err
	}
	var twins strings.Builder
	twins.WriteString(atomicHeader)
	var names []string
	for i := range funcs {
		f := &funcs[i]
		if asm, err = removeAssembly(asm, f.name); err != nil {
			return nil, err
		}
		twins.WriteString(f.source())
		names = append(names, f.name)
	}
	files["sync/atomic/asm.s"] = asm
	files["sync/atomic/antichain.go"] = twins.String()
	files["sync/atomic/antichain_layout.go"] = layout
	for _, name := range []string{"sync/atomic/type.go", "sync/atomic/value.go"} {
		src, err := read(name)
		if err != nil {
			return nil, err
		}
		if files[name], err = callTwins(src, names); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// takeBodiless removes the functions without a body from a file, except for functions that the
// runtime implements. It returns the remaining text and the removed functions.
func takeBodiless(name, src string) (rest string, funcs []atomicFunc, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", nil, err
	}
	for _, decl := range slices.Backward(file.Decls) {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Body != nil || d.Recv != nil {
			continue
		}
		f, err := newAtomicFunc(fset, d)
		if err != nil {
			return "", nil, err
		}
		if f.inRuntime() {
			continue
		}
		funcs = append(funcs, f)
		from, to := d.Pos(), d.End()
		if d.Doc != nil {
			from = d.Doc.Pos()
		}
		src = src[:fset.Position(from).Offset] + src[afterSemicolon(src, fset.Position(to).Offset):]
	}
	slices.Reverse(funcs)
	return src, funcs, nil
}

func newAtomicFunc(fset *token.FileSet, d *ast.FuncDecl) (atomicFunc, error) {
	f := atomicFunc{name: d.Name.Name}
	var params []string
	for _, field := range d.Type.Params.List {
		var typ strings.Builder
		if err := printer.Fprint(&typ, fset, field.Type); err != nil {
			return f, err
		}
		for _, n := range field.Names {
			f.args = append(f.args, n.Name)
			params = append(params, n.Name+" "+typ.String())
		}
	}
	f.params = strings.Join(params, ", ")
	if len(params) == 0 || !strings.Contains(params[0], " *") {
		return f, fmt.Errorf("%s has no pointer as its first parameter", f.name)
	}
	if r := d.Type.Results; r != nil {
		if len(r.List) != 1 || len(r.List[0].Names) != 1 {
			return f, fmt.Errorf("%s has results of another form", f.name)
		}
		var typ strings.Builder
		if err := printer.Fprint(&typ, fset, r.List[0].Type); err != nil {
			return f, err
		}
		f.result = r.List[0].Names[0].Name
		f.swaps = typ.String() == "bool"
		f.results = "(" + f.result + " " + typ.String() + ")"
	}
	return f, nil
}

func removeAssembly(asm, name string) (string, error) {
	re := regexp.MustCompile(`(?m)^TEXT ·` + name + `\(SB\).*\n(?:[ \t].*\n)*`)
	if n := len(re.FindAllString(asm, -1)); n != 1 {
		return "", fmt.Errorf("asm.s has %d functions %s, not 1", n, name)
	}
	return re.ReplaceAllString(asm, ""), nil
}

// callTwins makes the methods in src call the twins, and keeps them from being inlined; see
// noinline.
func callTwins(src string, names []string) (string, error) {
	all, err := scan(src)
	if err != nil {
		return "", err
	}
	var edits []edit
	for i := range all {
		switch at := all[i].from; {
		case loadsType(all[i:]):
			edits = append(edits, edit{from: at, to: at + len(all[i].text), text: twinPrefix + "LoadType"})
		case i > 0 && i+1 < len(all) && all[i+1].tok == token.LPAREN && all[i-1].tok != token.PERIOD &&
			slices.Contains(names, all[i].text):
			edits = append(edits, edit{from: at, to: at, text: twinPrefix})
		case all[i].begins && isMethodOfPointer(all[i:]):
			edits = append(edits, edit{from: at, to: at, text: "//\n//go:noinline\n"})
		}
	}
	return applyEdits(src, edits)
}

// loadsType reports whether the type of a Value is loaded here: LoadPointer(&v.typ), whatever v is
// called.
func loadsType(all []lexeme) bool {
	return len(all) > 6 && all[0].text == "LoadPointer" && all[1].tok == token.LPAREN && all[2].tok == token.AND &&
		all[4].tok == token.PERIOD && all[5].text == "typ" && all[6].tok == token.RPAREN
}

// isMethodOfPointer reports whether an exported method with a pointer receiver that has a name
// begins here.
func isMethodOfPointer(all []lexeme) bool {
	if len(all) < 4 || all[0].tok != token.FUNC || all[1].tok != token.LPAREN {
		return false
	}
	end := closingOf(all, 1)
	return end > 0 && end+1 < len(all) && all[2].tok == token.IDENT && all[3].tok == token.MUL &&
		token.IsExported(all[end+1].text)
}
