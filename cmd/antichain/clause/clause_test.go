package clause

import (
	"fmt"
	"strings"
	"testing"
)

// In each program the case of c was taken on the line of the select statement; the other one is that of late.
func TestIsHarmless(t *testing.T) {
	const begin = "package p\n\nfunc f(late chan int) {\n\tc := make(chan int)\n\tgo func() { c <- 1 }()\n"
	receives := Case{Took: 1, Other: 0}
	for _, test := range []struct {
		name, code string
		Case
		want bool
	}{
		{"nothing", "select {\ncase <-c:\ncase <-late:\n}", receives, false},
		{"return", "select {\ncase v := <-c:\n_ = v\ncase <-late:\nreturn\n}\n<-c", receives, false},
		{"received in the case", "select {\ncase <-c:\ncase <-late:\n<-c\n}", receives, true},
		{"received afterwards", "select {\ncase <-c:\ncase <-late:\n}\nif true {\n<-c\n}", receives, true},
		{"afterwards, further out", "if true {\nselect {\ncase <-c:\ncase <-late:\n}\n}\n<-c", receives, true},
		{"used in the case that was taken", "select {\ncase <-c:\nclose(c)\ncase <-late:\n}", receives, false},
		{"in a loop", "for {\nselect {\ncase <-c:\nreturn\ncase <-late:\n}\n}", receives, true},
		{"in a loop that it leaves", "for {\nselect {\ncase <-c:\ncase <-late:\nreturn\n}\n}", receives, false},
		{"deferred", "defer func() { <-c }()\nselect {\ncase <-c:\ncase <-late:\nreturn\n}", receives, true},
		{"a panic", "select {\ncase <-c:\ncase <-late:\npanic(\"late\")\n}", receives, true},
		{"the end of a test", "select {\ncase <-c:\ncase <-late:\ns.t.Fatalf(\"late\")\n}", receives, true},
		{"the end in the other case only", "select {\ncase <-c:\npanic(1)\ncase <-late:\n}", receives, false},
		{"sends come first", "select {\ncase <-late:\n<-c\ncase <-c:\ncase late <- 1:\npanic(1)\n}", Case{Took: 1, Other: 2}, true},
		{"and are other cases", "select {\ncase <-late:\n<-c\ncase <-c:\ncase late <- 1:\n}", Case{Took: 1, Other: 0}, false},
		{"no such case", "select {\ncase <-c:\npanic(1)\n}", receives, false},
		{"no program", "select {", receives, false},
		{"another function's", "func() {\nselect {\ncase <-c:\ncase <-late:\n}\n}()\n<-c", receives, false},
	} {
		src := begin + test.code + "\n}\n"
		line := strings.Count(src[:max(strings.Index(src, "select"), 0)], "\n") + 1
		if got := test.IsHarmless([]byte(src), line); got != test.want {
			t.Errorf("%s: %v, want %v\n%s", test.name, got, test.want, src)
		}
		if test.IsHarmless([]byte(src), line+1) {
			t.Errorf("%s: harmless, on a line without a select statement", test.name)
		}
	}
}

// Any text may be what the position leads to by now.
func FuzzIsHarmless(f *testing.F) {
	f.Add("package p\nfunc f() {\nselect {\ncase <-c:\ncase x = <-d:\ndefault:\n}\n}", 1, 0)
	f.Fuzz(func(t *testing.T, src string, took, other int) {
		for line := range strings.Count(src, "\n") + 1 {
			fmt.Fprint(t.Output(), Case{took & 7, other & 7}.IsHarmless([]byte(src), line+1))
		}
	})
}
