package tlcheck_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	stdslices "slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
)

// workedCase is a line of testdata/cases.jsonl; see the README there.
type workedCase struct {
	ID       string            `json:"id"`
	Logic    string            `json:"logic"`
	Formula  string            `json:"formula"`
	Trace    []json.RawMessage `json:"trace"`
	Violated bool              `json:"violated"`
	Values   map[string]string `json:"values"`
}

func workedCases(t testing.TB) []workedCase {
	f, err := os.Open("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []workedCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c workedCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 400 {
		t.Fatalf("%d cases, want 400", len(cases))
	}
	return cases
}

func (c *workedCase) net(t testing.TB) *san.Net {
	var b strings.Builder
	for _, line := range c.Trace {
		b.Write(line)
		b.WriteByte('\n')
	}
	return santest.Read(t, b.String())
}

func (c *workedCase) logic(t testing.TB) lsl.Logic {
	l, ok := lsl.ParseLogic(c.Logic)
	if !ok {
		t.Fatalf("no dialect %q", c.Logic)
	}
	return l
}

// key prints a slice and a TIVA as the cases do: "a:1,b:0|t1=a,t2=b".
func key(net *san.Net, slice slices.Ideal, tiva []tlcheck.Binding) string {
	var states, roles []string
	for t := range san.Task(net.Tasks()) {
		a, spawned := net.SpawnedBy(t)
		if !spawned || slice.Has(a) {
			states = append(states, fmt.Sprintf("%s:%d", net.Name(t), slice.At(t)))
		}
	}
	for _, b := range tiva {
		roles = append(roles, b.TIV+"="+net.Name(b.Task))
	}
	stdslices.Sort(states)
	stdslices.Sort(roles)
	return strings.Join(states, ",") + "|" + strings.Join(roles, ",")
}

var letter = map[lsl.Truth]string{lsl.True: "T", lsl.False: "F", lsl.Undefined: "U"}

func TestWorkedCasesTable(t *testing.T) {
	for _, c := range workedCases(t) {
		net := c.net(t)
		got := map[string]string{}
		err := tlcheck.Table(t.Context(), net, property(t, c.Formula).Formula, c.logic(t),
			func(slice slices.Ideal, tiva []tlcheck.Binding, v lsl.Truth) error {
				got[key(net, slice, tiva)] = letter[v]
				return nil
			})
		if err != nil {
			t.Fatal(c.ID, err)
		}
		if d := cmp.Diff(c.Values, got); d != "" {
			t.Errorf("%s, %s: %s\n%s", c.ID, c.Logic, c.Formula, d)
		}
	}
}

func TestWorkedCasesCheck(t *testing.T) {
	for _, c := range workedCases(t) {
		net := c.net(t)
		r, err := tlcheck.Check(t.Context(), net, property(t, c.Formula), tlcheck.Options{Logic: c.logic(t)})
		if err != nil {
			t.Fatal(c.ID, err)
		}
		if (r.Verdict == tlcheck.Violated) != c.Violated || r.Verdict == tlcheck.Unknown {
			t.Errorf("%s: %v, want violated %v: %s", c.ID, r.Verdict, c.Violated, c.Formula)
			continue
		}
		if r.Verdict == tlcheck.Violated {
			if v := c.Values[key(net, r.Witness.Slice, r.Witness.TIVA)]; v != "F" {
				t.Errorf("%s: the witness has value %q", c.ID, v)
			}
		}
	}
}
