package temporal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/source"
)

func TestParse(t *testing.T) {
	tests := []struct {
		logic    temporal.Logic
		in, want string
	}{
		{temporal.FiniteLTL, "a U b & c | d -> e <-> f", "a U b & c | d -> e <-> f"},
		{temporal.FiniteLTL, "((((a U b) & c) | d) -> e) <-> f", "a U b & c | d -> e <-> f"},
		{temporal.FiniteLTL, "a U (b & (c | (d -> (e <-> f))))", "a U (b & (c | (d -> (e <-> f))))"},
		{temporal.FiniteLTL, "(a -> b) -> c -> d", "(a -> b) -> c -> d"},
		{temporal.FiniteLTL, "a & (b & c) & d", "a & (b & c) & d"},
		{temporal.FiniteLTL, "a <-> b <-> c", "a <-> b <-> c"},
		{temporal.FiniteLTL, "(a U b) U c", "(a U b) U c"},
		{temporal.FiniteLTL, "!X N F G !a", "!X N F G !a"},
		{temporal.FiniteLTL, "not next weaknext eventually always ~a", "!X N F G !a"},
		{temporal.FiniteLTL, "(a until b) and (a release b) or a V b || a W b && a M b",
			"a U b & a R b | a R b | a W b & a M b"},
		{temporal.FiniteLTL, "F(a)&G(true|false)", "F a & G (true | false)"},
		{temporal.FiniteLTL, "N false", "N false"},
		{temporal.FiniteLTL, "P0.at.m8 & Xa & EX & AG_1", "P0.at.m8 & Xa & EX & AG_1"},
		{temporal.FiniteLTL, "turn == 1 U y2<=t & x!=-1 | 0 < x & x=007 & x>=y & x>y",
			"turn == 1 U y2 <= t & x != -1 | 0 < x & x == 7 & x >= y & x > y"},
		{temporal.FiniteLTL, "!(turn = 1) & X turn=1", "!(turn == 1) & X (turn == 1)"},
		{temporal.FiniteLTL, "a<->b & x<-1", "a <-> b & x < -1"},
		{temporal.FiniteLTL, `F main.1: ( in.append and (b.last-b.first)%N <= 1 ) & G t:(s == ")\"(")`,
			`F main.1:(in.append and (b.last-b.first)%N <= 1) & G t:(s == ")\"(")`},
		{temporal.FiniteLTL, `F "web-1" : (in.f) & !"main":(x) U "F":(y) & "a\"b:\x1b":(z)`,
			`F "web-1":(in.f) & !main:(x) U "F":(y) & "a\"b:\x1b":(z)`},
		{temporal.FiniteLTL, "\ufeffa // the first\n & b // the second", "a & b"},
		{temporal.InfiniteLTL, "G F a -> G (b -> X F c)", "G F a -> G (b -> X F c)"},
		{temporal.CTL, "EX AX EF AF EG AG EGF AFG a", "EX AX EF AF EG AG EGF AFG a"},
		{temporal.CTL, "EX_1 a & AX_P0 !b", "EX_1 a & AX_P0 !b"},
		{temporal.CTL, "E[a U b] & A[a until b] | E [a R b] & A[a V b] & E[a W b] & A[a W b]",
			"E[a U b] & A[a U b] | E[a R b] & A[a R b] & E[a W b] & A[a W b]"},
		{temporal.CTL, "E[a & b U c -> d]", "E[(a & b) U (c -> d)]"},
		{temporal.CTL, "A[E[a U b] U !AG c]", "A[E[a U b] U !AG c]"},
		{temporal.CTL, "AG (TRY_1 -> AF CS_1)", "AG (TRY_1 -> AF CS_1)"},
	}
	for _, test := range tests {
		f, err := temporal.Parse("formula", test.in, test.logic)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := f.String(); got != test.want {
			t.Errorf("%s is read as %s, want %s", test.in, got, test.want)
		}
	}
}

func TestParseAtoms(t *testing.T) {
	f, err := temporal.Parse("formula", "a & turn==1 & t:(in.f) & a & turn = 1 & -1 <= x", temporal.FiniteLTL)
	if err != nil {
		t.Fatal(err)
	}
	want := []*temporal.Atom{
		{Text: "a"},
		{Text: "turn == 1", Left: "turn", Relation: "==", Right: "1"},
		{Text: "t:(in.f)", Task: "t", Local: "in.f"},
		{Text: "-1 <= x", Left: "-1", Relation: "<=", Right: "x"},
	}
	if d := cmp.Diff(want, f.Atoms(), cmpopts.IgnoreTypes(temporal.Pos{})); d != "" {
		t.Error(d)
	}
	if pos := f.Atoms()[2].Pos; pos != (temporal.Pos{Line: 1, Col: 15}) {
		t.Errorf("%s at %v", f.Atoms()[2].Text, pos)
	}
}

