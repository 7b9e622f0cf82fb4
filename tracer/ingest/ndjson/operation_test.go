package ndjson

import (
	"errors"
	"fmt"
	stdslices "slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/std"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// plain is a mapping of logs that have the words of the kinds.
const plain = `{"task":"t","operation":"op","object":"on","other":"of","count":"n","capacity":"cap","at":"at"}`

// logOf makes a log of lines like "T1 lock m", each at the place of its number. A number behind the
// object is a count and a capacity.
func logOf(lines ...string) string {
	var text strings.Builder
	for i, l := range lines {
		f := strings.Fields(l)
		fmt.Fprintf(&text, `{"t":%q,"op":%q,"on":%q,"of":%q`, f[0], f[1], f[2], f[2])
		if len(f) > 3 {
			fmt.Fprintf(&text, `,"n":%s,"cap":%s`, f[3], f[3])
		}
		fmt.Fprintf(&text, `,"at":"f:%d"}`+"\n", i+1)
	}
	return text.String()
}

// helper is a test, also a random one.
type helper interface{ Helper() }

// findings are what is found on a trace, in any order.
func findings(t helper, r event.Reader, on ...builtin.Property) (all []string, err error) {
	t.Helper()
	h, err := r.Header()
	if err != nil {
		return nil, err
	}
	k := builtins.New(h, builtins.Config{Properties: on, Named: true})
	tr, err := santest.Collect(r)
	if err != nil {
		return nil, err
	}
	for _, e := range tr.Events {
		k.Add(e)
	}
	for _, result := range k.Results("") {
		text := fmt.Sprint(result.Builtin, ": ", result.Verdict, result.Covered)
		if f := result.Finding; f != nil {
			text += fmt.Sprintf(" %s %d: %s", f.How, f.Count, f.Text)
		}
		all = append(all, text)
	}
	stdslices.Sort(all)
	return all, nil
}

// findingsOf are what is found on a log with one run.
func findingsOf(t helper, mapping, text string, on ...builtin.Property) ([]string, error) {
	t.Helper()
	runs, err := read(mapping, text, Options{})
	if err != nil {
		return nil, err
	}
	return findings(t, runs[0], on...)
}

// Each property finds what is wrong, and nothing where a little is different.
func TestFindings(t *testing.T) {
	for _, tt := range []struct {
		name string
		on   builtin.Property
		log  []string
		want string // "" if it holds
	}{
		{"deadlock", builtin.Deadlock,
			[]string{"a lock m", "a lock n", "a unlock n", "a unlock m", "b lock n", "b lock m", "b unlock m",
				"b unlock n"}, "b waits at f:6 for m, which a holds; a waits at f:2 for n, which b holds"},
		{"deadlock of readers", builtin.Deadlock,
			[]string{"a rlock m", "a lock n", "a unlock n", "a runlock m", "b lock n", "b lock m", "b unlock m",
				"b unlock n"}, "deadlock: violated predicted"},
		{"no deadlock of two readers", builtin.Deadlock,
			[]string{"a rlock m", "a rlock n", "a runlock n", "a runlock m", "b rlock n", "b rlock m", "b runlock m",
				"b runlock n"}, ""},
		{"no deadlock after a join", builtin.Deadlock,
			[]string{"a start b", "b lock n", "b lock m", "b unlock m", "b unlock n", "a join b", "a lock m",
				"a lock n", "a unlock n", "a unlock m"}, ""},
		{"deadlock that happened", builtin.Deadlock, []string{"a lock m", "b lock n", "a locking n", "b locking m"},
			"observed"},
		{"race", builtin.Race, []string{"a write x", "b read x"},
			"race: violated predicted 1: b reads at f:2 the memory that a writes at f:1"},
		{"no race under a lock", builtin.Race,
			[]string{"a lock m", "a write x", "a unlock m", "b lock m", "b write x", "b unlock m"}, ""},
		{"race of readers", builtin.Race,
			[]string{"a rlock m", "a write x", "a runlock m", "b rlock m", "b write x", "b runlock m"},
			"b writes at f:5"},
		{"no race of reader and writer", builtin.Race,
			[]string{"a rlock m", "a read x", "a runlock m", "b lock m", "b write x", "b unlock m", "a rlock m",
				"a read x", "a runlock m"}, ""},
		{"no race after a start", builtin.Race, []string{"a write x", "a start b", "b write x"}, ""},
		{"race after a start", builtin.Race, []string{"a start b", "a write x", "b write x"}, "b writes at f:3"},
		{"no race after an end", builtin.Race, []string{"a start b", "b write x", "b end -", "a join b", "a write x"},
			""},
		{"no race after a receive", builtin.Race, []string{"a write x", "a send c 1", "b receive c", "b write x"}, ""},
		{"race before a send", builtin.Race, []string{"a send c 1", "a write x", "b receive c", "b write x"},
			"b writes at f:4"},
		{"no race of readers and a downgrade", builtin.Race,
			[]string{"a lock m", "a write x", "a rlock m", "a unlock m", "b rlock m", "b read x", "b runlock m",
				"a read x", "a runlock m", "b lock m", "b write x", "b unlock m"}, ""},
		{"race after a downgrade", builtin.Race,
			[]string{"a lock m", "a rlock m", "a unlock m", "a write x", "b rlock m", "b write x", "b runlock m",
				"a runlock m"}, "b writes at f:6"},
		{"deadlock after a downgrade", builtin.Deadlock,
			[]string{"a lock m", "a rlock m", "a unlock m", "a lock n", "a unlock n", "a runlock m", "b lock n",
				"b lock m", "b unlock m", "b unlock n"}, "deadlock: violated predicted"},
		{"no deadlock of a downgrade", builtin.Deadlock,
			[]string{"a lock m", "a lock n", "a rlock m", "a unlock m", "a unlock n", "a runlock m", "b lock m",
				"b lock n", "b unlock n", "b unlock m"}, ""},
		{"no deadlock of a reader for a while", builtin.Deadlock,
			[]string{"a lock m", "a rlock m", "a runlock m", "a unlock m", "a lock n", "a unlock n", "b lock n",
				"b lock m", "b unlock m", "b unlock n"}, ""},
		{"race without a bound", builtin.Race,
			[]string{"a send c -1", "a send c", "b write x", "b receive c", "a send c", "a write x"},
			"a writes at f:6"},
		{"no race at a meeting", builtin.Race, []string{"b write x", "b receive c 0", "a send c", "a write x"}, ""},
		{"no race when the buffer is full", builtin.Race,
			[]string{"a send c 2", "a send c", "b write x", "b receive c", "a send c", "a write x"}, ""},
		{"race when the buffer has room", builtin.Race,
			[]string{"a send c 3", "a send c", "b write x", "b receive c", "a send c", "a write x"}, "a writes at f:6"},
		{"no race after a close", builtin.Race, []string{"a write x", "a close c 0", "b receive c", "b write x"}, ""},
		{"no race after a wait", builtin.Race,
			[]string{"a add g", "a start b", "b write x", "b done g", "a wait g", "a write x"}, ""},
		{"closed", builtin.Closed, []string{"a send c 1", "b close c"}, "closed: violated predicted"},
		{"not closed", builtin.Closed, []string{"a send c 1", "a close c"}, ""},
		{"send on closed", builtin.Closed, []string{"a close c 1", "a send c"}, "closed: violated observed"},
		{"closed while it sends", builtin.Closed, []string{"a send c 0", "b close c"}, "closed: violated observed"},
		{"closed twice", builtin.Closed, []string{"a close c 1", "a close c"}, "closed: violated observed"},
		{"closed while it receives", builtin.Closed, []string{"a receive c 0", "b close c", "a lock m"}, ""},
		{"unlock", builtin.Unlock, []string{"a lock m", "b unlock m"}, "unlock: violated predicted"},
		{"no unlock", builtin.Unlock, []string{"a lock m", "a start b", "b unlock m"}, ""},
		{"waitgroup", builtin.WaitGroup, []string{"a add g 2", "b done g", "a done g"},
			"waitgroup: violated predicted"},
		{"no waitgroup", builtin.WaitGroup, []string{"a add g", "a start b", "b done g", "a wait g"}, ""},
		{"stuck", builtin.Stuck, []string{"a start b", "a end -", "b receive c 0"}, "stuck: violated observed"},
		{"stuck at a buffer", builtin.Stuck, []string{"a start b", "b receiving c 1", "a end -"},
			"stuck: violated observed"},
		{"stuck at a counter", builtin.Stuck, []string{"a add g 2", "a done g", "a waiting g"},
			"stuck: violated observed"},
		{"not stuck", builtin.Stuck, []string{"a start b", "b receiving c 1", "a send c", "a end -"}, ""},
		{"deadlock of a reader behind a writer", builtin.Deadlock, []string{"a rlock m", "b locking m", "a rlocking m"},
			"deadlock: violated observed"},
		{"deadlock of readers behind writers", builtin.Deadlock,
			[]string{"a rlock m", "b rlock n", "d locking n", "c locking m", "a rlocking n", "b rlocking m"},
			"deadlock: violated observed"},
		{"no deadlock of a reader before a writer", builtin.Deadlock,
			[]string{"a rlock m", "a rlocking m", "b locking m"}, ""},
		{"no deadlock behind a writer elsewhere", builtin.Deadlock,
			[]string{"a rlock m", "a rlock n", "b locking n", "a rlocking m"}, ""},
		{"no deadlock behind a writer that is gone", builtin.Deadlock,
			[]string{"a rlock m", "b locking m", "b write x", "a rlocking m"}, ""},
		{"stuck behind a writer", builtin.Stuck,
			[]string{"a start b", "a start c", "a rlock m", "b locking m", "c rlocking m", "a end -"},
			"c waits for ever"},
		{"stuck at a lock", builtin.Stuck, []string{"a start b", "a lock m", "a end -", "b locking m"},
			"stuck: violated observed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := findingsOf(t, plain, logOf(tt.log...), tt.on)
			want := tt.want
			if want == "" {
				want = string(tt.on) + ": holds"
			}
			if err != nil || len(got) != 1 || !strings.Contains(got[0], want) {
				t.Errorf("%q %v, not %s", got, err, want)
			}
		})
	}
}

