package findingset

import (
	"slices"
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
		if d := cmp.Diff(test.differ, differences(Set(parse(t, test.want...)), Set(parse(t, test.got...)))); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
	}
}

func TestParseFails(t *testing.T) {
	if _, err := Parse([]byte(`{"trace":` + "\n")); err == nil {
		t.Error("no error")
	}
}

// differences returns the elements of want that got lacks, after a minus, and those of got that
// want lacks, after a plus.
func differences(want, got []string) (all []string) {
	for _, s := range want {
		if !slices.Contains(got, s) {
			all = append(all, "- "+s)
		}
	}
	for _, s := range got {
		if !slices.Contains(want, s) {
			all = append(all, "+ "+s)
		}
	}
	return all
}
