package ndjson

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/tracer/event"
)

func readCSV(mapping, text string, o Options) ([]*Run, error) {
	m, err := ParseMapping("mapping", []byte(mapping))
	if err != nil {
		return nil, err
	}
	return ReadCSV(strings.NewReader(text), "log", m, o)
}

const csvMapping = `{"task":"task","send":"to","receive":"from","set":{"*":"*"}}`

// TestCSV reads one log with each of the separators.
func TestCSV(t *testing.T) {
	const text = "\ufefftask,to,from,n,note,\r\nweb,o1,,3.5,\"a \"\"b\"\"\nc\",x\r\n\r\ndb,,o1,true,007,\n"
	want := `web[] [{task "web"} {to "o1"} {n 3.5} {note "a \"b\"\nc"}] log:2
db[{web 1}] [{task "db"} {from "o1"} {n true} {note "007"}] log:5
`
	for _, separator := range []string{",", ";", "\t"} {
		runs, err := readCSV(csvMapping, strings.ReplaceAll(text, ",", separator), Options{})
		if err != nil {
			t.Fatal(err)
		}
		tr, err := santest.Collect(runs[0])
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, e := range tr.Events {
			fmt.Fprintf(&got, "%s%v %v %s\n", e.Task, e.After, e.Global, e.At)
		}
		if got.String() != want {
			t.Errorf("%q: %s, not %s", separator, got.String(), want)
		}
	}
}

func TestWrongCSV(t *testing.T) {
	for _, tt := range []struct {
		text, want string
		o          Options
	}{
		{"", "log: no event in the log", Options{}},
		{"task,to\n", "log: no event in the log", Options{}},
		{"task,to,to\n", `log:1: two columns "to"`, Options{}},
		{"task,to\na,b,c\n", "log:2:1: wrong number of fields (the first line names the columns", Options{}},
		{"task,to\na,\"b\n", `log:2:6: extraneous or missing " in quoted-field`, Options{}},
		{"task,to\na\"b,c\n", `log:2:2: bare " in non-quoted-field`, Options{}},
		{"task,to\n,c\n", "log:2: no field task, which names the task", Options{}},
		{"task,to\na,\xff\n", "log:2:3: \"\\xff\" is not in UTF-8", Options{}},
		{"\xff\xfet\x00", "UTF-16", Options{}},
		{"task,to\na,\"" + strings.Repeat("b", 9000), "log:2: a line of more than 10 bytes (is a quote left open?)",
			Options{Line: 10}},
		{"task,to\n" + strings.Repeat("a,\n", 9000), "a log of more than 10000 bytes", Options{Size: 10000}},
	} {
		_, err := readCSV(csvMapping, tt.text, tt.o)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40q: %v, not %s", tt.text, err, tt.want)
		}
	}
}

// FuzzCSV: what is accepted are traces, and anything else is an error that can be printed.
func FuzzCSV(f *testing.F) {
	f.Add("task,to,from\na,1,\nb,,1\n")
	f.Add("task;n\n\"a\n\";1e5\n")
	f.Fuzz(func(t *testing.T, text string) {
		runs, err := readCSV(csvMapping, text, Options{Line: 1000})
		for _, r := range runs {
			tr, bad := santest.Collect(r)
			if bad != nil {
				err = bad
				continue
			}
			if _, err := tr.Build(); err != nil {
				t.Fatalf("not a trace: %v", err)
			}
		}
		var e *event.Error
		if err != nil && (!errors.As(err, &e) || event.Printable(e.Reason) != e.Reason) {
			t.Fatalf("%q", err)
		}
	})
}
