package lsp

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCompletion(t *testing.T) {
	_, uri := workspace(t, map[string]string{"main.go": program})
	c := greeted(t)
	for _, tt := range []struct {
		text   string
		has    string
		hasNot string
	}{
		{"|", "property shared must_finish may_wait", "not next append"},
		{"property |", "initially", "property not append"},
		{"property p: |", "next forall not until property", "in append true"},
		{"property p: t:(x) and u:(y) |", "t u until or if shared", "append b"},
		{"property p: t:(|", "in start term not true len b N x", "until t append property"},
		{"property p: t:(x >|", "b N elem", "until"},
		{"property p: t:(in.|", "append buffer.remove main main.func1", "b N in property"},
		{"property p: t:(not in.buffer.re|", "buffer.remove", "remove"},
		{"property p: t:(b.|", "first last data next", "append b in"},
		{"property p: t:(b.next.da|", "first last data next", "b"},
		{"property p: t:(b.data[1].|", "", "b in first"},
		{"property p: t:(b.nothing.|", "", "b in first"},
		{"property p: t:(in.append) if |", "t caller", "append until b"},
		{"property p: t:(in.append) if t == caller(u) |", "t u caller property", "append until"},
		{"property p: (t:(in.append) if t != u) |", "until and t u", "append"},
		{"must_finish |", "append main.func1 shared", "b next"},
		{"must_finish append, |", "main", "b next"},
		{"shared |", "b", "N x append until"},
		{"shared b.|", "last", "b"},
		{"property p: t:(x) // in.|", "", "append"},
		{"property p: t:(x == \"in.|", "", "append"},
		{"property p: t:(in.append |\nproperty q: u:(y)", "and", "until u"},
	} {
		text, at := mark(t, tt.text)
		c.open(uri, text)
		var items []CompletionItem
		c.call("textDocument/completion", c.at(uri, at), &items)
		var labels []string
		for _, i := range items {
			labels = append(labels, i.Label)
			if i.TextEdit.Range.End != at {
				t.Errorf("%s: %s replaces %v", tt.text, i.Label, i.TextEdit.Range)
			}
		}
		for _, w := range strings.Fields(tt.has) {
			if !slices.Contains(labels, w) {
				t.Errorf("%s: no %s in %v", tt.text, w, labels)
			}
		}
		for _, w := range strings.Fields(tt.hasNot) {
			if slices.Contains(labels, w) {
				t.Errorf("%s: %s in %v", tt.text, w, labels)
			}
		}
	}
}

// The candidate replaces the present part of the name.
func TestCompletionReplaces(t *testing.T) {
	_, uri := workspace(t, map[string]string{"main.go": program})
	c := greeted(t)
	for text, from := range map[string]uint32{"property p: t:(not in.buffer.re|": 22, "property p: t:(b.la|": 17,
		"property 𝔭: 𝔱:(ap|": 17} {
		text, at := mark(t, text)
		c.open(uri, text)
		var items []CompletionItem
		c.call("textDocument/completion", c.at(uri, at), &items)
		if len(items) == 0 || items[0].TextEdit.Range.Start != (Position{0, from}) {
			t.Errorf("%s: %+v", text, items)
		}
	}
}

