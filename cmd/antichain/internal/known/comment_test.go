package known

import (
	"strings"
	"testing"
)

func TestCommentsFor(t *testing.T) {
	const c = "//antichain:ignore deadlock why"
	for name, tt := range map[string]struct {
		src  string
		want int // of comments for the line with "HERE"
	}{
		"at the end":             {"x := HERE " + c, 1},
		"before":                 {c + "\n\tx := HERE", 1},
		"both":                   {c + "\nx := HERE //antichain:ignore stuck why", 2},
		"two lines before":       {c + "\n\nx := HERE", 0},
		"behind":                 {"x := HERE\n" + c, 0},
		"end of the line before": {"y := 1 " + c + "\nx := HERE", 0},
		"end of a line of text":  {"y := `\n` " + c + "\nx := HERE", 0},
		"in a string":            {`x := HERE + "` + c + `"`, 0},
		"in a raw string":        {"x := `\n" + c + "\n` + HERE", 0},
		"in a general comment":   {"/*\n" + c + "\n*/ x := HERE", 0},
		"in another comment":     {"// " + c + "\nx := HERE", 0},
		"a longer word":          {"x := HERE //antichain:ignored deadlock why", 0},
		"behind a long line":     {c + "\ny := `" + strings.Repeat("a", 2<<20) + "`\nx := HERE", 0},
		"line directive":         {"//line a.y:100\n" + c + "\nx := HERE", 1},
		"carriage returns":       {c + "\r\nx := HERE\r\n", 1},
	} {
		before, _, _ := strings.Cut(tt.src, "HERE")
		got := commentsFor([]byte(tt.src), 1+strings.Count(before, "\n"))
		if len(got) != tt.want {
			t.Errorf("%s: %+v, want %d", name, got, tt.want)
		}
		for _, one := range got {
			if one.reason != "why" || one.mistake() != "" {
				t.Errorf("%s: %+v, %s", name, one, one.mistake())
			}
		}
	}
	// The file has changed since the program was built.
	if got := commentsFor([]byte("x := 1 "+c+"\n"), 7); len(got) > 0 {
		t.Errorf("%+v for a line behind the end", got)
	}
}

// A comment without effect says why.
func TestMistakeOfComment(t *testing.T) {
	for text, want := range map[string]string{
		"//antichain:ignore":                     "without the name of a built-in property",
		"//antichain:ignore deadlock":            "without a reason",
		"//antichain:ignore Deadlock why":        `no built-in property "Deadlock" (did you mean "deadlock"?)`,
		"//antichain:ignore deadlock, stuck why": `no built-in property ""`,
		"//antichain:ignore deadlock,all why":    `no built-in property "all"`,
		"// antichain:ignore deadlock why":       "without a blank",
		"//antichain:ignore deadlock,stuck why":  "",
	} {
		c, ok := commentOf(text)
		if got := c.mistake(); !ok || (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