// Without a field for the position in the source, operations are where their lines are.
func TestWithoutAt(t *testing.T) {
	mapping := strings.Replace(plain, `,"at":"at"`, "", 1)
	got, err := findingsOf(t, mapping, logOf("a write x", "b read x", "b write y", "a read y"), builtin.Race)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"race: violated predicted 1: b reads at log:2 the memory that a writes at log:1, and nothing orders the two",
		"race: violated predicted, behind another race 1: a reads at log:4 the memory that b writes at log:3, and " +
			"nothing orders the two",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestImpossible(t *testing.T) {
	for _, tt := range []struct {
		log  []string
		want string
	}{
		{[]string{"a locked m"}, `log:1: unknown operation "locked"`},
		{[]string{"a lock m", "b lock m"}, `log:2: task "b" locks "m", which task "a" holds`},
		{[]string{"a rlock m", "b lock m"}, `log:2: task "b" locks "m", which has readers`},
		{[]string{"a lock m", "b rlock m"}, `log:2: task "b" locks "m" for reading, which task "a" holds`},
		{[]string{"a unlock m"}, `log:1: task "a" unlocks "m", which no task has locked`},
		{[]string{"a runlock m"}, `log:1: task "a" unlocks "m" for reading, which has no readers`},
		{[]string{"a lock m", "a rlock m", "a unlock m", "b lock m"}, `log:4: task "b" locks "m", which has readers`},
		{[]string{"a lock m", "a rlock m", "a runlock m", "a unlock m", "a runlock m"},
			`log:5: task "a" unlocks "m" for reading, which has no readers`},
		{[]string{"a receive c 1"}, `log:1: task "a" receives from channel "c", which is empty`},
		{[]string{"a send c 1", "a send c"}, `log:2: task "a" sends on channel "c", which is full with 1 elements`},
		{[]string{"a send c"}, `log:1: no line has the capacity of channel "c"`},
		{[]string{"a send c 1", "a send c 2"}, `log:2: channel "c" has another capacity than before: 2, not 1`},
		{[]string{"a send c true"}, `log:1: the field cap, which has the capacity of a channel, is no number of elements: true`},
		{[]string{"a send c 0", "a lock m"},
			`log:2: task "a" goes on, but no other task has taken part in its send in line 1`},
		{[]string{"a send c 0", "b join a"}, `log:2: task "a" goes on, but no other task`},
		{[]string{"a start a"}, `log:1: task "a" is started, but it was there before`},
		{[]string{"a start b", "a start b"}, `log:2: task "b" is started, but it was there before`},
		{[]string{"a join a"}, `log:1: task "a" joins itself`},
		{[]string{"a join b", "b lock m"}, `log:2: an operation of task "b", which has ended`},
		{[]string{"a done g"}, `log:1: task "a" makes the counter of "g" negative`},
		{[]string{"a add g", "a wait g"}, `log:2: task "a" has waited for "g", whose counter is 1`},
		{[]string{"a add g 0"}, `log:1: the field n, which has a count, is no number of at least 1`},
	} {
		_, err := findingsOf(t, plain, logOf(tt.log...), builtin.Deadlock)
		var e *event.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%q: %v, not %s", tt.log, err, tt.want)
		}
	}
}

