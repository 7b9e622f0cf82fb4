package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// grammar is a TextMate grammar that consists of a list of patterns, which are expressions of Go,
// too.
type grammar struct {
	Patterns []struct {
		Name     string
		Match    string
		Captures map[string]struct{ Name string }
	}
	expressions []*regexp.Regexp
}

func readGrammar(t *testing.T, name string) *grammar {
	t.Helper()
	text, err := os.ReadFile("../../editors/vscode/syntaxes/" + name + ".tmLanguage.json")
	if err != nil {
		t.Fatal(err)
	}
	g := &grammar{}
	if err := json.Unmarshal(text, g); err != nil {
		t.Fatal(err)
	}
	for _, p := range g.Patterns {
		g.expressions = append(g.expressions, regexp.MustCompile(p.Match))
	}
	return g
}

// scopes returns the scope of each byte of a line: the first match wins, and among those that begin
// in one place the first pattern.
func (g *grammar) scopes(line string) []string {
	all := make([]string, len(line))
	for from := 0; from < len(line); {
		var best []int
		var pattern int
		for i, e := range g.expressions {
			m := e.FindStringSubmatchIndex(line[from:])
			if m != nil && m[1] > m[0] && (best == nil || m[0] < best[0]) {
				best, pattern = m, i
			}
		}
		if best == nil {
			break
		}
		for i := best[0]; i < best[1]; i++ {
			all[from+i] = g.Patterns[pattern].Name
		}
		for group, scope := range g.Patterns[pattern].Captures {
			n := int(group[0] - '0')
			for i := best[2*n]; i < best[2*n+1]; i++ {
				all[from+i] = scope.Name
			}
		}
		from += best[1]
	}
	return all
}

// word returns the scope of a word that makes up a line, with what follows it.
func (g *grammar) word(word, behind string) string {
	scopes := g.scopes(word + behind)
	if len(slices.Compact(scopes[:len(word)])) != 1 {
		return ""
	}
	return scopes[0]
}

// The grammars have each word of the languages, and do not take other words for it.
func TestGrammarWords(t *testing.T) {
	for _, tt := range []struct {
		grammar string
		words   []string
		behind  string
	}{
		{"antichain", append(spec.Keywords(), "->"), ""},
		{"antichain", phases, ".f"},
		{"antichain", builtins, "("},
		{"gcl", gcl.Keywords(), ""},
	} {
		g := readGrammar(t, tt.grammar)
		for _, w := range tt.words {
			behind := tt.behind
			if w == "caller" {
				behind = "("
			}
			spellings := []string{w}
			if tt.grammar == "gcl" {
				spellings = append(spellings, strings.ToUpper(w))
			}
			for _, w := range spellings {
				if !regexp.MustCompile(`^(keyword|constant\.language|support\.function)\.`).MatchString(g.word(w, behind)) {
					t.Errorf("%s: %s has the scope %q", tt.grammar, w, g.word(w, behind))
				}
			}
			if longer := "x" + w; w != "->" && !strings.HasPrefix(g.word(longer, ""), "variable.other.") {
				t.Errorf("%s: %s has the scope %q", tt.grammar, longer, g.word(longer, ""))
			}
		}
	}
}

// Every word and operator of the specifications has a scope, functions that of functions, and
// comments theirs.
func TestGrammarOfSpecifications(t *testing.T) {
	g := readGrammar(t, "antichain")
	punctuation := []string{"(", ")", "[", "]", ":", ",", "."}
	n := 0
	err := filepath.WalkDir("../../../../examples", func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".tl" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n++
		var scopes []string // of the bytes of the file
		for line := range strings.Lines(string(text)) {
			scopes = append(scopes, g.scopes(strings.TrimRight(line, "\n"))...)
			scopes = append(scopes, "")
		}
		comments := scopes
		for _, token := range spec.Tokens(string(text)) {
			scope := scopes[token.Offset]
			_, function, named := strings.Cut(token.Text, ".")
			switch {
			case slices.Contains(punctuation, token.Text):
			case scope == "", strings.HasPrefix(scope, "comment."):
				t.Errorf("%s: %s has the scope %q", path, token.Text, scope)
			case named && scope == "keyword.operator.word.antichain":
				if end := scopes[token.End()-1]; function == "" || end != "entity.name.function.antichain" {
					t.Errorf("%s: %s ends with the scope %q", path, token.Text, end)
				}
			}
			for i := token.Offset; i < token.End(); i++ {
				comments[i] = ""
			}
		}
		for i, scope := range comments {
			if !strings.HasPrefix(scope, "comment.") && scope != "" && strings.TrimSpace(string(text[i])) != "" {
				t.Errorf("%s: byte %d is no token, and has the scope %q", path, i, scope)
			}
		}
		return nil
	})
	if err != nil || n < 6 {
		t.Errorf("%d specifications (%v)", n, err)
	}
}
