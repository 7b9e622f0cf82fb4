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
		if got, err := test.IsHarmless([]byte(src), line); got != test.want || (err != nil) != (test.name == "no program") {
			t.Errorf("%s: %v, %v, want %v\n%s", test.name, got, err, test.want, src)
		}
		if got, _ := test.IsHarmless([]byte(src), line+1); got {
			t.Errorf("%s: harmless, on a line without a select statement", test.name)
		}
	}
}

// What is wrong in the file matters only in the function with the select statement, as where another has words of a later language.
func TestLaterLanguage(t *testing.T) {
	const function = "func f(late chan int) {\n\tc := make(chan int)\n\tselect {\n\tcase <-c:\n\tcase <-late:\n\t\t<-c\n\t}\n}\n"
	const method = "func (t T) g[P any](p P) {}\n\n"
	const later = "func g() {\n\twhatever 1\n}\n\n"
	for _, test := range []struct {
		name, src string
		want      bool
		err       bool
	}{
		{"before", method + function, true, false},
		{"before and taken for one", later + function, false, true},
		{"behind", function + later, true, false},
		{"parameters of a method", strings.Replace(function, "f(", "(t T) f[P any](", 1), true, false},
		{"body", strings.Replace(function, "c :=", "whatever 1\nc :=", 1), false, true},
		{"case", strings.Replace(function, "\t\t<-c", "whatever 1\n<-c", 1), false, true},
	} {
		src := "package p\n\n" + test.src
		line := strings.Count(src[:strings.Index(src, "select")], "\n") + 1
		if got, err := (Case{Took: 1, Other: 0}).IsHarmless([]byte(src), line); got != test.want || (err != nil) != test.err {
			t.Errorf("%s: %v, %v, want %v\n%s", test.name, got, err, test.want, src)
		}
	}
}

// Any text may be what the position leads to by now.
func FuzzIsHarmless(f *testing.F) {
	f.Add("package p\nfunc f() {\nselect {\ncase <-c:\ncase x = <-d:\ndefault:\n}\n}", 1, 0)
	f.Fuzz(func(t *testing.T, src string, took, other int) {
		for line := range strings.Count(src, "\n") + 1 {
			harmless, err := Case{took & 7, other & 7}.IsHarmless([]byte(src), line+1)
			fmt.Fprint(t.Output(), harmless, err)
		}
	})
}
