package clause

import (
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

const (
	back   = builtin.ComesBack
	leaves = builtin.Leaves
	unread = builtin.Unread
)

// In each program the case of c was taken on the line of the select statement; the other one is
// that of late.
func TestBehind(t *testing.T) {
	const begin = "package p\n\nfunc f(late chan int) {\n\tc := make(chan int)\n\tgo func() { c <- 1 }()\n"
	receives := Case{Took: 1, Other: 0}
	for _, test := range []struct {
		name, code string
		Case
		want builtin.Behind
	}{
		{"nothing", "select {\ncase <-c:\ncase <-late:\n}", receives, leaves},
		{"return", "select {\ncase v := <-c:\n_ = v\ncase <-late:\nreturn\n}\n<-c", receives, leaves},
		{"received in the case", "select {\ncase <-c:\ncase <-late:\n<-c\n}", receives, back},
		{"received behind a return", "select {\ncase <-c:\ncase <-late:\nreturn\n<-c\n}", receives, leaves},
		{"received afterwards", "select {\ncase <-c:\ncase <-late:\n}\nif true {\n<-c\n}", receives, back},
		{"received behind a break", "select {\ncase <-c:\ncase <-late:\nbreak\n}\n<-c", receives, back},
		{"afterwards, further out", "if true {\nselect {\ncase <-c:\ncase <-late:\n}\n}\n<-c", receives, back},
		{"in another clause", "switch {\ncase true:\nselect {\ncase <-c:\ncase <-late:\n}\ndefault:\n<-c\n}",
			receives, leaves},
		{"used in the case that was taken", "select {\ncase <-c:\nclose(c)\ncase <-late:\n}", receives, leaves},
		{"in a loop", "for {\nselect {\ncase <-c:\nreturn\ncase <-late:\n}\n}", receives, back},
		{"in a loop with a condition", "for i := 0; i < 2; i++ {\nselect {\ncase <-c:\ncase <-late:\n}\n}",
			receives, back},
		{"in a loop with flags", "a, b := false, false\nfor !a || !b {\nselect {\ncase <-c:\na = true\ncase <-late:\nb = true\n}\n}", receives, back},
		{"in a loop that it leaves", "for {\nselect {\ncase <-c:\ncase <-late:\nreturn\n}\n}", receives, leaves},
		{"in a loop that it breaks", "out:\nfor {\nselect {\ncase <-c:\ncase <-late:\nbreak out\n}\n}",
			receives, leaves},
		{"in a loop that it breaks at times", "out:\nfor {\nselect {\ncase <-c:\ncase <-late:\nif late == nil {\nbreak out\n}\n}\n}", receives, back},
		{"behind a loop that it breaks", "out:\nfor {\nselect {\ncase <-c:\ncase <-late:\nbreak out\n}\n}\n<-c",
			receives, back},
		{"in a loop that it breaks further on", "for {\nselect {\ncase <-c:\ncase <-late:\n}\nbreak\n}",
			receives, leaves},
		{"in a loop that it continues", "out:\nfor range 3 {\nfor {\nselect {\ncase <-c:\ncase <-late:\ncontinue out\n}\n}\n}", receives, back},
		{"a goto", "again:\nselect {\ncase <-c:\ncase <-late:\ngoto again\n}", receives, unread},
		{"deferred", "defer func() { <-c }()\nselect {\ncase <-c:\ncase <-late:\nreturn\n}", receives, back},
		{"by a closure", "drain := func() { <-c }\nselect {\ncase <-c:\ncase <-late:\ndrain()\n}", receives, back},
		{"under another name", "d := c\nselect {\ncase <-c:\ncase <-late:\n<-d\n}", receives, back},
		{"by a closure that is declared", "var drain = func() { <-c }\nselect {\ncase <-c:\ncase <-late:\ndrain()\n}",
			receives, back},
		{"under the name of a conversion", "d := (<-chan int)(c)\nselect {\ncase <-c:\ncase <-late:\n<-d\n}",
			receives, back},
		{"when the test is over", "t.Cleanup(func() { <-c })\nselect {\ncase <-c:\ncase <-late:\n}", receives, back},
		{"with others", "all := []chan int{c}\nselect {\ncase <-c:\ncase <-late:\nfor _, d := range all {\n<-d\n}\n}",
			receives, back},
		{"with others, which it was appended to", "var all []chan int\nall = append(all, c)\nselect {\ncase <-c:\ncase <-late:\n<-all[0]\n}", receives, back},
		{"one of several", "all := []chan int{c}\nselect {\ncase <-all[0]:\ncase <-late:\nfor _, d := range all {\n<-d\n}\n}", receives, back},
		{"each of several", "all := []chan int{c}\nfor _, d := range all {\nselect {\ncase <-d:\ncase <-late:\n}\n}\n<-all[0]", receives, back},
		{"by what has it", "w := &worker{out: c}\nselect {\ncase <-c:\ncase <-late:\nw.stop()\n}", receives, unread},
		{"by what was made with it", "w := newWorker(c)\nselect {\ncase <-c:\ncase <-late:\nw.stop()\n}",
			receives, unread},
		{"by what was given it", "w.use(c)\nselect {\ncase <-c:\ncase <-late:\nw.stop()\n}", receives, leaves},
		{"by a variable that was given it", "w := new(worker)\nw.use(c)\nselect {\ncase <-c:\ncase <-late:\nw.stop()\n}", receives, unread},
		{"by a function that was made with it", "stop := start(c)\nselect {\ncase <-c:\ncase <-late:\nstop()\n}",
			receives, unread},
		{"by a function that came with it", "c, stop := start()\nselect {\ncase <-c:\ncase <-late:\nstop()\n}",
			receives, unread},
		{"a context is cancelled", "ctx, cancel := context.WithCancel(nil)\nselect {\ncase <-c:\ncase <-late:\ncancel()\n}\n_ = ctx", receives, leaves},
		{"a panic", "select {\ncase <-c:\ncase <-late:\npanic(\"late\")\n}", receives, back},
		{"the end of a test", "select {\ncase <-c:\ncase <-late:\ns.t.Fatalf(\"late\")\n}", receives, back},
		{"the end in the other case only", "select {\ncase <-c:\npanic(1)\ncase <-late:\n}", receives, leaves},
		{"sends come first", "select {\ncase <-late:\n<-c\ncase <-c:\ncase late <- 1:\npanic(1)\n}",
			Case{Took: 1, Other: 2}, back},
		{"and are other cases", "select {\ncase <-late:\n<-c\ncase <-c:\ncase late <- 1:\n}",
			Case{Took: 1, Other: 0}, leaves},
		{"a lone case with a default", "select {\ncase <-c:\ndefault:\n}", Case{Took: 0, Other: 1}, leaves},
		{"a default that comes first", "select {\ndefault:\ncase <-late:\n<-c\ncase <-c:\n}",
			Case{Took: 0, Other: 2}, leaves},
		{"a lone case that a loop polls", "for {\nselect {\ncase <-c:\ndefault:\n}\n}",
			Case{Took: 0, Other: 0}, back},
		{"a lone case in a loop", "for {\nselect {\ncase <-c:\nreturn\ndefault:\n}\n}", Case{Took: 0, Other: 1}, back},
		{"a lone case and received in the default", "select {\ncase <-c:\ndefault:\n<-c\n}",
			Case{Took: 0, Other: 1}, back},
		{"no such case", "select {\ncase <-c:\npanic(1)\n}", receives, unread},
		{"no program", "select {", receives, unread},
		{"in a function that is called there", "func() {\nselect {\ncase <-c:\ncase <-late:\n}\n}()\n<-c",
			receives, back},
		{"in a function that is called in a condition", "if func() bool {\nselect {\ncase <-c:\ncase <-late:\n}\nreturn true\n}() {\n<-c\n}", receives, back},
		{"in a function that is called in a condition, or not",
			"if func() bool {\nselect {\ncase <-c:\ncase <-late:\n}\nreturn true\n}() {\n<-late\n} else {\n<-c\n}",
			receives, back},
		{"in a function that is called in a condition, and left",
			"if func() bool {\nselect {\ncase <-c:\ncase <-late:\n}\nreturn true\n}() {\nreturn\n} else {\nreturn\n}\n<-c", receives, leaves},
		{"in a function that is called before a condition",
			"if err := func() error {\nselect {\ncase <-c:\ncase <-late:\n}\nreturn nil\n}(); err != nil {\n<-c\n}",
			receives, back},
		{"in a function that is called in a switch", "switch func() int {\nselect {\ncase <-c:\ncase <-late:\n}\nreturn 1\n}() {\ncase 1:\n<-c\n}", receives, back},
		{"in one branch", "if true {\nselect {\ncase <-c:\ncase <-late:\n}\n} else {\n<-c\n}", receives, leaves},
		{"in a goroutine", "go func() {\nselect {\ncase <-c:\ncase <-late:\n}\n}()\n<-c", receives, leaves},
		{"in a goroutine of a group", "wg.Go(func() {\nselect {\ncase <-c:\ncase <-late:\n}\n})\n<-c",
			receives, leaves},
		{"in a function that is called somewhere", "call(func() {\nselect {\ncase <-c:\ncase <-late:\n}\n})",
			receives, unread},
	} {
		src := begin + test.code + "\n}\n"
		checkBehind(t, test.name, src, test.Case, test.want, test.name == "no program")
	}
}

func checkBehind(t *testing.T, name, src string, c Case, want builtin.Behind, wrong bool) {
	t.Helper()
	line := strings.Count(src[:max(strings.Index(src, "select"), 0)], "\n") + 1
	if strings.HasPrefix(name, "a lone case ") {
		line = strings.Count(src[:strings.Index(src, "case")], "\n") + 1
	}
	if got, err := c.Behind([]byte(src), line); got != want || (err != nil) != wrong {
		t.Errorf("%s: %v, %v, want %v\n%s", name, got, err, want, src)
	}
	if got, _ := c.Behind([]byte(src), line+1); got != unread {
		t.Errorf("%s: %v, on a line without a select statement", name, got)
	}
}

// The channel of the case that was taken is one that others know, as p.next.
func TestBehindInOtherFunctions(t *testing.T) {
	const loop = "func (p *pump) loop() {\nfor {\nselect {\ncase p.next <- 1:\ncase <-p.stop:\nreturn\n}\n}\n}\n"
	const send = "func send(out chan int, stop chan int) {\nselect {\ncase out <- 1:\ncase <-stop:\n}\n}\n"
	const get = "func (p *pump) get() {\nselect {\ncase p.next <- 1:\ncase <-p.stop:\n}\n}\n"
	const tidies = "func (p *pump) loop() {\nselect {\ncase p.next <- 1:\ncase <-p.stop:\np.tidy()\n}\n}\nfunc run(p *pump) { go p.loop() }\n"
	for _, test := range []struct {
		name, src string
		want      builtin.Behind
	}{
		{"deferred", strings.Replace(loop, "for", "defer close(p.next)\nfor",
			1) + "func run(p *pump) { go p.loop() }", back},
		{"in a goroutine", loop + "func run(p *pump) { go p.loop() }", leaves},
		{"in a goroutine of a group", loop + "func run(p *pump) { wg.Go(p.loop) }", leaves},
		{"the caller closes", loop + "func run(p *pump) {\np.loop()\nclose(p.next)\n}", back},
		{"the caller has closed", loop + "func main() {\np := new(pump)\nclose(p.next)\np.loop()\n}", leaves},
		{"a caller in a loop", loop + "func main() {\nfor {\np := new(pump)\np.loop()\n<-p.next\n}\n}", back},
		{"the caller closes under another name", loop + "func run(all *pumps) {\nall.first.loop()\nclose(all.first.next)\n}", back},
		{"the caller defers", loop + "func run(p *pump) {\ndefer close(p.next)\np.loop()\n}", back},
		{"the caller's caller closes", loop + "func run(p *pump) { p.loop() }\nfunc main() {\nq := &pump{}\nrun(q)\nclose(q.next)\n}", back},
		{"the caller closes if there is something wrong", get +
			"func main() {\np := new(pump)\nif err := p.get(); err != nil {\nclose(p.next)\n}\n}", back},
		{"the caller returns what it returns", get + "func main() {\np := new(pump)\nfunc() bool {\nif true {\nreturn p.get()\n}\nclose(p.next)\nreturn false\n}()\n}", leaves},
		{"one of two callers closes", loop + "func main() { new(pump).loop() }\nfunc run(p *pump) {\np.loop()\nclose(p.next)\n}", back},
		{"somebody calls", loop, unread},
		{"somebody calls the caller", loop + "func run(p *pump) { p.loop() }", unread},
		{"somebody gets it", loop + "func run(p *pump) { call(p.loop) }", unread},
		{"a caller comes to it again", loop + "func run(p *pump) { if true { run(p) }\np.loop() }", back},
		{"a caller's caller's, and so on", loop + "func run(p *pump) { if true { run(p)\nreturn }\np.loop() }", unread},
		{"the caller calls a method", get + "func (p *pump) drain() { <-p.next }\nfunc main() {\np := new(pump)\np.get()\np.drain()\n}", back},
		{"the caller calls another method", get + "func (p *pump) drain() { <-p.stop }\nfunc main() {\np := new(pump)\np.get()\np.drain()\n}", leaves},
		{"the caller calls with it", get + "func drain(q *pump) { <-q.next }\nfunc main() {\np := new(pump)\np.get()\ndrain(p)\n}", back},
		{"the caller has the results", "func get(stop chan int) (next chan int) {\nselect {\ncase next <- 1:\ncase <-stop:\n}\nreturn\n}\nfunc main() { <-get(nil) }", unread},
		{"a variable of all", "var next = make(chan int)\nfunc get(stop chan int) {\nselect {\ncase next <- 1:\ncase <-stop:\ndrain()\n}\n}\nfunc drain() { <-next }\nfunc main() { get(nil) }", back},
		{"a variable of all, elsewhere", "var next = make(chan int)\nfunc get(stop chan int) {\nselect {\ncase next <- 1:\ncase <-stop:\ndrain()\n}\n}\nfunc main() { get(nil) }", unread},
		{"another variable of all", "var next, stop = make(chan int), make(chan int)\nfunc get() {\nselect {\ncase next <- 1:\ncase <-stop:\ndrain()\n}\n}\nfunc drain() { <-stop }\nfunc main() { get() }", leaves},
		{"an argument", send + "func main() {\nc := make(chan int)\nsend(c, nil)\nclose(c)\n}", back},
		{"an argument, and what leads to it", "func send(p *pump, out chan int, stop chan int) {\np.keep(out)\nselect {\ncase out <- 1:\ncase <-stop:\n}\n}\nfunc main() {\np, c := new(pump), make(chan int)\nsend(p, c, nil)\np.drain()\n}", unread},
		{"another argument", send + "func main() {\nc, stop := make(chan int), make(chan int)\nsend(c, stop)\nclose(stop)\n}", leaves},
		{"a method closes", tidies + "func (p *pump) tidy() { close(p.next) }", back},
		{"a method does not", tidies + "func (p *pump) tidy() { close(p.stop) }", leaves},
		{"a method elsewhere", tidies, unread},
		{"a file with errors", tidies + "func (p *pump) tidy() { close(p.stop) }\nfunc g() {\nwhatever 1\n}\n", unread},
	} {
		c := Case{Took: 0, Other: 1} // those that send come first
		checkBehind(t, test.name, "package p\n\n"+test.src+"\n", c, test.want, false)
	}
}

// The channel is a result of a call.
func TestBehindReturnedChannel(t *testing.T) {
	const get = "func f(w *worker, late chan int) {\nselect {\ncase <-w.results():\ncase <-late:\nw.stop()\n}\n}\nfunc main() { f(new(worker), nil) }\n"
	const field = "func (w *worker) results() chan int { return w.out }\n"
	const fresh = "func (w *worker) results() chan int {\nout := make(chan int)\ngo w.run(out)\nreturn out\n}\n"
	const stops, drains = "func (w *worker) stop() { w.n++ }\n", "func (w *worker) stop() { <-w.out }\n"
	for _, test := range []struct {
		name, src string
		want      builtin.Behind
	}{
		{"elsewhere", get + stops, unread},
		{"a field", get + field + drains, back},
		{"a field, and left", get + field + stops, leaves},
		{"a field, and left for what is elsewhere", get + field, unread},
		{"made there", get + fresh + stops, leaves},
		{"made there without a name", get + "func (w *worker) results() chan int { return make(chan int) }\n" +
			stops, leaves},
		{"made there and kept", get + strings.Replace(fresh, "go", "w.out = out\ngo", 1) + drains, back},
		{"made further on", get + strings.Replace(fresh, "make(chan int)", "other()", 1) + stops, unread},
		{"of a variable", strings.Replace(get, "select {\ncase <-w.results()", "c := w.results()\nselect {\ncase <-c",
			1) + field + drains, back},
		{"of a function", "func f(t *table, late chan int) {\nselect {\ncase <-results():\ncase <-late:\nt.stop()\n}\n}\nfunc main() { f(new(table), nil) }\nfunc results() chan int { return make(chan int) }\n", leaves},
		{"one of two", strings.Replace(get, "select {\ncase <-w.results()",
			"_, c := w.results()\nselect {\ncase <-c", 1) +
			strings.Replace(field, "return ", "return nil, ", 1) + drains, back},
		{"without words", get + "func (w *worker) results() (out chan int) {\nout = w.out\nreturn\n}\n" +
			stops, unread},
		{"the caller's", strings.Replace(strings.Replace(get, "w.stop()\n", "", 1), "{ f(new(worker), nil) }",
			"{\nw := new(worker)\nf(w, nil)\nw.stop()\n}", 1) + field + drains, back},
	} {
		checkBehind(t, test.name, "package p\n\n"+test.src, Case{Took: 1, Other: 0}, test.want, false)
	}
}

// The channel is given to a function before the select statement, and in the other case another one
// is called.
func TestBehindKeptChannel(t *testing.T) {
	const get = "func f(late chan int) {\nc := make(chan int)\ngo func() { c <- 1 }()\nkeep(c)\nselect {\ncase <-c:\ncase <-late:\ndrain()\n}\n}\n"
	const drains = "func drain() { for _, c := range all { <-c } }\n"
	for _, test := range []struct {
		name, src string
		want      builtin.Behind
	}{
		{"in a slice", drains + "func keep(c chan int) { all = append(all, c) }\n", unread},
		{"in a map", drains + "func keep(c chan int) { all[c] = true }\n", unread},
		{"in a structure", "func keep(c chan int) { one = drainer{c} }\n", unread},
		{"in a function", "func keep(c chan int) { all = append(all, func() { <-c }) }\n", unread},
		{"by who is given it there", drains + "func keep(c chan int) { hold(0, c) }\nfunc hold(n int, c chan int) { all[n] = c }\n", unread},
		{"somewhere", drains + "func keep(c chan int) { all.Store(1, c) }\n", unread},
		{"as one of many", drains + "func keep(many ...chan int) { all = many }\n", unread},
		{"by its address", drains + "func keep(c chan int) { one = &c }\n", unread},
		{"as what others send", drains + "func keep(c chan int) { others <- c }\n", unread},
		{"and left alone", "func drain() { n := 1; _ = n }\nfunc keep(c chan int) { one = c }\n", leaves},
		{"not", drains + "func keep(c chan int) { if c != nil && len(c) == 0 { c <- 1 }; for range c { <-c } }\n", leaves},
		{"not by goroutines", drains + "func keep(c chan int) { go func() { c <- 1 }(); wg.Go(func() { close(c) }); defer func() { <-c }() }\n", leaves},
		{"not by who is given it there", drains + "func keep(c chan int) { go hold(0, c) }\nfunc hold(n int, c chan int) { c <- n }\n", leaves},
		{"by who gives it to itself", drains + "func keep(c chan int) { keep(c) }\n", leaves},
		{"another one", drains + "func keep(_ chan int) { all = append(all, others.c) }\n", leaves},
	} {
		checkBehind(t, test.name, "package p\n\n"+get+test.src, Case{Took: 1, Other: 0}, test.want, false)
	}
}

// Mistakes in the file matter only in the function with the select statement, for example words of
// a later language elsewhere do not.
func TestLaterLanguage(t *testing.T) {
	const function = "func f(late chan int) {\n\tc := make(chan int)\n\tselect {\n\tcase <-c:\n\tcase <-late:\n\t\t<-c\n\t}\n}\n"
	const method = "func (t T) g[P any](p P) {}\n\n"
	const later = "func g() {\n\twhatever 1\n}\n\n"
	for _, test := range []struct {
		name, src string
		want      builtin.Behind
		err       bool
	}{
		{"before", method + function, back, false},
		{"before and taken for one", later + function, unread, true},
		{"behind", function + later, back, false},
		{"parameters of a method", strings.Replace(function, "f(", "(t T) f[P any](", 1), back, false},
		{"body", strings.Replace(function, "c :=", "whatever 1\nc :=", 1), unread, true},
		{"case", strings.Replace(function, "\t\t<-c", "whatever 1\n<-c", 1), unread, true},
	} {
		src := "package p\n\n" + test.src
		line := strings.Count(src[:strings.Index(src, "select")], "\n") + 1
		if got, err := (Case{Took: 1, Other: 0}).Behind([]byte(src), line); got != test.want ||
			(err != nil) != test.err {
			t.Errorf("%s: %v, %v, want %v\n%s", test.name, got, err, test.want, src)
		}
	}
}

// Any text may be what the position leads to by now.
func FuzzBehind(f *testing.F) {
	f.Add("package p\nfunc f() {\nselect {\ncase <-c:\ncase x = <-d:\ndefault:\n}\n}", 1, 0)
	f.Fuzz(func(t *testing.T, src string, took, other int) {
		for line := range strings.Count(src, "\n") + 1 {
			behind, err := Case{took & 7, other & 7}.Behind([]byte(src), line+1)
			fmt.Fprint(t.Output(), behind, err)
		}
	})
}

// A goroutine that misses a signal may leave a mark, for another one to signal later.
func TestBehindMark(t *testing.T) {
	const code = "package p\n\nfunc (s *signal) notify() {\nselect {\ncase s.wake <- 1:\ndefault:\n%s\n}\n}\n" +
		"func main() {\ns := new(signal)\ns.notify()\n}\n%s"
	const flush = "func (s *signal) flush() {\nif s.missed%s {\ns.wake <- 1\n}\n}\n"
	for _, test := range []struct {
		name, mark, other string
		want              builtin.Behind
	}{
		{"set, and another function signals then", "s.missed = true", fmt.Sprintf(flush, ""), unread},
		{"stored, and another function signals then", "s.missed.Store(true)", fmt.Sprintf(flush, ".Load()"), unread},
		{"set only", "s.missed = true", "", leaves},
		{"not set", "", fmt.Sprintf(flush, ""), leaves},
		{"set, and another function does something else", "s.missed = true",
			"func (s *signal) count() {\nif s.missed {\ns.n++\n}\n}\n", leaves},
		{"something else is set", "s.n = 1", fmt.Sprintf(flush, ""), leaves},
	} {
		source := fmt.Sprintf(code, test.mark, test.other)
		checkBehind(t, "a lone case and "+test.name, source, Case{Took: 0, Other: 1}, test.want, false)
	}
}
