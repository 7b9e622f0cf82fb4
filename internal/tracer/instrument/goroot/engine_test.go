package goroot

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawExpr draws an expression, with parentheses wherever they are legal.
func drawExpr(t *rapid.T, depth int) string {
	e := drawOperand(t, depth)
	if depth > 0 {
		switch rapid.IntRange(0, 5).Draw(t, "form") {
		case 0, 1, 2:
			op := rapid.SampledFrom([]string{"+", "-", "*", "/", "&", "|", "<<", "==", "<", "&&", "||"}).Draw(t,
				"operator")
			e = drawExpr(t, depth-1) + " " + op + " " + drawExpr(t, depth-1)
		case 3:
			e = rapid.SampledFrom([]string{"!", "-", "*", "&", "<-", "^"}).Draw(t, "unary") + " " + drawExpr(t, depth-1)
		}
	}
	for rapid.IntRange(0, 2).Draw(t, "parentheses?") == 0 {
		e = "(" + e + ")"
	}
	return e
}

func drawOperand(t *rapid.T, depth int) string {
	name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name")
	if depth == 0 {
		return name
	}
	x := func() string { return drawExpr(t, depth-1) }
	group := func() string { return "(" + x() + ")" }
	switch rapid.IntRange(0, 9).Draw(t, "operand") {
	case 0:
		return name + "(" + x() + ", " + x() + ")"
	case 1:
		return name + "[" + x() + "]"
	case 2:
		return name + "[" + x() + ":" + x() + "]"
	case 3:
		return group() + "." + name
	case 4:
		return group() + "(" + x() + ")"
	case 5:
		return group() + ".(T)"
	case 6:
		return "T{" + name + ": " + x() + ", b: " + x() + "}"
	case 7:
		return "func(" + name + " int) int { return " + x() + " }"
	case 8:
		return group() + "[" + x() + "]"
	}
	return name
}

// withoutParens prints an expression as it is without any of its parentheses, with some of its own.
func withoutParens(t rapid.TB, src string) string {
	t.Helper()
	e, err := parser.ParseExpr(src)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	var b strings.Builder
	writeTree(&b, e)
	return b.String()
}

// writeTree writes a syntax tree without positions and parentheses.
func writeTree(b *strings.Builder, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			b.WriteString(") ")
			return false
		case *ast.ParenExpr:
			writeTree(b, n.X)
			return false
		case *ast.Ident:
			b.WriteString("(" + n.Name)
			return true
		case *ast.BinaryExpr:
			b.WriteString("(" + n.Op.String() + " ")
			return true
		case *ast.UnaryExpr:
			b.WriteString("(unary" + n.Op.String() + " ")
			return true
		}
		fmt.Fprintf(b, "(%T ", n)
		return true
	})
}

// Expressions have the same tokens if and only if they are the same but for parentheses.
func TestParentheses(t *testing.T) {
	tokens := func(t rapid.TB, context, e string) string {
		all, err := scan(fmt.Sprintf(context, e))
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, l := range all {
			words = append(words, l.text)
		}
		return strings.Join(words, " ")
	}
	contexts := []string{"x = %s\n", "if %s {\n}\n", "return %s\n", "f(%s)\n", "for %s {\n}\n", "{ x := %s }\n",
		"c <- %s\n", "switch {\ncase %s:\n}\n", "x += %s\n"}
	compare := func(t rapid.TB, context, a, b string) {
		t.Helper()
		same := withoutParens(t, a) == withoutParens(t, b)
		if got := tokens(t, context, a) == tokens(t, context, b); got != same {
			t.Errorf("in %q: %s and %s are the same: %v, their tokens: %v\n%s\n%s", context, a, b, same, got,
				tokens(t, context, a), tokens(t, context, b))
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		context := rapid.SampledFrom(contexts).Draw(r, "context")
		a, b := drawExpr(r, 2), drawExpr(r, 2)
		compare(r, context, a, b)
		// The same one with other parentheses, and one that differs only by them.
		e, err := parser.ParseExpr(a)
		if err != nil {
			r.Fatal(err)
		}
		compare(r, context, a, otherParentheses(r, e))
		if other := strings.NewReplacer("(", "", ")", "").Replace(a); isExpr(other) {
			compare(r, context, a, other)
		}
	})
	for _, pair := range [][2]string{
		{"((a+b))*c", "a+b*c"}, {"(a+b)*c", "((a+b))*c"}, {"x.(T)", "x.T"}, {"(*p).f", "*p.f"}, {"(*p)()", "*p()"},
		{"(a-b)-c", "a-b-c"}, {"a-(b-c)", "a-b-c"},
		{"(<-c)+1", "<-c+1"}, {"-(a+b)", "-a+b"}, {"!(a==b)", "!a==b"}, {"(a)(b)", "a(b)"}, {"(a.b)(c)", "a.b(c)"},
		{"(func())(x)", "func()(x)"}, {"a[(i)]", "a[i]"},
	} {
		if isExpr(pair[1]) {
			compare(t, contexts[0], pair[0], pair[1])
		}
	}
}

