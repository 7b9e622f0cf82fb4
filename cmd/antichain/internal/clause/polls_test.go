package clause

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// The case of the timer is asked for by itself.
func TestPolls(t *testing.T) {
	const loop = "for {\nselect {\ncase <-time.After(1):\ncase <-done:\nreturn\n}\n}\n"
	in := func(body string) string { return strings.Replace(loop, "After(1):\n", "After(1):\n"+body, 1) }
	for _, test := range []struct {
		name, code string
		want       builtin.Behind
	}{
		{"nothing", loop, back},
		{"counts", in("n++\n"), back},
		{"with a label", "again:\n" + in("continue again\n"), back},
		{"the statement has a label", strings.Replace(in("break wait\n"), "select", "wait:\nselect", 1), back},
		{"moves its timer", in("timer.Reset(1)\n"), back},
		{"behind a new timer", strings.Replace(loop, "select", "timer := time.NewTimer(1)\nselect", 1), back},
		{"calls", in("f()\n"), unread},
		{"calls before", strings.Replace(loop, "select", "f()\nselect", 1), unread},
		{"calls behind", strings.Replace(loop, "}\n}\n", "}\nf()\n}\n", 1), unread},
		{"calls at the end", strings.Replace(loop, "for {", "for ;; f() {", 1), unread},
		{"sends", in("c <- 1\n"), unread},
		{"receives", in("<-c\n"), unread},
		{"returns", in("return\n"), leaves},
		{"returns at times", in("if n > 3 {\nreturn\n}\n"), leaves},
		{"breaks at times", "out:\n" + in("if n > 3 {\nbreak out\n}\n"), leaves},
		{"ends", in("panic(1)\n"), leaves},
		{"returns behind", strings.Replace(loop, "}\n}\n", "}\nif n > 3 {\nreturn\n}\n}\n", 1), leaves},
		{"returns before", strings.Replace(loop, "select", "if n > 3 {\nreturn\n}\nselect", 1), leaves},
		{"is left behind", strings.Replace(loop, "}\n}\n", "}\nbreak\n}\n", 1), leaves},
		{"has a condition", strings.Replace(loop, "for", "for n < 3", 1), leaves},
		{"has a range", strings.Replace(loop, "for", "for range 3", 1), leaves},
		{"is in an if", strings.Replace(strings.Replace(loop, "select", "if true {\nselect", 1), "}\n}\n", "}\n}\n}\n", 1), unread},
		{"is in no loop", "select {\ncase <-time.After(1):\ncase <-done:\nreturn\n}", unread},
	} {
		checkBehind(t, test.name, "package p\n\nfunc f() {\n"+test.code+"\n}\n", Case{Took: 1, Other: 1}, test.want, false)
	}
}
