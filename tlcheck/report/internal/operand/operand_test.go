package operand

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

func TestOf(t *testing.T) {
	for _, test := range []struct {
		line string
		kind op.Kind
		want string
	}{
		{"from.mu.Lock()", op.Lock, "from.mu"},
		{"from.mu.Lock()", op.Unlock, ""},
		{"from.mu.Lock(); to.mu.Lock()", op.Lock, ""},
		{"mu.Lock(); mu.TryLock()", op.Lock, "mu"},
		{"from.mu.Lock(); to.mu.Unlock()", op.Unlock, "to.mu"},
		{"defer from.mu.Unlock()", op.Unlock, "from.mu"},
		{"locks[i].RLock()", op.RLock, "locks[i]"},
		{"(*mu).Lock()", op.Lock, "*mu"},
		{"lockOf(x).Lock()", op.Lock, ""},
		{"lockOf(x).Lock(); mu.Lock()", op.Lock, ""},
		{"func() { mu.Lock() }()", op.Lock, "mu"},
		{"a.very.long.chain.of.selectors.that.nobody.reads.mu.Lock()", op.Lock, ""},
		{"Lock()", op.Lock, ""},
		{"jobs <- <-results", op.Send, "jobs"},
		{"jobs <- <-results", op.Handoff, "jobs"},
		{"jobs <- <-results", op.Recv, "results"},
		{"for v := range results {\n_ = v\n}", op.RecvClosed, "results"},
		{"for range results { <-jobs }", op.Recv, ""},
		{"close(done)", op.Close, "done"},
		{"done := make(chan bool)", op.MakeChan, "done"},
		{"done := open()", op.MakeChan, ""},
		{"wg.Go(func() {\nother.Wait()\n})", op.Add, "wg"},
		{"wg.Go(func() {\nother.Wait()\n})", op.Wait, ""},
		{"wg.Done()", op.Done, "wg"},
		{"ready.Wait()", op.CondWait, "ready"},
		{"once.Do(f)", op.Once, "once"},

		{"counts[word]++", op.Write, "counts"},
		{"counts[word] = 1", op.Write, "counts"},
		{"counts[word] = append(counts[word], x)", op.Write, "counts"},
		{"s.total += n", op.Write, "s.total"},
		{"*p = 1", op.Write, "*p"},
		{"(n)++", op.Write, "n"},
		{"a, b = b, a", op.Write, ""},
		{"_, err = f()", op.Write, "err"},
		{"delete(s.index, key)", op.Write, "s.index"},
		{"clear(seen)", op.Write, "seen"},
		{"copy(to, from)", op.Write, "to"},
		{"close(done)", op.Write, "done"},
		{"var n = f()", op.Write, "n"},
		{"for i = range n {\n}", op.Write, "i"},
		{"config = &T{1}", op.Write, ""},
		{"handler = func() {}", op.Write, ""},
		{"wg.Go(func() { n++ })", op.Write, "n"},
		{"n++; return n", op.Write, ""},
		{"n++; m++", op.Write, ""},
		{"n++; n = 0", op.Write, "n"},
		{"f(x)", op.Write, ""},
		{"f(func() {\nn++\n})", op.Write, ""},
		{"x = f(\n1)", op.Write, "x"},
		{"_, err = file.Read(buf)", op.Write, ""},
		{"err = os.Chdir(dir)", op.Write, ""},
		{"n = mirror.Copy(to, from)", op.Write, ""},
		{"n = reflect.Copy(to, from)", op.Write, "n"},
		{"n = utf8.RuneLen(r)", op.Write, "n"},
		{"_, err = file.Read(buf); mu.Lock()", op.Lock, "mu"},
		{"counts[word]++", op.Read, ""},
		{"if {", op.Write, ""},
	} {
		src := "package p; import (\"os\"; mirror \"reflect\"; \"unicode/utf8\")\n\nfunc f() {\n\tother.Lock()\n\t" +
			test.line + "\n\tother.Lock()\n\tother = nil\n}\n"
		if got := Of([]byte(src), 5, test.kind); got != test.want {
			t.Errorf("%v in %q: %q, want %q", test.kind, strings.ReplaceAll(test.line, "\n", " "), got, test.want)
		}
	}
}
