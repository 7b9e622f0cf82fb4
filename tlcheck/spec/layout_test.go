package spec_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// sameFile compares what files say. Positions, and the texts that were parsed, may differ.
var sameFile = cmp.Options{sameFormula, cmpopts.IgnoreUnexported(spec.File{}, spec.Property{}),
	cmpopts.IgnoreFields(spec.Property{}, "Source")}

// checkLayout formats a text that is a specification, and returns the result. It fails unless that
// means the same, has the same comments, and is not changed again.
func checkLayout(t interface {
	Helper()
	Fatalf(string, ...any)
}, src string) string {
	t.Helper()
	before, err := spec.Parse("a.tl", src)
	if err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	text, err := spec.FormatSource("a.tl", src)
	if err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	after, err := spec.Parse("a.tl", text)
	if err != nil {
		t.Fatalf("%q becomes %q: %v", src, text, err)
	}
	if d := cmp.Diff(before, after, sameFile); d != "" {
		t.Fatalf("%q becomes %q: %s", src, text, d)
	}
	if a, b := marks(src), marks(text); a != b {
		t.Fatalf("%q becomes %q: not the same words and comments", src, text)
	}
	if again, err := spec.FormatSource("a.tl", text); err != nil || again != text {
		t.Fatalf("%q becomes %q, and then %q (%v)", src, text, again, err)
	}
	return text
}

// marks returns all characters except blanks, in order, including comments.
func marks(text string) string {
	return strings.Join(strings.Fields(strings.TrimPrefix(text, "\ufeff")), "")
}

func TestFormatSource(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"blanks",
			"property  p  initially :not(t1:( in.f and x>=1 )and forall t(next ^ 2 t : (even( y ) )))if t1!=t2 and t1==caller (t2)",
			"property p initially: not (t1:(in.f and x >= 1) and forall t (next^2 t:(even(y)))) if t1 != t2 and t1 == caller(t2)\n"},
		{"arithmetic",
			"property p: t:((a - b) % N<=-1 and a - - b==- x [ i + 1 ] . f . g * 2->a .b > - 5)",
			"property p: t:((a-b)%N <= -1 and a- -b == -x[i+1].f.g*2 -> a .b > -5)\n"},
		{"words that are operators elsewhere",
			"property p: in:(next -1>0 and not -x==initially and until- 1==len ( initially )and forall==1) and exists len(t : (x))",
			"property p: in:(next-1 > 0 and not -x == initially and until-1 == len(initially) and forall == 1) and exists len (t:(x))\n"},
		{"declarations",
			"\n\nshared a.b ,c\n\n\n\nmust_finish f , main.\"(*T).m\"\nmay_wait\n   g,\n\th property p: t:(x) property q\n:\n t:(y)\n\n",
			""},
		{"comments",
			"//  first\t\n\n\n// of p\nproperty p: // head\n\n\n  // why\n\n t:(x) // x\nand // both\nt:(y) // y\n  // of q\nproperty q: t:(y)// last\n\n\n//end",
			"//  first\n\n// of p\nproperty p: // head\n    // why\n    t:(x) // x\n    and   // both\n    t:(y) // y\n// of q\nproperty q: t:(y) // last\n\n//end\n"},
		{"line breaks",
			"property p: not\n(\nt:(in.f\nand in.g) and (\nt:(\nx)\n)\n)\n\n\nif t\n!= u",
			"property p: not\n    (\n        t:(in.f\n            and in.g) and (\n            t:(\n                x)\n        )\n    )\n    if t\n    != u\n"},
		{"no line breaks",
			"property\np\ninitially\n: next\n^\n2 t\n:\n(x\n[\n1\n]\n.\ny\n.z == -\n1)",
			"property p initially: next^2 t:(x[\n        1\n        ].y.z == -1)\n"},
		{"carriage returns", "\ufeff// a\r\nproperty p:\r\n\tt:(x)\r\n", "// a\nproperty p:\n    t:(x)\n"},
		{"a comment in each place",
			"property//1\np//2\n://3\nt//4\n://5\n(//6\na//7\n.//8\nb//9\n)//0",
			""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := tt.in
			if tt.want == "" { // only what holds for all
				checkLayout(t, src)
				return
			}
			if d := cmp.Diff(tt.want, checkLayout(t, src)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestFormatSourceRefuses(t *testing.T) {
	_, err := spec.FormatSource("a.tl", "property p: t:(x) and")
	if err == nil || !strings.HasPrefix(err.Error(), "a.tl:1:22: ") {
		t.Error(err)
	}
}

// The specifications of this repository are in the layout.
func TestSpecificationsAreFormatted(t *testing.T) {
	n := 0
	err := filepath.WalkDir("../..", func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".tl" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n++
		if d := cmp.Diff(checkLayout(t, string(src)), string(src)); d != "" {
			t.Errorf("%s: %s", path, d)
		}
		return nil
	})
	if err != nil || n < 20 {
		t.Errorf("%d specifications (%v)", n, err)
	}
}

// spread puts random blanks, line ends and comments between the words of a text.
func spread(t *rapid.T, text string) string {
	gap := rapid.SampledFrom([]string{" ", " ", "\n", "\n\n\n", "\t", "\r\n", " // note\n", "\n// note\n\n",
		" //\r\n// two\n"})
	var b strings.Builder
	quoted, escaped := false, false
	for _, r := range text {
		wasEscaped := escaped
		escaped = r == '\\' && !escaped
		switch {
		case r == '"' && !wasEscaped:
			quoted = !quoted
		case r == ' ' && !quoted:
			b.WriteString(gap.Draw(t, "gap"))
			continue
		case strings.ContainsRune("(),", r) && !quoted && rapid.IntRange(0, 3).Draw(t, "more") == 0:
			b.WriteString(string(r) + gap.Draw(t, "gap"))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func TestFormatSourceKeepsTheMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var src strings.Builder
		for i := range rapid.IntRange(1, 3).Draw(t, "properties") {
			if rapid.Bool().Draw(t, "names") {
				src.WriteString(rapid.SampledFrom([]string{"must_finish f , main.g ", `may_wait b."(*c).d" , shared_ `,
					"//alone\n\n"}).Draw(t, "line"))
			}
			src.WriteString("property p" + string(rune('0'+i)) + " : " +
				spec.Format(spectest.Formula(wideWords).Draw(t, "f")) + " ")
		}
		text := spread(t, src.String())
		checkLayout(t, text)
	})
}

func FuzzFormatSource(f *testing.F) {
	f.Add(ringbuffer)
	f.Add("shared a, b // c\n\n// d\nproperty p: t:(x .y[1]\n- -z > 2)// e")
	for _, formula := range paperFormulas {
		f.Add("property p:" + formula)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if _, err := spec.Parse("a.tl", src); err == nil {
			checkLayout(t, src)
		}
	})
}