func TestOperationFields(t *testing.T) {
	for _, tt := range []struct{ mapping, want string }{
		{`"object":"o"`, `"object", "other", "count" and "capacity" are about operations`},
		{`"operation":"o"`, `"object" is missing`},
		{`"operation":"o","object":"o"`, `"other" is missing`},
		{`"operation":1`, `"operation": must be the path of a field, or like`},
		{`"operation":{}`, `"operation": "field" is missing`},
		{`"operation":{"key":"o"}`, `"operation": unknown field "key": the fields are field, kinds, if`},
		{`"operation":{"kinds":1}`, `"operation": "kinds" must be an object`},
		{`"operation":{"kinds":{"a":"locks"}}`,
			`"operation": "locks" is no kind of operations: the kinds are none, lock,`},
		{`"operation":{"kinds":{"*":"lock"}}`, `"operation": "*", which is any other word, can only be "none"`},
		{`"operation":{"field":"o","kinds":{"r":"read","w":"write"}},"object":"o"`,
			`"operation": no built-in property can be judged`},
		{`"operation":{"field":"o","kinds":{"l":"lock","u":"unlock","r":"rlock"}},"object":"o"`,
			`"operation": the kinds have rlock but not runlock`},
		{`"operation":{"field":"o","kinds":{"l":"lock","u":"unlock","r":"runlock"}},"object":"o"`,
			`"operation": the kinds have runlock but not rlock`},
		{`"capacity":true`, `"capacity": must be the path of a field, or the number`},
	} {
		_, err := ParseMapping("file", []byte(`{"task":"t",`+tt.mapping+`}`))
		if err == nil || !strings.HasPrefix(err.Error(), "file: "+tt.want) {
			t.Errorf("%s: %v, not %s", tt.mapping, err, tt.want)
		}
	}
}