func isExpr(src string) bool {
	_, err := parser.ParseExpr(src)
	return err == nil
}

// otherParentheses prints an expression with parentheses around other parts of it.
func otherParentheses(t *rapid.T, e ast.Expr) string {
	e = reparenthesise(t, e)
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), e); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func reparenthesise(t *rapid.T, e ast.Expr) ast.Expr {
	again := func(x ast.Expr) ast.Expr {
		if x = reparenthesise(t, x); rapid.IntRange(0, 2).Draw(t, "more?") == 0 {
			return &ast.ParenExpr{X: x}
		}
		return x
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		x.X = again(x.X)
	case *ast.BinaryExpr:
		x.X, x.Y = again(x.X), again(x.Y)
	case *ast.UnaryExpr:
		x.X = again(x.X)
	case *ast.StarExpr:
		x.X = again(x.X)
	case *ast.CallExpr:
		for i := range x.Args {
			x.Args[i] = again(x.Args[i])
		}
	case *ast.IndexExpr:
		x.Index = again(x.Index)
	}
	return e
}

// drawWords draws the words of a small program, or with holes those of a pattern, which may leave
// brackets open.
func drawWords(t *rapid.T, n int, holes bool) []string {
	words := []string{"f", "g", "x", "y", "+", ".", "\n", "1"}
	if holes {
		words = append(words, "$a", "$b", "...", "$a")
	}
	var drawn []string
	depth := 0
	for range rapid.IntRange(1, n).Draw(t, "length") {
		switch rapid.IntRange(0, 5).Draw(t, "bracket") {
		case 0:
			drawn = append(drawn, "(")
			depth++
		case 1:
			if depth > 0 {
				drawn = append(drawn, ")")
				depth--
			}
		default:
			drawn = append(drawn, rapid.SampledFrom(words).Draw(t, "word"))
		}
	}
	for ; depth > 0 && !holes; depth-- {
		drawn = append(drawn, ")")
	}
	return drawn
}

// drawPart draws a pattern that is a part of a program: some of its names are holes, and dots stand
// for some of its words.
func drawPart(t *rapid.T, program []string, n int) []string {
	from := rapid.IntRange(0, max(0, len(program)-1)).Draw(t, "from")
	part := program[from:min(len(program), from+rapid.IntRange(1, n).Draw(t, "length"))]
	holes := map[string]string{"f": "$a", "g": "$b", "x": "$b", "y": "$a"}
	var pattern []string
	for i := 0; i < len(part); i++ {
		hole, isName := holes[part[i]]
		switch rapid.IntRange(0, 7).Draw(t, "instead") {
		case 0:
			pattern = append(pattern, "...")
			i += rapid.IntRange(0, 3).Draw(t, "more")
		case 1, 2:
			if isName {
				pattern = append(pattern, hole)
				continue
			}
			fallthrough
		default:
			pattern = append(pattern, part[i])
		}
	}
	return pattern
}

// naiveMatch reports whether some way for dots to stand for something lets a pattern match all[i:]
// exactly up to end, trying all of them; it knows nothing of pruning.
func naiveMatch(pattern, all []lexeme, i, k int, names binding) (ends []int) {
	if k == len(pattern) {
		return []int{i}
	}
	p := &pattern[k]
	if p.tok == token.ELLIPSIS {
		for to := i; to <= len(all); to++ {
			if isBalanced(all[i:to]) {
				ends = append(ends, naiveMatch(pattern, all, to, k+1, names)...)
			}
		}
		return ends
	}
	if i == len(all) {
		return nil
	}
	if k > 0 && pattern[k-1].tok != token.ELLIPSIS && !isClosing(p.tok) && p.begins != all[i].begins {
		return nil
	}
	names = maps.Clone(names)
	if strings.HasPrefix(p.text, metaPrefix) {
		if all[i].tok != token.IDENT || i > 0 && all[i-1].tok == token.PERIOD {
			return nil
		}
		for name, text := range names {
			if (name == p.text) != (text == all[i].text) {
				return nil
			}
		}
		names[p.text] = all[i].text
	} else if p.tok != all[i].tok || p.text != all[i].text {
		return nil
	}
	return naiveMatch(pattern, all, i+1, k+1, names)
}