func TestHover(t *testing.T) {
	_, uri := workspace(t, map[string]string{"main.go": program})
	c := greeted(t)
	for _, tt := range []struct{ text, want, at string }{
		{"property p: t:(in.app|end)", "```go\nfunc append(elem int)\n```\n\nappend puts a number in.\n\nappend, main.go:17; started as a goroutine at main.go:26", "append"},
		{"property p: t:(start.main.func1|)", "func()\n```\n\nmain.func1, main.go:27; started as a goroutine at main.go:27", "main.func1"},
		{"property p: t:(in.\"(*buf|fer).remove\")", "func (q *buffer) remove() (found bool)", "\"(*buffer).remove\""},
		{"property p: t:(in.main.main|)", "the main goroutine runs it", "main.main"},
		{"property p: t:(i|n.append)", "f is on the goroutine's stack", "in"},
		{"property p: t:(b.la|st > 1)", "first, last int\n```\n\nfield of package main, main.go:7", "last"},
		{"property p: t:(b|.last > 1)", "var b, é buffer\n```\n\nvariable of package main, main.go:14", "b"},
		{"property p: t:(main.b.n|ext.last > 1)", "next        *buffer\n```", "next"},
		{"property p: t:(N| > 1)", "constant of package main, main.go:12", "N"},
		{"property p: t:(in.buffer.remove and x| > 1)", "x := q.last\n```\n\nvariable of buffer.remove, main.go:20", "x"},
		{"property p: t:(y| > 1)", "variable of main.func1, main.go:27", "y"},
		{"property 𝔭: 𝔱:(é| == é)", "variable of package main", "é"},
		{"property p: t:(x) un|til t:(y)", "q true in some l' > l", "until"},
		{"property p: t:(x) -|> t:(y)", "as not p or q", "->"},
		{"may_wait app|end", "append puts a number in.", "append"},
		{"shared b.fir|st", "field of package main", "first"},
		{"shar|ed b.first", "gives a variable a set of values", "shared"},
		{"property p: t:(le|n(x) > 1)", "len(x)", "len"},
		{"property p: n|ext:(x)", "p true in some successor", "next"},
		{"property p: t:(ne|xt > 1)", "", ""}, // a variable, and there is none
		{"property ap|pend: t:(x)", "", ""},
		{"property p: app|end:(x)", "", ""},
		{"property p: t:(in.nothing|)", "", ""},
		{"property p: // unt|il", "", ""},
		{"|", "", ""},
	} {
		text, at := mark(t, tt.text)
		c.open(uri, text)
		var hover *Hover
		c.call("textDocument/hover", c.at(uri, at), &hover)
		switch {
		case hover == nil:
			if tt.want != "" {
				t.Errorf("%s: nothing, want %q", tt.text, tt.want)
			}
		case tt.want == "" || !strings.Contains(hover.Contents.Value, tt.want):
			t.Errorf("%s: %q, want %q", tt.text, hover.Contents.Value, tt.want)
		default:
			d := newDocument(textDocument{}, text)
			if got := d.text[d.offset(hover.Range.Start):d.offset(hover.Range.End)]; got != tt.at {
				t.Errorf("%s: is about %q", tt.text, got)
			}
		}
	}
}

func TestDefinition(t *testing.T) {
	other := "package main\n\nfunc (other) remove() { /* 𝔵 */ y := 1; _ = y }\n\ntype other int\n"
	external := "package main_test\n\nfunc append() {}\n"
	dir, uri := workspace(t, map[string]string{"main.go": program, "other_test.go": other, "x_test.go": external,
		"none_plan9.go": strings.ReplaceAll(other, "other", "none"), "broken.go": "package main\nfunc ("})
	c := greeted(t)
	for _, tt := range []struct{ text, want string }{
		{"property p: t:(in.app|end)", "main.go append"},
		{"property p: t:(in.rem|ove)", "main.go remove other_test.go remove"},
		{"property p: t:(in.other.rem|ove)", "other_test.go remove"},
		{"property p: t:(in.main.func1|)", "main.go "},
		{"property p: t:(b.ne|xt.last == 1)", "main.go next"},
		{"property p: t:(b.next.la|st == 1)", "main.go last"},
		{"property p: t:(y| == 1)", "main.go y other_test.go y"},
		{"property p: t:(in.other.remove and y| == 1)", "other_test.go y"},
		{"property p: t:(b.nothing| == 1)", ""},
		{"property p: t|:(b.nothing == 1)", ""},
		{"property p: ne|xt t:(x)", ""},
	} {
		text, at := mark(t, tt.text)
		c.open(uri, text)
		var locations []Location
		c.call("textDocument/definition", c.at(uri, at), &locations)
		var got []string
		for _, l := range locations {
			path := pathOf(l.URI)
			if filepath.Dir(path) != dir {
				t.Errorf("%s is not in %s", path, dir)
			}
			src := program
			if filepath.Base(path) != "main.go" {
				src = other
			}
			d := newDocument(textDocument{}, src)
			got = append(got, filepath.Base(path)+" "+src[d.offset(l.Range.Start):d.offset(l.Range.End)])
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %q, want %q", tt.text, s, tt.want)
		}
	}
}

// The package is read again when a file has changed.
func TestPackageChanges(t *testing.T) {
	dir, uri := workspace(t, map[string]string{"main.go": program})
	c := greeted(t)
	if got := c.open(uri, "property p: t:(in.append and in.later)"); len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	write(t, filepath.Join(dir, "later.go"), "package main\nfunc later() {}\n")
	if got := c.open(uri, "property p: t:(in.append and in.later)"); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestPackagesAreForgotten(t *testing.T) {
	var cache packageCache
	for range 2 * maxPackages {
		_, uri := workspace(t, map[string]string{"main.go": program})
		d := newDocument(textDocument{URI: uri}, "")
		if p := cache.packageOf(d); p == nil || p != cache.packageOf(d) {
			t.Fatal("read again")
		}
	}
	if len(cache.kept) != maxPackages {
		t.Errorf("%d packages", len(cache.kept))
	}
}
