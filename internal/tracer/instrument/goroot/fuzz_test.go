package goroot

import (
	"strings"
	"testing"
)

// sourcesToFuzz are added to a fuzz target.
func sourcesToFuzz(f *testing.F) {
	for _, s := range []string{
		"", "package p\n\nimport \"unsafe\"\n\nfunc f(a, b int) (c int) { return (a + b) * c }\n", "((((", "))))",
		"func (", "func (x *T[", "import", "import x", "import (\"a\"",
		"package", "type (", "const a =", "`\r\n`", "'", "\"", "/*", "x.(", "a[(b)](c){", "\x00\xff",
		"func f() { (((x)))\n }",
	} {
		f.Add(s)
	}
}

func FuzzScan(f *testing.F) {
	sourcesToFuzz(f)
	f.Fuzz(func(t *testing.T, src string) {
		all, _ := scan(src)
		at := 0
		for i, l := range all {
			if l.from < at || l.to < l.from || l.to > len(src) {
				t.Fatalf("token %d, %q, is at %d to %d after %d", i, l.text, l.from, l.to, at)
			}
			at = l.to
			if from, to := l.outer(); from > l.from || to < l.to || to > len(src) {
				t.Fatalf("token %d, %q, has parentheses at %d to %d", i, l.text, from, to)
			}
		}
	})
}

func FuzzDeclaration(f *testing.F) {
	sourcesToFuzz(f)
	f.Fuzz(func(t *testing.T, src string) {
		all, _ := scan(src)
		for _, name := range []string{"f", "(*T).m", "(T).m", "type T", "const a", "var v", "", "(*", " "} {
			for _, s := range declaration(all, name) {
				if s.from < 0 || s.to <= s.from || s.to > len(all) {
					t.Fatalf("%s is %v of %d tokens", name, s, len(all))
				}
				parameters(all, s.from)
				bodyOf(all, s.from)
			}
			_, _ = removeDeclaration(src, all, name)
		}
		_, _ = callTwins(src, []string{"f"})
	})
}

func FuzzDiff(f *testing.F) {
	for _, c := range capabilities {
		for _, p := range c.patches {
			if p.diff != "" {
				f.Add(p.diff, "func f() { "+strings.NewReplacer("$", "", "...", "", "\n-", "\n", "\n+",
					"\n//").Replace(p.diff)+" }")
			}
		}
	}
	f.Add("- ...\n+ x", "a\nb\n")
	f.Add("  ( ...\n+ x\n  ...", "a((b)\n")
	f.Fuzz(func(t *testing.T, text, src string) {
		d, err := parseDiff(text)
		if err != nil || len(src) > 200 || strings.Count(text, "...") > 2 {
			return // many dots take long, and are unrealistic
		}
		all, _ := scan(src)
		found := d.find(all, span{0, len(all)}, nil)
		for i := range found {
			if edits, err := d.edits(src, all, &found[i]); err == nil {
				_, _ = applyEdits(src, edits)
			}
		}
	})
}

func FuzzWithImports(f *testing.F) {
	sourcesToFuzz(f)
	f.Fuzz(func(t *testing.T, src string) {
		_, _ = withImports(src, []string{"unsafe", "internal/race"})
	})
}