func isBalanced(all []lexeme) bool {
	depth := 0
	for _, l := range all {
		switch {
		case isOpening(l.tok):
			depth++
		case isClosing(l.tok):
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// naiveFind returns the places where some way to match succeeds, each with the shortest.
func naiveFind(pattern, all []lexeme) (places [][2]int) {
	for i := 0; i < len(all); i++ {
		if ends := naiveMatch(pattern, all, i, 0, binding{}); len(ends) > 0 {
			end := slices.Min(ends)
			places = append(places, [2]int{i, end})
			i = max(i, end-1)
		}
	}
	return places
}

// compareFind compares the places that a diff of a pattern finds in a program with those of
// naiveFind, and returns them.
func compareFind(t rapid.TB, d *diff, pattern string, all []lexeme) [][2]int {
	t.Helper()
	var got [][2]int
	for _, m := range d.find(all, span{0, len(all)}, binding{}) {
		got = append(got, [2]int{m.at[0], m.at[len(m.at)-1] + 1})
	}
	if diff := cmp.Diff(naiveFind(d.pattern, all), got); diff != "" {
		t.Fatalf("pattern %q in %q (-want +got):\n%s", pattern, words(all), diff)
	}
	return got
}

// asDiff makes a pattern the text of a diff that changes nothing.
func asDiff(pattern string) string {
	return "  " + strings.ReplaceAll(pattern, "\n", "\n  ") + "\n"
}

// The places that a diff finds are those where any way to match succeeds, in random programs for
// random patterns and for parts of the programs.
func TestFind(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		program := drawWords(r, 24, false)
		all, err := scan(strings.Join(program, " "))
		if err != nil {
			r.Fatal(err)
		}
		pattern := ""
		if rapid.Bool().Draw(r, "part?") {
			pattern = strings.Join(drawPart(r, program, 7), " ")
		} else {
			pattern = strings.Join(drawWords(r, 7, true), " ")
		}
		if d, err := parseDiff(asDiff(pattern)); err == nil {
			compareFind(r, d, pattern, all)
		}
	})
}

// Something is found where a pattern stands in a program, and nothing elsewhere.
func TestFindTable(t *testing.T) {
	for _, tt := range []struct {
		pattern, program string
		want             [][2]int
	}{
		{"x", "f(x) + x", [][2]int{{2, 3}, {5, 6}}},
		{"f($a)", "f(x) + f(y) + f(1)", [][2]int{{0, 4}, {5, 9}}},
		{"$a + $a", "x + y\ny + y", [][2]int{{3, 6}}},
		{"$a + $b", "x + x\nx + y", [][2]int{{3, 6}}},
		{"$a", "x.y", [][2]int{{0, 1}}},
		{"f(...)", "f((x)(y)) + g(f())", [][2]int{{0, 7}, {10, 13}}},
		{"f ... x", "f(x) f + x", [][2]int{{0, 7}}},
		{"f ... f", "f f f f", [][2]int{{0, 2}, {2, 4}}},
		{"f ... $a + $a", "f + x + x", [][2]int{{0, 5}}},
		{"( ... x", "(y x) (x", [][2]int{{0, 3}, {4, 6}}},
		{"f ... ) ... x", "(f y) + x", [][2]int{{1, 6}}},
		{"x\ny", "x y\nx\ny", [][2]int{{2, 4}}},
		{"x y", "x\ny", nil},
		{"x ... y", "x\n1\ny", [][2]int{{0, 3}}},
		{"f(x", "f(x y)", [][2]int{{0, 3}}},
	} {
		all, err := scan(tt.program)
		if err != nil {
			t.Fatal(err)
		}
		d, err := parseDiff(asDiff(tt.pattern))
		if err != nil {
			t.Fatalf("%q: %v", tt.pattern, err)
		}
		if diff := cmp.Diff(tt.want, compareFind(t, d, tt.pattern, all)); diff != "" {
			t.Errorf("pattern %q in %q (-want +got):\n%s", tt.pattern, words(all), diff)
		}
	}
}

func words(all []lexeme) string {
	var b strings.Builder
	for _, l := range all {
		b.WriteString(l.text + " ")
	}
	return b.String()
}

// Changes that do not overlap are those that a machine makes that copies byte for byte.
func TestApplyEdits(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		src := rapid.StringMatching(`[a-z]{0,30}`).Draw(r, "source")
		var edits []edit
		for range rapid.IntRange(0, 6).Draw(r, "edits") {
			from := rapid.IntRange(0, len(src)).Draw(r, "from")
			edits = append(edits, edit{
				from: from, to: rapid.IntRange(from, min(len(src), from+4)).Draw(r, "to"),
				text: rapid.StringMatching(`[A-Z]{0,3}`).Draw(r, "text"),
				weak: rapid.IntRange(0, 3).Draw(r, "weak") == 0,
			})
		}
		want, ok := naiveEdits(src, edits)
		got, err := applyEdits(src, edits)
		if ok != (err == nil) || ok && got != want {
			r.Errorf("%q with %+v: got %q, %v, want %q, %v", src, edits, got, err, want, ok)
		}
	})
}

