package ndjson

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
)

// TestClocks writes the vector clocks of random runs, leaves out some lines, and compares the order
// of the others with that of the run.
func TestClocks(t *testing.T) {
	ordered, apart := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		lines := drawLog(t)
		before := closure(lines)
		for i := range before {
			if before[i][i] {
				return // of no run
			}
		}
		src := santest.Rapid(t)
		var text strings.Builder
		var kept []line
		var numbers []int
		for i, l := range lines {
			if src.Intn(4) == 0 {
				continue
			}
			clock := map[int]int{}
			for j, other := range lines {
				if i == j || before[j][i] {
					clock[other.Task]++
				}
			}
			var entries []string
			for task, n := range clock {
				entries = append(entries, fmt.Sprintf(`"%d":%d`, task, n))
			}
			fmt.Fprintf(&text, `{"task":%d,"vc":{%s}}`+"\n", l.Task, strings.Join(entries, ","))
			kept, numbers = append(kept, l), append(numbers, i)
		}
		if len(kept) == 0 {
			return
		}
		runs, err := read(`{"task":"task","clock":"vc"}`, text.String(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		tr, err := santest.Collect(runs[0])
		if err != nil {
			t.Fatalf("%v\n%s", err, text.String())
		}
		causesFirst(t, tr)
		net := tr.MustBuild()
		actions := actionsOf(net, kept)
		for i := range kept {
			for j := range kept {
				want := before[numbers[i]][numbers[j]]
				if net.Precedes(actions[i], actions[j]) != want {
					t.Fatalf("line %d before line %d: not %v\n%s", i+1, j+1, want, text.String())
				}
				switch {
				case kept[i].Task == kept[j].Task:
				case want:
					ordered++
				default:
					apart++
				}
			}
		}
	})
	if !testing.Short() && (ordered == 0 || apart == 0) {
		t.Errorf("%d ordered, %d not", ordered, apart)
	}
}

// afters returns what each event of a log comes after, or the error.
func afters(mapping, text string) (string, error) {
	runs, err := read(mapping, text, Options{})
	if err != nil {
		return "", err
	}
	tr, err := santest.Collect(runs[0])
	var all []string
	for _, e := range tr.Events {
		all = append(all, fmt.Sprintf("%s%v", e.Task, e.After))
	}
	return strings.Join(all, " "), err
}

// TestSilentTicks: of lines with one count of their own the first one has counted, and a clock may
// be encoded as a string, or missing.
func TestSilentTicks(t *testing.T) {
	got, err := afters(`{"task":"t","clock":"vc"}`, `{"t":"a","vc":{"a":1}}
{"t":"a","vc":{"a":1}}
{"t":"a"}
{"t":"b","vc":"{\"b\":1,\"a\":1,\"c\":7}"}
{"t":"a","vc":{"a":3}}
{"t":"b","vc":{"b":2,"a":2,"c":7}}`)
	if want := "a[] a[] a[] b[{a 1}] a[] b[{a 2}]"; got != want || err != nil {
		t.Errorf("%s, %v, not %s", got, err, want)
	}
}

func TestWrongClocks(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"t":"a","vc":[1]}`, "log:1: the field vc, which has a vector clock, is no object: [1] (a clock is"},
		{`{"t":"a","vc":{"b":-1}}`, `log:1: the entry "b" of the vector clock vc is no number of events: -1`},
		{`{"t":"a","vc":{"a":2}}` + "\n" + `{"t":"a","vc":{"a":1}}`,
			`log:2: the vector clock counts 1 events of task "a", but`},
		{`{"t":"a","vc":{"a":1,"b":2}}` + "\n" + `{"t":"a","vc":{"a":2,"b":1}}`,
			`log:2: the vector clock counts 1 events of task "b"`},
		{`{"t":"a","vc":{"a":1,"b":2}}` + "\n" + `{"t":"a","vc":{"a":2}}`,
			`log:2: the vector clock counts 0 events of task "b"`},
		{`{"t":"a","vc":{"a":1,"b":1}}` + "\n" + `{"t":"b","vc":{"a":1,"b":1}}`,
			"by its key or clock, which comes after it"},
	} {
		_, err := afters(`{"task":"t","clock":"vc"}`, tt.text)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, not %s", tt.text, err, tt.want)
		}
	}
}

const (
	byFields = `{"task":"n","send":{"key":["m.from","m.to"],"if":{"e":"s"}},` +
		`"receive":{"key":["m.from","m.to"],"if":{"e":"r"}}`
	byObject = `{"task":"n","send":{"key":"m","if":{"e":"s"}},"receive":{"key":"m","if":{"e":"r"}}`
)

// lost is a log in which task 1 sends 2 the same message twice, and another one to 3, whose index
// is 0 and therefore left out.
const lost = `{"n":1,"e":"s","m":{"from":1,"to":2}}
{"n":1,"e":"s","m":{"to":3,"from":"1"}}
{"n":1,"e":"s","m":{"from":1,"to":2}}
{"n":3,"e":"r","m":{"from":1,"to":3}}
{"n":2,"e":"r","m":{"to":2,"from":1}}
{"n":2,"e":"r","m":{"from":1,"to":2}}
`

func TestRepeated(t *testing.T) {
	const again = `{"n":2,"e":"r","m":{"from":1,"to":2}}`
	for _, tt := range []struct{ mapping, text, want string }{
		{byFields + `,"repeated":"in order"}`, lost, "1[] 1[] 1[] 3[{1 2}] 2[{1 1}] 2[{1 3}]"},
		{byObject + `,"repeated":"in order"}`, lost, "1[] 1[] 1[] 3[{1 2}] 2[{1 1}] 2[{1 3}]"},
		{byFields + `,"repeated":"first"}`, lost + again, "1[] 1[] 1[] 3[{1 2}] 2[{1 1}] 2[{1 1}] 2[{1 1}]"},
		{byFields + `,"repeated":"in order","unmatched":"accept"}`, lost + again,
			"1[] 1[] 1[] 3[{1 2}] 2[{1 1}] 2[{1 3}] 2[]"},
		{byFields + `,"repeated":"in order"}`, lost + again,
			"log:7: the key \"\\\"1\\\",\\\"2\\\"\", which 2 lines send, is received once more"},
		{byFields + `}`, lost, "log:3: a second send of the key"},
		{byFields + `,"repeated":"in order"}`, lost + `{"n":4,"e":"r","m":{"from":1,"to":2}}`,
			`is received by the tasks "2" and "4", whose lines have no order`},
		{byFields + `,"repeated":"first"}`, lost + `{"n":4,"e":"s","m":{"from":1,"to":2}}`,
			`is sent by the tasks "1" and "4", whose lines have no order`},
		{byFields + `,"repeated":"last"}`, lost, `"repeated": must be "error", "in order" or "first", not "last"`},
		{`{"task":"n","send":[]}`, lost, `"send": an empty list is no key`},
		{`{"task":"n","send":["a",1]}`, lost, `"send": 1 is not a path of a field`},
		{`{"task":"n","send":["x","y"]}`, lost, "1[] 1[] 1[] 3[] 2[] 2[]"},
	} {
		got, err := afters(tt.mapping, tt.text)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s\n%s: %s, not %s", tt.mapping, tt.text, got, tt.want)
		}
	}
}