func TestCutTask(t *testing.T) {
	for _, tt := range []struct {
		atom, task, local string
		ok                bool
	}{
		{"t:(in.f)", "t", "(in.f)", true},
		{"t : (a:b)", "t", " (a:b)", true},
		{`"a:b" : (c)`, "a:b", " (c)", true},
		{`"a\tb":(c)`, "a\tb", "(c)", true},
		{"t", "t", "", false},
		{`"a:b" (c)`, "a:b", "(c)", false},
		{`"a:(c)`, "", "", false},
	} {
		task, local, ok := temporal.CutTask(tt.atom)
		if task != tt.task || local != tt.local || ok != tt.ok {
			t.Errorf("%s: %q, %q, %v", tt.atom, task, local, ok)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		logic      temporal.Logic
		name       string
		in, expect string // the first line of the error
	}{
		{temporal.FiniteLTL, "empty", "", `f:1:1: found the end of the formula; expected a formula`},
		{temporal.FiniteLTL, "operand", "a &\n & b", `f:2:2: found "&"; expected a formula`},
		{temporal.FiniteLTL, "open", "(a | (b & c)", `f:1:13: found the end of the formula; expected an operator, or an end of what 1:1 opens`},
		{temporal.FiniteLTL, "closed", "a)", `f:1:2: found ")"; expected an operator or the end of the formula`},
		{temporal.FiniteLTL, "mixed", "a U b R c", `f:1:7: "R" after another operator of its kind; expected parentheses that say which one comes first`},
		{temporal.FiniteLTL, "strung", "GF a", `f:1:4: found "a"; expected an operator or the end of the formula (put blanks between operators: G F)`},
		{temporal.FiniteLTL, "strung inside", "(GF a)", `f:1:5: found "a"; expected an operator, or an end of what 1:1 opens (put blanks between operators: G F)`},
		{temporal.FiniteLTL, "branching", "AG a", `f:1:4: found "a"; expected an operator or the end of the formula (AG is an operator of CTL, and an atom in LTL)`},
		{temporal.FiniteLTL, "no prefix", "a & U b", `f:1:5: found "U"; expected a formula`},
		{temporal.FiniteLTL, "foreign", "a => b", `f:1:3: "=>" is not part of the language (write "->")`},
		{temporal.FiniteLTL, "box", "[] a", `f:1:1: "[]" is not part of the language (write "G")`},
		{temporal.FiniteLTL, "letter", "é", `f:1:1: character 'é' is not part of the language`},
		{temporal.FiniteLTL, "bytes", "a & \xff", `f:1:5: this byte is not UTF-8`},
		{temporal.FiniteLTL, "quotes", `a & "b" & c`, `f:1:5: found "b" in quotes (only the name of a task stands in quotes, before its colon)`},
		{temporal.FiniteLTL, "open quotes", `a & "b`, `f:1:5: "\"" is not part of the language (only the name of a task stands in quotes)`},
		{temporal.FiniteLTL, "task with a sign", "web-1:(in.f)",
			`f:1:4: found "-"; expected an operator or the end of the formula (a task whose name is no word stands in quotes, as "web-1":(in.f))`},
		{temporal.FiniteLTL, "task with a blank", "worker 18:(in.f)",
			`f:1:8: found "18"; expected an operator or the end of the formula (a task whose name is no word stands in quotes, as "web-1":(in.f))`},
		{temporal.FiniteLTL, "operator on the left", "F next == 1",
			`f:1:8: found "=="; expected a formula (next is an operator, and no name of a variable)`},
		{temporal.FiniteLTL, "operator on the right", "1 < X",
			`f:1:5: found "X"; expected the name of a variable or an integer (X is an operator, and no name of a variable)`},
		{temporal.FiniteLTL, "comparison", "x == true", `f:1:6: found "true"; expected the name of a variable or an integer`},
		{temporal.FiniteLTL, "chain", "0 <= x < 3", `f:1:8: found "<" after another comparison; expected "&" between two comparisons`},
		{temporal.FiniteLTL, "number", "7 & a", `f:1:3: found "&"; expected a comparison with 7`},
		{temporal.FiniteLTL, "large", "x == 99999999999999999999",
			`f:1:6: 99999999999999999999 is no integer of 64 bits; expected digits (names begin with a letter or _)`},
		{temporal.FiniteLTL, "name", "x == 1a", `f:1:6: 1a is no integer of 64 bits; expected digits (names begin with a letter or _)`},
		{temporal.FiniteLTL, "local", "F t:in.f", `f:1:5: no local formula follows the task and its colon; expected t:( … )`},
		{temporal.FiniteLTL, "local open", "F t:(in.f & (a)",
			`f:1:5: this parenthesis is never closed; expected ")" behind the local formula`},
		{temporal.FiniteLTL, "local string", "F t:(s == \"a)",
			`f:1:5: a string in this local formula does not end on its line or has a bad escape; expected a closing quote, and Go's escapes like \n or \"`},
		{temporal.InfiniteLTL, "weak next", "G N a", `f:1:3: "N" is weak next, which there is over finite words only; expected X (over infinite words both would be the same)`},
		{temporal.CTL, "bare", "AG F a", `f:1:4: found "F"; expected a formula (in CTL every temporal operator has its E or A: EX, AX, EF, AF, EG, AG, E[f U g], A[f U g], EGF, AFG)`},
		{temporal.CTL, "bracket", "E a U b", `f:1:3: found "a"; expected "[" and a formula f U g, f R g or f W g after E`},
		{temporal.CTL, "until", "E[a & b]", `f:1:8: found "]"; expected U, R or W in the brackets`},
		{temporal.CTL, "open bracket", "E[a U b)", `f:1:8: found ")"; expected an operator, or an end of what 1:2 opens`},
		{temporal.CTL, "linear", "a U b", `f:1:3: found "U"; expected an operator or the end of the formula`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := temporal.Parse("f", test.in, test.logic)
			var e *source.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want a *source.Error", err)
			}
			first, _, _ := strings.Cut(err.Error(), "\n")
			if d := cmp.Diff(test.expect, first); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestParseDeep tries what would overflow a stack: it is an error or a formula that can be walked.
func TestParseDeep(t *testing.T) {
	const n = 200_000
	deep := []string{
		strings.Repeat("(", n), strings.Repeat("!", n) + "a", strings.Repeat("X ", n) + "a",
		strings.Repeat("a -> ", n) + "a",
		strings.Repeat("a & ", n) + "a", strings.Repeat("(a <-> ", n), strings.Repeat("a", temporal.MaxSource+1),
	}
	for _, src := range deep {
		if _, err := temporal.Parse("f", src, temporal.FiniteLTL); err == nil {
			t.Errorf("%.20s… is no error", src)
		}
	}
	for _, src := range []string{strings.Repeat("AX ", n) + "a", strings.Repeat("E[", n)} {
		if _, err := temporal.Parse("f", src, temporal.CTL); err == nil {
			t.Errorf("%.20s… is no error", src)
		}
	}
	f, err := temporal.Parse("f", strings.Repeat("!", temporal.MaxDepth-1)+"a", temporal.FiniteLTL)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.String()); n != temporal.MaxDepth {
		t.Errorf("%d characters, want %d", n, temporal.MaxDepth)
	}
}

var formulas = func() []*temporal.Atom {
	return append(temporaltest.Atoms("a", "b1", "P0.at.m8", "Xa"),
		&temporal.Atom{Text: "x == -1", Left: "x", Relation: "==", Right: "-1"},
		&temporal.Atom{Text: "t:(in.f and (x))", Task: "t", Local: "in.f and (x)"},
		&temporal.Atom{Text: `"a b:\"":(x)`, Task: `a b:"`, Local: "x"})
}()

func TestStringThenParseIsIdentity(t *testing.T) {
	for _, logic := range []temporal.Logic{temporal.FiniteLTL, temporal.InfiniteLTL, temporal.CTL} {
		rapid.Check(t, func(t *rapid.T) {
			f := temporaltest.Formula(logic, formulas, 5).Draw(t, "f")
			g, err := temporal.Parse("f", f.String(), logic)
			if err != nil {
				t.Fatalf("%s\n%v", f, err)
			}
			same := cmp.Options{cmpopts.IgnoreTypes(temporal.Pos{}), cmpopts.IgnoreUnexported(temporal.Formula{})}
			if d := cmp.Diff(f, g, same); d != "" {
				t.Fatalf("%s\n%s", f, d)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, src := range []string{"G (a -> X F b) & N false", "turn == 1 U !(x <= -1)", `t:(in.f and s == "(")`,
		`F "web-1":(in.f)`, "E[a U A[b R c]] | EX_1 AFG d"} {
		for logic := temporal.FiniteLTL; logic <= temporal.CTL; logic++ {
			f.Add(src, uint8(logic))
		}
	}
	f.Fuzz(func(t *testing.T, src string, logic uint8) {
		l := temporal.Logic(logic%3 + 1)
		p, err := temporal.Parse("f", src, l)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a text")
			}
			return
		}
		text := p.String()
		q, err := temporal.Parse("f", text, l)
		if err != nil {
			t.Fatalf("%q is printed as %q: %v", src, text, err)
		}
		if q.String() != text {
			t.Fatalf("%q is printed as %q, and that as %q", src, text, q)
		}
	})
}
