package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

func TestParseAll(t *testing.T) {
	for _, tt := range []struct {
		name, src  string
		mistakes   []string // places
		properties []string
	}{
		{"none", "property p: t:(x)", nil, []string{"p"}},
		{"empty", "\n", []string{"2:1"}, nil},
		{"each goes on", "property p: t:(x\nproperty q: t:(y)\nshared\nproperty r: t(z)\nproperty s: t:(z)",
			[]string{"2:1", "4:1", "4:13"}, []string{"q", "s"}},
		{"no declaration", "hello there\nproperty p: t:(x)", []string{"1:1"}, []string{"p"}},
		{"first character", "# hello # there\nproperty p: t:(x)", []string{"1:1"}, []string{"p"}},
		{"characters", "property p: t:(x = 1 && \"open\nproperty q: § §\nproperty r: t:(in.\"f) and t:(x\n)\nproperty s: t:(x)", []string{"1:18", "2:13", "3:19"}, []string{"s"}},
		{"keyword alone", "property\nproperty property p: t:(x)", []string{"2:1", "2:10"}, []string{"p"}},
		{"keyword and a character", "property $\nmay_wait $\nmust_finish f\nproperty p: t:(x)",
			[]string{"1:10", "2:10"}, []string{"p"}},
		{"a word that may be a name", "property p: ) shared\n and may_wait:(x)\nmay_wait f\nproperty q: t:(x)",
			[]string{"1:13"}, []string{"q"}},
		{"twice", "property p: t:(x)\nproperty p: t:(y)\nproperty q: t:(y)", []string{"2:10"}, []string{"p", "q"}},
		{"end", "property p: t:(x) and", []string{"1:22"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, mistakes := spec.ParseAll("a.tl", tt.src)
			var at, properties []string
			for _, m := range mistakes {
				at = append(at, fmt.Sprintf("%d:%d", m.Line, m.Col))
			}
			for _, p := range f.Properties {
				properties = append(properties, p.Name)
			}
			if d := cmp.Diff(tt.mistakes, at); d != "" {
				t.Errorf("%s\n%v", d, mistakes)
			}
			if d := cmp.Diff(tt.properties, properties); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParseAllGivesUp(t *testing.T) {
	if _, mistakes := spec.ParseAll("a.tl", strings.Repeat("property\n", 10_000)); len(mistakes) != spec.MaxErrors {
		t.Errorf("%d mistakes", len(mistakes))
	}
	if _, mistakes := spec.ParseAll("a.tl", strings.Repeat(" ", spec.MaxSource+1)); len(mistakes) != 1 {
		t.Errorf("%d mistakes of a long text", len(mistakes))
	}
}

// ParseAll begins with what Parse says, and reads what Parse reads.
func FuzzParseAll(f *testing.F) {
	f.Add(ringbuffer)
	f.Add("property p: t:(x\n property\n\"\xff # may_wait\nmust_finish '")
	f.Fuzz(func(t *testing.T, src string) {
		want, err := spec.Parse("a.tl", src)
		got, mistakes := spec.ParseAll("a.tl", src)
		if err == nil {
			if d := cmp.Diff(want, got, sameFile); d != "" || len(mistakes) > 0 {
				t.Fatalf("%v %s", mistakes, d)
			}
			return
		}
		if len(mistakes) == 0 || mistakes[0].Error() != err.Error() {
			t.Fatalf("%v, want %v", mistakes, err)
		}
		for i, m := range mistakes[1:] {
			if a := mistakes[i]; m.Line < a.Line || m.Line == a.Line && m.Col < a.Col {
				t.Fatalf("%v comes after %v", m, a)
			}
		}
	})
}
