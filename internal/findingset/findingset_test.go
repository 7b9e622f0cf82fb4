package findingset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parse parses reports in a short form: PROPERTY HOW OP:LINE…, HOW "holds" without findings.
// OP:LINE/LINE… also has the positions of held locks. A line that begins with + was grouped under
// the one before.
func parse(t *testing.T, texts ...string) []*Report {
	t.Helper()
	object := func(text string) string {
		words := strings.Fields(text)
		if words[1] == "holds" {
			return `"builtin":"` + words[0] + `","verdict":"holds"`
		}
		var parties []string
		for _, w := range words[2:] {
			op, places, _ := strings.Cut(w, ":")
			at := strings.Split(places, "/")
			var holds []string
			for _, place := range at[1:] {
				holds = append(holds, `{"op":"lock","at":"`+place+`"}`)
			}
			parties = append(parties, `{"op":"`+op+`","at":"`+at[0]+`","holds":[`+strings.Join(holds, ",")+`]}`)
		}
		return `"builtin":"` + words[0] + `","verdict":"violated","how":"` + words[1] + `","text":"` + text +
			`","parties":[` + strings.Join(parties, ",") + `]`
	}
	var out strings.Builder
	for i := 0; i < len(texts); i++ {
		out.WriteString("what the program prints\n" + `{"trace":"x",` + object(texts[i]))
		if i+1 < len(texts) && strings.HasPrefix(texts[i+1], "+") {
			i++
			out.WriteString(`,"also":[{` + object(texts[i][1:]) + `}]`)
		}
		out.WriteString("}\n")
	}
	all, err := Parse([]byte(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSet(t *testing.T) {
	for _, test := range []struct {
		name      string
		want, got []string
		differ    []string
	}{
		{"order", []string{"race observed r:1 w:2", "stuck holds"},
			[]string{"stuck holds", "race observed w:2 r:1"}, nil},
		{"missing", []string{"race observed r:1 w:2", "race observed r:3 w:4"}, []string{"race observed r:1 w:2"},
			[]string{"- race [r at 3 w at 4] observed"}},
		{"too many", []string{"race holds"}, []string{"race observed r:1 w:2"},
			[]string{"- race holds", "+ race [r at 1 w at 2] observed", "+ race violated"}},
		{"predicted before", []string{"closed observed send:1 close:2"},
			[]string{"closed predicted send:1 close:2", "closed observed send:1 close:2"}, nil},
		{"predicted only", []string{"closed observed send:1 close:2"}, []string{"closed predicted send:1 close:2"},
			[]string{"- closed [close at 2 send at 1] observed", "+ closed [close at 2 send at 1] predicted"}},
		{"told together", []string{"deadlock predicted lock:1 lock:2", "+stuck predicted lock:3"},
			[]string{"stuck predicted lock:3", "deadlock predicted lock:1 lock:2"}, nil},
		{"behind", []string{"deadlock observed lock:1 lock:2 wait:3"},
			[]string{"deadlock observed lock:1 lock:2", "deadlock observed lock:1 lock:2 wait:3"}, nil},
		{"waits in another report", []string{"deadlock observed lock:1 lock:2 wait:3", "stuck holds"},
			[]string{"deadlock observed lock:1 lock:2", "stuck observed wait:3"},
			[]string{"- stuck holds", "+ stuck violated"}},
		{"not behind", []string{"deadlock observed lock:1 lock:2 wait:3"}, []string{"deadlock observed lock:1 lock:2"},
			[]string{"- waits for ever: wait at 3"}},
		{"one lock is unlocked later", []string{"deadlock observed lock:1/7 lock:2"},
			[]string{"deadlock observed lock:1/7/8 lock:2", "deadlock observed lock:1/7 lock:2"}, nil},
		{"another lock later", []string{"deadlock observed lock:1/7 lock:2"},
			[]string{"deadlock observed lock:1/8 lock:2", "deadlock observed lock:1/7 lock:2"},
			[]string{"+ waits for ever: lock at 1, holds lock at 8"}},
		{"predicted of those that wait", []string{"deadlock observed lock:1 lock:2"},
			[]string{"deadlock predicted lock:2 lock:1", "deadlock observed lock:1 lock:2"}, nil},
	} {
		if d := cmp.Diff(test.differ, Differences(Set(parse(t, test.want...)), Set(parse(t, test.got...)))); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
	}
}

// Reports are compared to the last word, but for the name of the run.
func TestWords(t *testing.T) {
	parsed := func(text string) []*Report {
		all, err := Parse([]byte(text + "\n"))
		if err != nil || len(all) != 1 {
			t.Fatalf("%v, %v", all, err)
		}
		return all
	}
	const one = `{"trace":"a","builtin":"race","verdict":"violated","how":"observed","text":"t","count":1,"parties":[],"schedule":[],"happened":true,"notes":["n"]}`
	same, other := strings.Replace(one, `"a"`, `"b"`, 1), strings.Replace(one, `"n"`, `"m"`, 1)
	if d := Differences(Words(parsed(one)), Words(parsed(same))); len(d) > 0 {
		t.Errorf("%q", d)
	}
	if d := Differences(Words(parsed(one)), Words(parsed(other))); len(d) != 2 {
		t.Errorf("%q", d)
	}
}

// A verdict that is repeated has its id again.
func TestRenamed(t *testing.T) {
	finding := func(id, how, parties string) string {
		return `{"id":"` + id + `","run":"a","builtin":"deadlock","how":"` + how + `","parties":[` + parties + `]}`
	}
	const one, two = `{"op":"lock","at":"1"}`, `{"op":"lock","at":"1"},{"op":"lock","at":"1"}`
	for _, test := range []struct {
		first, second string
		want          int
	}{
		{`{"id":"1","run":"a","builtin":"race","verdict":"holds"}`,
			`{"id":"1","run":"a","builtin":"race","verdict":"holds"}`, 0},
		{`{"id":"1","run":"a","builtin":"race","verdict":"holds"}`,
			`{"id":"2","run":"b","builtin":"race","verdict":"holds"}`, 0},
		{`{"id":"1","run":"a","builtin":"race","verdict":"holds"}`,
			`{"id":"2","run":"a","builtin":"race","verdict":"holds"}`, 1},
		{`{"id":"1","run":"a","error":"broken"}`, `{"id":"2","run":"a","error":"broken"}`, 1},
		{finding("1", "observed", one), finding("1", "observed", one), 0},
		{finding("1", "observed", one), finding("2", "observed", one), 1},
		{finding("1", "predicted", one), finding("2", "observed", one), 0},
		{finding("1", "observed", one), finding("2", "observed", two), 0},
	} {
		text := test.first + "\n" + test.second
		all, err := Parse([]byte(text))
		if err != nil || len(all) != 2 {
			t.Fatalf("%v, %v", all, err)
		}
		if got := Renamed(all); len(got) != test.want {
			t.Errorf("%s: %q, want %d", text, got, test.want)
		}
	}
}

func TestParseFails(t *testing.T) {
	if _, err := Parse([]byte(`{"trace":` + "\n")); err == nil {
		t.Error("no error")
	}
}