// The header announces what the kinds of the mapping suffice for.
func TestOnly(t *testing.T) {
	all := map[string]string{}
	for _, word := range kinds {
		all[word] = word
	}
	without := func(capacity string, words ...string) string {
		var list []string
		for w := range all {
			if !stdslices.Contains(words, w) {
				list = append(list, fmt.Sprintf("%q:%q", w, w))
			}
		}
		return fmt.Sprintf(`{"task":"t","operation":{"field":"op","kinds":{%s}},"object":"on","other":"of"%s}`,
			strings.Join(list, ","), capacity)
	}
	const bound = `,"capacity":0`
	most := []string{"deadlock", "stuck", "closed", "waitgroup", "unlock", "race"}
	for _, tt := range []struct {
		mapping string
		only    []string
	}{
		{plain, most},
		{without(bound), most},
		{without(bound, "none", "end"), most},
		{without(""), most[:1]},
		{without(bound, "receive"), most[:1]},
		{without(bound, "rlock", "runlock"), most[:1]},
		{without(bound, "write"), most[:5]},
		{without(bound, "waiting", "read"), []string{"deadlock", "closed", "waitgroup", "unlock"}},
	} {
		runs, err := read(tt.mapping, `{"t":1}`, Options{})
		if err != nil {
			t.Fatal(err)
		}
		h, err := runs[0].Header()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.only, h.Operations.Only); d != "" {
			t.Errorf("%s: %s", tt.mapping, d)
		}
	}
	runs, err := read(`{"task":"t"}`, `{"t":1}`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if h, err := runs[0].Header(); err != nil || h.Operations != nil || h.Version != 1 {
		t.Error(h, err)
	}
}

