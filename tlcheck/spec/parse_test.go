package spec_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

const ringbuffer = `// A ring buffer after Frey 1996.
shared b.last, b.data
property exclusive_append: not (t1:(in.append) and t2:(in.append)) if t1 != t2
property sane initially: // from the start
	henceforth t:(b.last >= b.first)   // always

property last: t':(x)
`

func TestParseFile(t *testing.T) {
	f, err := spec.Parse("ringbuffer.tl", ringbuffer)
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Name, Source string
		Initially    bool
		Pos          spec.Pos
	}
	var got []row
	for _, p := range f.Properties {
		got = append(got, row{p.Name, p.Source, p.Initially, p.Pos})
	}
	want := []row{
		{"exclusive_append", "not (t1:(in.append) and t2:(in.append)) if t1 != t2", false, spec.Pos{Line: 3, Col: 10}},
		{"sane", "henceforth t:(b.last >= b.first)", true, spec.Pos{Line: 4, Col: 10}},
		{"last", "t':(x)", false, spec.Pos{Line: 7, Col: 10}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	wantShared := []spec.Name{{Name: "b.last", Pos: spec.Pos{Line: 2, Col: 8}},
		{Name: "b.data", Pos: spec.Pos{Line: 2, Col: 16}}}
	if d := cmp.Diff(wantShared, f.Shared); d != "" {
		t.Error(d)
	}
	wantFuncs := []spec.Name{{Name: "append", Pos: spec.Pos{Line: 3, Col: 37}}}
	if d := cmp.Diff(wantFuncs, f.Functions()); d != "" {
		t.Error(d)
	}
	wantVars := []spec.Name{{Name: "b.last", Pos: spec.Pos{Line: 5, Col: 16}},
		{Name: "b.first", Pos: spec.Pos{Line: 5, Col: 26}}, {Name: "x", Pos: spec.Pos{Line: 7, Col: 20}}}
	if d := cmp.Diff(wantVars, f.Variables()); d != "" {
		t.Error(d)
	}
}

// The formulas that the papers print, as written there.
var paperFormulas = []string{
	"not( t1:(in.append) and t2:(in.append)) if t1 != t2",
	"not( t1:(in.append and (b.last-b.first)%N<=1) and t2:(in.remove and (b.last-b.first)%N<=1))",
	"t1:(term.append) implies ( t2:(b.data[1]==21) until t3:(start.remove) )",
	"((t1:(in.get and term.update) before t2:(in.put and start.update)) if t1 != t2)",
	"(t1:((start.sort and is_e) -> even(input)) and t2:((start.sort and not is_e) -> odd(input)))",
	"(t:(start.split) -> (t':(term.sort and is_e) before t'':(start.merge)))",
	"(t:(start.merge) -> all_next t:(term.merge))",
	"(t:(start.split) -> all_next^7 t':(term.merge))",
}

func TestPaperFormulas(t *testing.T) {
	for _, src := range paperFormulas {
		p, err := spec.ParseFormula(src)
		if err != nil {
			t.Error(err)
			continue
		}
		q, err := spec.ParseFormula(spec.Format(p.Formula))
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if d := cmp.Diff(p.Formula, q.Formula, sameFormula); d != "" {
			t.Errorf("%s\n%s", src, d)
		}
	}
}

func TestInitiallyFormula(t *testing.T) {
	for src, want := range map[string]bool{"initially: t:(x)": true, "initially :t:(x)": true, "t:(x)": false} {
		p, err := spec.ParseFormula(src)
		if err != nil {
			t.Error(err)
		} else if p.Initially != want || p.Source != "t:(x)" {
			t.Errorf("%s: initially %v, source %q", src, p.Initially, p.Source)
		}
	}
}

func TestFormulaIsNoFile(t *testing.T) {
	_, err := spec.ParseFormula("property p: t:(x)")
	if err == nil || !strings.HasPrefix(err.Error(), "1:1: one formula is read here") {
		t.Error(err)
	}
}

func TestFreeTIVs(t *testing.T) {
	tests := []struct {
		src  string
		want []string
	}{
		{"t2:(x) and t1:(y) if t1 == caller(u)", []string{"t1", "t2", "u"}},
		{"exists t (t:(x) and u:(y)) and t:(z)", []string{"t", "u"}},
		{"exists t (t:(x) and forall t (t:(y)) and t:(z))", []string{}},
		{"exists t (t:(x) if t != v)", []string{"v"}},
	}
	for _, test := range tests {
		p, err := spec.ParseFormula(test.src)
		if err != nil {
			t.Error(err)
			continue
		}
		if d := cmp.Diff(test.want, spec.TIVs(p.Formula)); d != "" {
			t.Errorf("%s: %s", test.src, d)
		}
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		src       string
		line, col int
		want      string // part of the message
	}{
		{"", 1, 1, "the specification is empty"},
		{"// nothing\n", 2, 1, "the specification is empty"},
		{"propety p: t:(x)", 1, 1, `did you mean "property"?`},
		{"property p t:(x)", 1, 12, `expected ":"`},
		{"property if: t:(x)", 1, 10, "is a keyword"},
		{"property a.b: t:(x)", 1, 10, "no plain name"},
		{"property p': t:(x)", 1, 10, "only task variables have primes"},
		{"property p: t:(x)\nproperty p: t:(y)", 2, 10, "already declared on line 1"},
		{"property p:", 1, 12, "expected a formula"},
		{"property p: t:(x) and\n\n property q: t:(x)", 3, 2, "expected a formula"},
		{"property p: in.append", 1, 13, "t:(in.append)"},
		{"property p: t1:in.append", 1, 16, `expected "("`},
		{"property p: t1:(in.append", 1, 26, "end of the input"},
		{"property p: t1:(x) t2:(y)", 1, 20, "expected an operator"},
		{"property p: allways t:(x)", 1, 13, `did you mean "always"?`},
		{"property p: t:(x) untill t:(y)", 1, 19, `did you mean "until"?`},
		{"property p: t:(a) until t:(b) until t:(c)", 1, 31, "parentheses"},
		{"property p: t:(a) if t = u", 1, 24, `write "=="`},
		{"property p: t:(a) if t == u if u == t", 1, 29, `second "if"`},
		{"property p: t:(a) if t < u", 1, 24, `"==" or "!="`},
		{"property p: t:(a) if caller(t) == u", 1, 22, "t == caller(u)"},
		{"property p: next^0 t:(a)", 1, 18, "out of range"},
		{"property p: next^9999999999999 t:(a)", 1, 18, "out of range"},
		{"property p: next^x t:(a)", 1, 18, "number of steps"},
		{"property p: always^2 t:(a)", 1, 19, "takes no number"},
		{"property p: forall t t:(a)", 1, 22, `expected "("`},
		{"property p: t:(a && b)", 1, 18, `write "and"`},
		{"property p: t:(!a)", 1, 16, `write "not"`},
		{"property p: t:(len(x, y) > 1)", 1, 16, "len has 2 arguments"},
		{"property p: t:(length(x) > 1)", 1, 16, "unknown function length"},
		{"property p: t:(evn(x))", 1, 16, "did you mean even?"},
		{"property p: t:(x > prev(prev(x)))", 1, 25, "prev inside prev"},
		{"property p: t:(x > prev(abs(1 + prev(x))))", 1, 33, "prev inside prev"},
		{"property p: t:(x > prev(1 + 2))", 1, 27, "no variable inside prev"},
		{"property p: t:(prev(in.f))", 1, 21, "inside an expression"},
		{"property p: t:((a and b) == c)", 1, 19, "inside an expression"},
		{"property p: t:(even(not a))", 1, 21, "inside an expression"},
		{"property p: t:(a + not b)", 1, 20, "weaker than a comparison"},
		{"property p: t:(in.f + 1)", 1, 16, "inside an expression"},
		{"property p: t:(x' == 1)", 1, 16, "only task variables have primes"},
		{"property p: t:(x == nil)", 1, 21, "write null"},
		{`property p: t:(in."a)`, 1, 19, "does not end"},
		{`property p: t:(b."a")`, 1, 16, "no function"},
		{`property p: t:(in."")`, 1, 16, "empty function name"},
		{"property p: t:(x == 99999999999999999999)", 1, 21, "64 bits"},
		{"property p: t:(x == 1abc)", 1, 21, "64 bits"},
		{"property p: t:(x == 1e999)", 1, 21, "64 bits"},
		{"property p: t:(x == 2.5", 1, 24, "end of the input"},
		{"property p: t:(x and u:(y))", 1, 23, "another atom"},
		{"property p: t:(x @ y)", 1, 18, "not part of the language"},
		{"property p: t:(x\xff)", 1, 17, "not UTF-8"},
		{"property p: t:(in. f)", 1, 18, "a blank beside the dot of a predicate; expected in.f in one piece"},
		{"property p: t:(not term .f)", 1, 25, "expected term.f in one piece"},
		{"shared x, x", 1, 11, "already declared shared"},
		{"shared if", 1, 8, "shared variable"},
		{"\tproperty é: t:(x)", 1, 11, "no plain name"},
	}
	for _, test := range tests {
		_, err := spec.Parse("a.tl", test.src)
		var e *spec.Error
		if !errors.As(err, &e) {
			t.Errorf("%q: got %v, want an *Error", test.src, err)
			continue
		}
		if e.Line != test.line || e.Col != test.col || !strings.Contains(e.Error(), test.want) {
			t.Errorf("%q: want %d:%d with %q, got\n%v", test.src, test.line, test.col, test.want, err)
		}
		if !strings.HasPrefix(e.Error(), fmt.Sprintf("a.tl:%d:%d: ", e.Line, e.Col)) {
			t.Errorf("%q: no position in %v", test.src, err)
		}
	}
}

func TestErrorShowsLineAndCaret(t *testing.T) {
	_, err := spec.Parse("a.tl", "// é\n\tproperty p: t:(ü\u0001)")
	want := "a.tl:2:18: character '\\x01' is not part of the language\n    \tproperty p: t:(ü\ufffd)\n    \t                ^"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	_, err = spec.ParseFormula("t:(x) andd t:(y)")
	want = `1:7: found "andd"; expected an operator or the end of the formula (did you mean "and"?)
    t:(x) andd t:(y)
          ^`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestLongLineIsCut(t *testing.T) {
	_, err := spec.ParseFormula(strings.Repeat("t:(x) and ", 1000) + "?")
	if err == nil || len(err.Error()) > 500 {
		t.Errorf("error of %d bytes", len(fmt.Sprint(err)))
	}
}

// A name may be as long as the specification; an error shows its beginning.
func TestLongNamesAreCut(t *testing.T) {
	long := strings.Repeat("é", 100_000)
	plain := strings.Repeat("e", 100_000)
	for _, src := range []string{
		"property " + long + ": t:(x)", "property p: " + long, "property p: t:(x) " + plain,
		"property p: t:(" + plain + "(x))",
		"property p: t:(x." + long + "')", "property " + plain + ": t:(x) property " + plain + ": t:(x)",
		"shared " + plain + ", " + plain, "property p: next^" + strings.Repeat("9", 1000) + " t:(x)",
		"property p: " + plain + ":(x",
		`property p: t:(x "` + plain + `")`,
	} {
		_, err := spec.Parse("a.tl", src)
		if err == nil || len(err.Error()) > 1000 {
			t.Errorf("%.50s…: error of %d bytes", src, len(fmt.Sprint(err)))
		}
	}
	p, err := spec.ParseFormula("t:(in." + plain + ") and t:(" + plain + " == 1)")
	if err != nil {
		t.Fatal(err)
	}
	functions := []string{plain}
	for _, v := range []*spec.Vocabulary{{}, {Functions: functions}} {
		if _, err := p.Resolve(v); err == nil || len(err.Error()) > 1000 {
			t.Errorf("resolving: error of %d bytes", len(fmt.Sprint(err)))
		}
	}
}

func TestNesting(t *testing.T) {
	n := spec.MaxDepth
	deep := map[string]func(int) string{
		"parentheses": func(n int) string { return strings.Repeat("(", n) + "t:(x)" + strings.Repeat(")", n) },
		"not":         func(n int) string { return strings.Repeat("not ", n) + "t:(x)" },
		"next":        func(n int) string { return strings.Repeat("next ", n) + "t:(x)" },
		"implies":     func(n int) string { return strings.Repeat("t:(x) -> ", n) + "t:(x)" },
		"until": func(n int) string {
			return strings.Repeat("t:(x) until (", n) + "t:(x)" + strings.Repeat(")", n)
		},
		"if": func(n int) string {
			return strings.Repeat("(", n) + "t:(x)" + strings.Repeat(" if t == u)", n)
		},
		"exists": func(n int) string {
			return strings.Repeat("exists t (", n) + "t:(x)" + strings.Repeat(")", n)
		},
		"local parentheses": func(n int) string {
			return "t:(" + strings.Repeat("(", n) + "x" + strings.Repeat(")", n) + ")"
		},
		"local not":     func(n int) string { return "t:(" + strings.Repeat("not ", n) + "x)" },
		"local implies": func(n int) string { return "t:(" + strings.Repeat("x -> ", n) + "x)" },
		"minus":         func(n int) string { return "t:(" + strings.Repeat("-", n) + "x)" },
		"sum":           func(n int) string { return "t:(" + strings.Repeat("1+", n) + "x)" },
		"sum of sums": func(n int) string {
			return "t:(" + strings.Repeat("(", 10) + "x" + strings.Repeat(strings.Repeat("+1", n/10)+")",
				10) + strings.Repeat("+1", n%10) + ")"
		},
		"index": func(n int) string { return "t:(x" + strings.Repeat("[0]", n) + ")" },
		"nested index": func(n int) string {
			return "t:(" + strings.Repeat("x[", n) + "0" + strings.Repeat("]", n) + ")"
		},
		"call": func(n int) string {
			return "t:(" + strings.Repeat("abs(", n) + "0" + strings.Repeat(")", n) + ")"
		},
		"dotted name": func(n int) string { return "t:(x" + strings.Repeat(".f", n) + ")" },
		"fields":      func(n int) string { return "t:((x)" + strings.Repeat(".f", n) + ")" },
	}
	for name, of := range deep {
		p, err := spec.ParseFormula(of(n))
		if err != nil {
			t.Errorf("%s at the limit: %v", name, err)
		} else if _, err := spec.ParseFormula(spec.Format(p.Formula)); err != nil {
			t.Errorf("%s at the limit, printed: %v", name, err)
		}
		_, err = spec.ParseFormula(of(n + 1))
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("nested deeper than %d levels", n)) {
			t.Errorf("%s above the limit: %.200v", name, err)
		}
	}
	// A chain is not nested.
	if _, err := spec.ParseFormula(strings.Repeat("t:(x) and ", 5*n) + "t:(x)"); err != nil {
		t.Errorf("long chain: %v", err)
	}
	_, err := spec.ParseFormula(strings.Repeat(" ", spec.MaxSource) + "t:(x)")
	if err == nil || !strings.Contains(err.Error(), "more than the limit") {
		t.Errorf("long source: %v", err)
	}
}

// Words of the temporal logic are ordinary variables, fields and functions inside an atom.
func TestWordsAreNotReservedInsideAtoms(t *testing.T) {
	src := "t:(next == n.next and in.next and start.if.not and before < until and sometime[0].always)"
	p, err := spec.ParseFormula(src)
	if err != nil {
		t.Fatal(err)
	}
	if got := spec.Format(p.Formula); got != src {
		t.Errorf("got %s", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(ringbuffer)
	for i, s := range paperFormulas {
		f.Add(fmt.Sprintf("property p%d: %s", i, s))
	}
	f.Add(`property p: t:(in."(*Q).put" or s == "\u00e9\n" and -5 < - (5) and x[1].f % 0x10 == 1e-9)`)
	f.Add("must_finish f, x.\"(*T).g\" may_wait main.serve property p: t:(in.f) may_wait h")
	f.Add("shared a.b, c property q initially: exists t' (all_next^3 t':(true -> null != x) if t' != caller(u) and t' == u)")
	f.Fuzz(func(t *testing.T, src string) {
		file, err := spec.Parse("f.tl", src)
		if err != nil {
			var e *spec.Error
			if !errors.As(err, &e) || e.Line < 1 || e.Col < 1 {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		for _, p := range file.Properties {
			text := spec.Format(p.Formula)
			q, err := spec.ParseFormula(text)
			if err != nil {
				t.Fatalf("%q printed as %q: %v", src, text, err)
			}
			if again := spec.Format(q.Formula); again != text {
				t.Fatalf("%q printed as %q, then %q", src, text, again)
			}
			if r, err := spec.ParseFormula(p.Source); err != nil || spec.Format(r.Formula) != text {
				t.Fatalf("source %q of %q does not read as it: %v", p.Source, src, err)
			}
		}
	})
}

func TestParseFunctions(t *testing.T) {
	f, err := spec.Parse("x.tl", `
must_finish flush, main."(*Account).flush"
property must_finish: must_finish:(in.f) // it is no keyword elsewhere
must_finish worker
may_wait serve, sql."(*DB).connectionOpener"
may_wait main.may_wait
property q: q:(in.g)
may_wait log
`)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, n := range f.MustFinish {
		names = append(names, n.Name)
	}
	if got, want := strings.Join(names, " "), "flush main.(*Account).flush worker"; got != want {
		t.Errorf("must finish: %s, want %s", got, want)
	}
	names = nil
	for _, n := range f.MayWait {
		names = append(names, n.Name)
	}
	if got, want := strings.Join(names, " "), "serve sql.(*DB).connectionOpener main.may_wait log"; got != want {
		t.Errorf("may wait: %s, want %s", got, want)
	}
	if len(f.Properties) != 2 || f.Properties[0].Name != "must_finish" {
		t.Errorf("properties %v", f.Properties)
	}
	for _, wrong := range []string{"must_finish", "must_finish not", "must_finish f,", "must_finish f'",
		"must_finish 1"} {
		if _, err := spec.Parse("x.tl", wrong); err == nil ||
			!strings.Contains(err.Error(), "the name of a function that must finish") {
			t.Errorf("%s: %v", wrong, err)
		}
		wrong = strings.Replace(wrong, "must_finish", "may_wait", 1)
		if _, err := spec.Parse("x.tl", wrong); err == nil ||
			!strings.Contains(err.Error(), "the name of a function that may wait") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}
