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
		{"moves its timer", strings.Replace(in("timer.Reset(1)\n"), "time.After(1)", "timer.C", 1), back},
		{"moves what may be no timer", in("timer.Reset(1)\n"), unread},
		{"stops what it waits for", in("done.Stop()\n"), unread},
		{"starts what is to come", in("time.AfterFunc(1, stop)\n"), unread},
		{"comes to the next channel", strings.Replace(in("n++\n"), "<-done", "<-done[n]", 1), unread},
		{"writes through a pointer", in("*d = over\n"), unread},
		{"waits for a context", strings.Replace(loop, "<-done", "<-ctx.Done()", 1), back},
		{"waits for a package variable", strings.Replace(loop, "<-done", "<-stopped", 1), unread},
		{"waits for a field of one", strings.Replace(loop, "<-done", "<-servers[0].stopped", 1), unread},
		{"waits for a context in one", strings.Replace(loop, "<-done", "<-background.Done()", 1), unread},
		{"waits for a timer in one", strings.Replace(loop, "<-time.After(1)", "<-clock.C", 1), back},
		{"waits for what a call returns", strings.Replace(loop, "<-done", "<-s.wait()", 1), unread},
		{"sends what a call returns", strings.Replace(loop, "<-done", "done <- f()", 1), unread},
		{"behind a new timer", strings.Replace(loop, "select", "timer := time.NewTimer(1)\nselect", 1), back},
		{"calls", in("f()\n"), unread},
		{"prints", in("println(len(s))\nlog.Printf(\"late\")\n"), back},
		{"waits for another channel", in("done = over\n"), unread},
		{"uses another timer", strings.Replace(in("late = time.After(1)\n"), "<-time.After(1)", "<-late", 1), back},
		{"closes", in("close(c)\n"), unread},
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
		{"is in an if", strings.Replace(strings.Replace(loop, "select", "if true {\nselect", 1), "}\n}\n", "}\n}\n}\n",
			1), unread},
		{"is in no loop", "select {\ncase <-time.After(1):\ncase <-done:\nreturn\n}", unread},
	} {
		const function = "package p\n\nfunc f(done, over, late chan bool, timer *time.Timer, ctx context.Context) {\n"
		checkBehind(t, test.name, function+test.code+"\n}\n", Case{Took: 1, Other: 1}, test.want, false)
	}
}

// Functions that the loop calls are read in the file.
func TestPollsWithCalls(t *testing.T) {
	const loop = "package p\n\nfunc (s *server) loop() {\nfor {\nselect {\ncase <-time.After(1):\ns.tick()\ncase <-s.done:\nreturn\n}\n}\n}\n\n"
	const method, tick = "func (s *server) tick() ", "func tick() "
	plain := strings.Replace(loop, "s.tick", "tick", 1)
	for _, test := range []struct {
		name, src string
		want      builtin.Behind
	}{
		{"a method", loop + method + "{ s.n++ }", back},
		{"a method by value", loop + "func (s server) tick() { println(s.n) }", back},
		{"a method elsewhere", loop, unread},
		{"a method of another type", loop + "func (o *other) tick() { o.n++ }", unread},
		{"a method of another variable", strings.Replace(loop, "s.tick", "o.tick", 1) + method + "{ s.n++ }", unread},
		{"a function is no method", loop + tick + "{ n++ }", unread},
		{"a method that returns", loop + method + "{\nif s.n > 3 {\nreturn\n}\ns.n++\n}", back},
		{"a method that calls", loop + method + "{ s.count() }\nfunc (s *server) count() { s.n++ }", back},
		{"a method that calls what is elsewhere", loop + method + "{ s.count() }", unread},
		{"a method that calls itself", loop + method + "{ s.tick() }", unread},
		{"a method that changes its channel", loop + method + "{ s.done = over }", unread},
		{"a method that closes", loop + method + "{ close(s.done) }", unread},
		{"a method that sends", loop + method + "{ s.done <- true }", unread},
		{"a method that starts a goroutine", loop + method + "{ go s.stop() }", unread},
		{"a method that ends all", loop + method + "{ os.Exit(1) }", unread},
		{"a method without a body", loop + method, unread},
		{"a function", plain + tick + "{ n++ }", back},
		{"a function elsewhere", plain, unread},
		{"a method is no function", plain + method + "{ s.n++ }", unread},
		{"a parameter", strings.Replace(plain, "loop()", "loop(tick func())", 1) + tick + "{ n++ }", unread},
		{"a variable", strings.Replace(plain, "for {", "tick := s.stop\nfor {", 1) + tick + "{ n++ }", unread},
		{"a declared variable", strings.Replace(plain, "for {", "var tick = s.stop\nfor {",
			1) + tick + "{ n++ }", unread},
		{"a variable called as one of the language", strings.Replace(strings.Replace(plain, "tick()", "clear()", 1),
			"for {", "clear := s.stop\nfor {", 1), unread},
		{"a method that has the channel", strings.Replace(loop, "<-s.done", "<-s.Done()",
			1) + method + "{ s.n++ }", back},
		{"a method that closes the channel", strings.Replace(loop, "<-s.done", "<-s.Done()",
			1) + method + "{ s.n++ }\nfunc (s *server) Done() chan bool {\nclose(s.done)\nreturn s.done\n}", unread},
		{"a function called as one of the language", strings.Replace(plain, "tick()", "print()",
			1) + "func print() { close(done) }", unread},
	} {
		checkBehind(t, test.name, test.src, Case{Took: 1, Other: 1}, test.want, false)
	}
}