// Words, conditions and lines without an operation.
func TestOperationWords(t *testing.T) {
	const mapping = `{"task":"t","event":"msg","operation":{"field":"msg","kinds":{"got":"lock","gave":"unlock","*":"none"},"if":{"level":"debug"}},"object":"on"}`
	const text = `{"t":1,"msg":"got","level":"debug","on":7}
{"t":1,"msg":"got","level":"info"}
{"t":1,"msg":"hello","level":"debug"}
{"t":1,"level":"debug"}
{"t":1,"msg":"gave","level":"debug","on":7}
`
	runs, err := read(mapping, text, Options{})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := santest.Collect(runs[0])
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	actions := 0
	for _, e := range tr.Events {
		switch {
		case e.IsAction():
			actions++
		case e.Record != nil && e.Obj != "":
			got = append(got, e.Task+" "+e.Record.Kind.String()+" "+e.Obj)
		}
	}
	if d := cmp.Diff([]string{"1 acquire 7", "1 release 7"}, got); d != "" || actions != 5 {
		t.Error(actions, d)
	}
}

// drawOperations draws a run of tasks with locks, as lines of a log and in the STD format.
func drawOperations(t *rapid.T) (lines []string, log string) {
	src := santest.Rapid(t)
	live, started := []string{"T0", "T1"}, 1
	holder, depth := map[string]string{}, map[string]int{}
	words := map[string]string{"lock": "acq", "unlock": "rel", "read": "r", "write": "w", "start": "fork",
		"join": "join"}
	choices := []int{5, 8}[src.Intn(2)] // five: locks alone
	for range src.Intn(120) {
		i := src.Intn(len(live))
		task, m := live[i], []string{"m", "n"}[src.Intn(2)]
		does, on := []string{"read", "write"}[src.Intn(2)], []string{"x", "y"}[src.Intn(2)]
		switch src.Intn(choices) {
		case 0, 1, 2:
			if depth[m] > 0 && (holder[m] != task || choices == 5) {
				continue
			}
			does, on, holder[m] = "lock", m, task
			depth[m]++
		case 3, 4:
			if depth[m] == 0 || holder[m] != task {
				continue
			}
			does, on = "unlock", m
			depth[m]--
		case 5:
			if len(live) == 4 { // few that do much
				continue
			}
			started++
			does, on = "start", fmt.Sprint("T", started)
			live = append(live, on)
		case 6:
			j := src.Intn(len(live))
			if i == j || src.Intn(3) > 0 {
				continue
			}
			does, on = "join", live[j]
			live = stdslices.Delete(live, j, j+1)
		}
		lines = append(lines, task+" "+does+" "+on)
		log += fmt.Sprintf("%s|%s(%s)|f:%d\n", task, words[does], on, len(lines))
	}
	return lines, log
}

// TestAsSTD compares what is found on random logs with what is found on the same ones in the STD
// format.
func TestAsSTD(t *testing.T) {
	violated := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		lines, text := drawOperations(t)
		if len(lines) == 0 {
			return
		}
		on := []builtin.Property{builtin.Deadlock, builtin.Race}
		want, err := findings(t, std.NewReader(strings.NewReader(text), "log", std.Options{}), on...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := findingsOf(t, plain, logOf(lines...), on...)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Fatalf("%v %s\n%s", err, d, text)
		}
		for _, text := range got {
			property, rest, _ := strings.Cut(text, ":")
			if strings.HasPrefix(rest, " violated") {
				violated[property]++
			}
		}
	})
	t.Log(violated)
	if !testing.Short() && (violated["deadlock"] == 0 || violated["race"] == 0) {
		t.Error("some property is never violated")
	}
}
