package spec_test

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Tokens have their positions, and only comments, blanks and invalid text are between them.
func TestTokens(t *testing.T) {
	src := "\ufeffproperty p: // note\n t':(in.\"a b\" and b.c[1] = 2 § \"open"
	var got []string
	for _, token := range spec.Tokens(src) {
		if text := src[len("\ufeff"):][token.Offset:token.End()]; text != token.Text {
			t.Errorf("%q stands where %q is", text, token.Text)
		}
		if token.Name {
			got = append(got, "<"+token.Text+">")
		} else {
			got = append(got, token.Text)
		}
	}
	if got, want := strings.Join(got, " "), `<property> <p> : <t'> : ( <in."a b"> <and> <b.c> [ 1 ] 2 <open>`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Invalid text is skipped in linear time: an error for each character would take quadratic time.
func TestTokensMakesNoErrors(t *testing.T) {
	src := strings.Repeat("@ &&\n\"", 1001) // a quote ends no string on its line
	if n := testing.AllocsPerRun(10, func() { spec.Tokens(src) }); n > 100 {
		t.Errorf("%v allocations for a text without tokens", n)
	}
}

func TestExtent(t *testing.T) {
	src := "// first\nproperty p initially: t:(x) // last\nshared y\nproperty q:\n\tt:(y)\n"
	f, err := spec.Parse("a.tl", src)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"property p initially: t:(x)", "property q:\n\tt:(y)"} {
		if from, to := f.Properties[i].Extent(); src[from:to] != want {
			t.Errorf("%q, want %q", src[from:to], want)
		}
	}
}