// naiveEdits makes changes: at each place first what is inserted, in its order, then what is
// replaced. Of changes that replace the same the longest counts if the others are weak or the same.
func naiveEdits(src string, edits []edit) (string, bool) {
	var b strings.Builder
	covered := 0 // up to here the source is gone
	for at := 0; at <= len(src); at++ {
		for _, e := range edits {
			switch {
			case e.from != at || e.to != at:
			case at >= covered:
				b.WriteString(e.text)
			case !e.weak:
				return "", false
			}
		}
		var here []edit
		for _, e := range edits {
			if e.from == at && e.to > at {
				here = append(here, e)
			}
		}
		slices.SortStableFunc(here, func(a, b edit) int { return b.to - a.to })
		for i, e := range here {
			switch {
			case at >= covered:
				b.WriteString(e.text)
				covered = e.to
			case e.weak || i > 0 && e == here[i-1]:
			default:
				return "", false
			}
		}
		if at >= covered && at < len(src) {
			b.WriteByte(src[at])
		}
	}
	return b.String(), true
}

// A file imports what it uses of what it imported and of what is wanted, and nothing else.
func TestWithImports(t *testing.T) {
	packages := []string{"unsafe", "internal/race", "internal/runtime/atomic", "net/http", "sync"}
	rapid.Check(t, func(r *rapid.T) {
		some := func(label string) []string {
			return rapid.SliceOfNDistinct(rapid.SampledFrom(packages), 0, 4, rapid.ID[string]).Draw(r, label)
		}
		imported, used, wanted := some("imported"), some("used"), some("wanted")
		separator := rapid.SampledFrom([]string{"\n", "; ", " // a comment\n", "\n\n"}).Draw(r, "separator")
		var b strings.Builder
		b.WriteString("// Package p is one.\npackage p" + separator)
		if rapid.Bool().Draw(r, "group") && len(imported) > 0 {
			b.WriteString("import (" + rapid.SampledFrom([]string{"\n", ""}).Draw(r, "first"))
			for _, p := range imported {
				b.WriteString(fmt.Sprintf("%q%s", p, separator))
			}
			b.WriteString(")" + separator)
		} else {
			for _, p := range imported {
				b.WriteString(fmt.Sprintf("import %q%s", p, separator))
			}
		}
		b.WriteString("import _ \"embed\"" + separator)
		for i, p := range used {
			b.WriteString(fmt.Sprintf("var v%d = %s.X%s", i, p[strings.LastIndexByte(p, '/')+1:], separator))
		}
		text, err := withImports(b.String(), wanted)
		if err != nil {
			r.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, parser.SkipObjectResolution)
		if err != nil {
			r.Fatalf("%v in\n%s\nof\n%s", err, text, b.String())
		}
		var got []string
		for _, s := range file.Imports {
			got = append(got, strings.Trim(s.Path.Value, `"`))
		}
		want := []string{"embed"}
		for _, p := range used {
			if slices.Contains(imported, p) || slices.Contains(wanted, p) {
				want = append(want, p)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if d := cmp.Diff(want, got); d != "" {
			r.Errorf("imports of\n%s\n(-want +got):\n%s", text, d)
		}
	})
}

// Declarations are found wherever they stand, and nothing is taken for one.
func TestDeclaration(t *testing.T) {
	src := `package p

func bodiless(a int) uintptr

func (x *T) method(int, string) {}

func (T) value() {}
func (*T) pointer() (f func(), m map[string]struct{ a int }) { return }
func generic[K comparable, V any](k K, _ V) (r interface{ M() }) { return nil }
func (p *G[K]) of(k K) { func() { type inner struct{} }() }

type T struct{ f func() }
type (
	A struct{ a int }
	B = func()
)
const one = 1
const (
	two, three = 2, 3
	four       = iota
)
var f = func() { const one = 2 }
type F func(int) (string, error)
func last() {}
`
	all, err := scan(src)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"bodiless":     "",
		"(*T).method":  "func ( x * T ) method ( int , string ) { } ",
		"(T).value":    "func ( T ) value ( ) { } ",
		"(*T).pointer": "func ( * T ) pointer ( ) ( f func ( ) , m map [ string ] struct { a int } ) { return } ",
		"generic": "func generic [ K comparable , V any ] ( k K , _ V ) ( r interface { M ( ) } ) { " +
			"return nil } ",
		"(*G).of":       "func ( p * G [ K ] ) of ( k K ) { func ( ) { type inner struct { } } ( ) } ",
		"type T":        "type T struct { f func ( ) } ",
		"type A":        "A struct { a int } ",
		"type B":        "B = func ( ) ",
		"type F":        "type F func ( int ) ( string , error ) ",
		"const one":     "const one = 1 ",
		"const two":     "two , three = 2 , 3 ",
		"const four":    "four = iota ",
		"var f":         "var f = func ( ) { const one = 2 } ",
		"last":          "func last ( ) { } ",
		"(*T).value":    "",
		"(T).method":    "",
		"type inner":    "",
		"const unknown": "",
	} {
		got := ""
		for _, s := range declaration(all, name) {
			got += words(all[s.from:s.to])
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string][]string{
		"(*T).method": {"x", "", ""}, "generic": {"k", "_"}, "(*G).of": {"p", "k"}, "(*T).pointer": {""}, "last": nil,
	} {
		if d := cmp.Diff(want, parameters(all, declaration(all, name)[0].from)); d != "" {
			t.Errorf("%s: parameters (-want +got):\n%s", name, d)
		}
	}
	if _, err := bindParameters([]string{"x", "n", "_"}, all, declaration(all, "(*T).method")[0].from); err == nil {
		t.Error("a parameter without a name is bound")
	}
}

// A change takes with it the parentheses whose other half it changes, and no others.
func TestEditsInParentheses(t *testing.T) {
	for _, tt := range []struct{ diff, src, want string }{
		{"- x = a + b\n+ y()", "x = (a + b)\n", "y()\n"},
		{"- x = a + b\n+ y()", "x = ((a) + (b))\n", "y()\n"},
		{"- a + b\n+ y", "x = (a + b)\n", "x = (y)\n"},
		{"- x = a +\n+ y(\n  b", "x = (a + b)\n", ""},
		{"  x = a\n+ y()", "x = (a)\nz()\n", "x = (a)\ny()\n\nz()\n"},
		{"  x = a\n+ y()", "x = a; z()\n", "x = a;\ny()\n z()\n"},
		{"+ y()\n  x()", "(x)()\n", "y()\n(x)()\n"},
		{"- a +\n+ b +\n  c", "x = (a) + (c)\n", "x = b + (c)\n"},
	} {
		d, err := parseDiff(tt.diff)
		if err != nil {
			t.Fatal(err)
		}
		all, err := scan("f()\n" + tt.src + "g()\n")
		if err != nil {
			t.Fatal(err)
		}
		found := d.find(all, span{0, len(all)}, nil)
		if len(found) != 1 {
			t.Errorf("%q: %d places in %q", tt.diff, len(found), tt.src)
			continue
		}
		src := "f()\n" + tt.src + "g()\n"
		edits, err := d.edits(src, all, &found[0])
		if err != nil {
			if tt.want != "" {
				t.Errorf("%q in %q: %v", tt.diff, tt.src, err)
			}
			continue
		}
		got, err := applyEdits(src, edits)
		if want := "f()\n" + tt.want + "g()\n"; err != nil || got != want {
			t.Errorf("%q in %q: %q, %v, want %q", tt.diff, tt.src, got, err, want)
		}
	}
}
