package event

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const plainHeader = `{"antichain":1,"tasks":["a","b"],"shared":{"v":0}}` + "\n"

// TestTextErrors has every error of the format that is certain on reading a line.
func TestTextErrors(t *testing.T) {
	tests := []struct {
		name  string
		trace string
		pos   string
		want  string
	}{
		{"empty", "", "f:1", "missing header"},
		{"only empty lines", "\n \n", "f:3", "missing header"},
		{"event first", `{"t":"a"}`, "f:1", "missing header"},
		{"header is no object", `[1]`, "f:1:1", `bad JSON: '[' where '{' should be`},
		{"behind a byte order mark", "\ufeff[1]", "f:1:1", `bad JSON: '[' where '{' should be`},
		{"only a byte order mark", "\ufeff", "f:1", "missing header"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "f:1", "the text is in UTF-16"},
		{"UTF-16, big endian", "\xfe\xff\x00{\x00}", "f:1", "the text is in UTF-16"},
		{"a second byte order mark", "\ufeff\ufeff", "f:1:1", "bad JSON"},
		{"a byte order mark in the second line", "\n\ufeff{}", "f:2:1", "bad JSON"},
		{"version", `{"antichain":3,"tasks":["a"]}`, "f:1", "unknown version 3"},
		{"version before the rest", `{"tasks":7,"antichain":3}`, "f:1", "unknown version 3"},
		{"version is no number", `{"antichain":"1","tasks":["a"]}`, "f:1", `unknown version "1"`},
		{"version is a float", `{"antichain":1.0,"tasks":["a"]}`, "f:1", `unknown version 1.0`},
		{"no tasks", `{"antichain":1}`, "f:1", "missing or empty"},
		{"empty tasks", `{"antichain":1,"tasks":[]}`, "f:1", "missing or empty"},
		{"empty task name", `{"antichain":1,"tasks":[""]}`, "f:1", "empty name"},
		{"duplicate task", `{"antichain":1,"tasks":["a","b","a"]}`, "f:1", `duplicate task "a"`},
		{"tasks of wrong type", `{"antichain":1,"tasks":"a"}`, "f:1", `"tasks" must be a list of strings`},
		{"task of wrong type", `{"antichain":1,"tasks":["a",1]}`, "f:1", `"tasks" must be a list of strings`},
		{"const of wrong type", `{"antichain":1,"tasks":["a"],"const":[]}`, "f:1", `"const" must be an object`},
		{"shared of wrong type", `{"antichain":1,"tasks":["a"],"shared":1}`, "f:1", `"shared" must be an object`},
		{"run of wrong type", `{"antichain":1,"tasks":["a"],"run":1}`, "f:1", `"run" must be a string`},
		{"program of wrong type", `{"antichain":1,"tasks":["a"],"program":null}`, "f:1", `"program" must be a string`},
		{"host of wrong type", `{"antichain":1,"tasks":["a"],"host":{}}`, "f:1", `"host" must be a string`},
		{"start of wrong type", `{"antichain":1,"tasks":["a"],"start":0}`, "f:1", `"start" must be a string`},
		{"untraced of wrong type",
			`{"antichain":1,"tasks":["a"],"instrumented":{"package":"p","functions":["f"],"variables":[],"steps":false,"untraced":"sync.Cond"}}`, "f:1", `"untraced" must be a list of strings`},
		{"untraced kind of wrong type",
			`{"antichain":1,"tasks":["a"],"instrumented":{"package":"p","functions":["f"],"variables":[],"steps":false,"untraced":[1]}}`, "f:1", `"untraced" must be a list of strings`},
		{"untraced alone", `{"antichain":1,"tasks":["a"],"instrumented":{"untraced":["sync.Cond"]}}`, "f:1",
			`"instrumented" without "package"`},
		{"instrumented of wrong type", `{"antichain":1,"tasks":["a"],"instrumented":5}`, "f:1",
			`"instrumented" must be an object`},
		{"instrumented without functions",
			`{"antichain":1,"tasks":["a"],"instrumented":{"package":"p","variables":[],"steps":false}}`, "f:1",
			`"instrumented" without "functions"`},
		{"instrumented with an unknown key",
			`{"antichain":1,"tasks":["a"],"instrumented":{"package":"p","functions":["f"],"variables":[],"steps":false,"x":1}}`, "f:1", `unknown key "x" in "instrumented"`},
		{"steps of wrong type",
			`{"antichain":1,"tasks":["a"],"instrumented":{"package":"p","functions":[],"variables":[],"steps":1}}`,
			"f:1", `"steps" must be true or false`},
		{"names of wrong type",
			`{"antichain":1,"tasks":["a"],"instrumented":{"package":"p","functions":["f"],"variables":[],"steps":false,"names":["f"]}}`, "f:1", `"names" must be an object`},
		{"name of wrong type",
			`{"antichain":1,"tasks":["a"],"instrumented":{"package":"p","functions":["f"],"variables":[],"steps":false,"names":{"p.f":1}}}`, "f:1", `"p.f" must be a string`},
		{"name of a function that is not recorded",
			`{"antichain":1,"tasks":["a"],"instrumented":{"package":"p","functions":["f"],"variables":[],"steps":false,"names":{"p.f":"f","p.g":"g"}}}`, "f:1", `"names" calls "g" "p.g", which is not among "functions"`},
		{"sparse of wrong type yes", `{"antichain":1,"tasks":["a"],"sparse":"yes"}`, "f:1",
			`"sparse" must be true or false`},
		{"sparse of wrong type 1", `{"antichain":1,"tasks":["a"],"sparse":1}`, "f:1", `"sparse" must be true or false`},
		{"caveat of wrong type", `{"antichain":1,"tasks":["a"],"caveat":["x"]}`, "f:1", `"caveat" must be a string`},
		{"key twice in header", `{"antichain":1,"tasks":["a"],"tasks":["b"]}`, "f:1", `"tasks" stands twice`},
		{"big constant", `{"antichain":1,"tasks":["a"],"const":{"N":18446744073709551616}}`, "f:1:43",
			"integer of more than 64 bits"},
		{"truncated header", `{"antichain":1,"ta`, "f:1:19", "truncated last line"},

		{"repeated header", plainHeader + "\n" + plainHeader, "f:3:2", "repeated header"},
		{"no task", plainHeader + `{"op":"send"}`, "f:2", `"t" is missing or empty`},
		{"task empty", plainHeader + `{"t":""}`, "f:2:6", `"t" must not be empty`},
		{"task of wrong type", plainHeader + `{"t":1}`, "f:2:6", `"t" must be a string`},
		{"enter of wrong type", plainHeader + `{"t":"a","enter":null}`, "f:2:18", `"enter" must be a string`},
		{"enter empty", plainHeader + `{"t":"a","enter":""}`, "f:2:18", `"enter" must not be empty`},
		{"exit of wrong type", plainHeader + `{"t":"a","exit":["f"]}`, "f:2:17", `"exit" must be a string`},
		{"spawn of wrong type", plainHeader + `{"t":"a","spawn":["f"]}`, "f:2:18", `"spawn" must be a string`},
		{"set of wrong type", plainHeader + `{"t":"a","set":["f"]}`, "f:2:16", `"set" must be an object`},
		{"global of wrong type", plainHeader + `{"t":"a","global":1}`, "f:2:19", `"global" must be an object`},
		{"write of wrong type", plainHeader + `{"t":"a","write":1}`, "f:2:18", `"write" must be an object`},
		{"after of wrong type", plainHeader + `{"t":"a","after":{"b":1}}`, "f:2:18",
			`"after" must be a list of [task, k]`},
		{"after not nested", plainHeader + `{"t":"a","after":["b",1]}`, "f:2:19",
			`"after" must be a list of [task, k]`},
		{"after without a number", plainHeader + `{"t":"a","after":[["b"]]}`, "f:2:23", `bad JSON: ']' where ','`},
		{"after with a third", plainHeader + `{"t":"a","after":[["b",1,2]]}`, "f:2:25", `bad JSON: ',' where ']'`},
		{"after with float", plainHeader + `{"t":"a","after":[["b",1.0]]}`, "f:2:24", "must be an integer"},
		{"after with string", plainHeader + `{"t":"a","after":[["b","1"]]}`, "f:2:24", "must be an integer"},
		{"with of wrong type", plainHeader + `{"t":"a","with":[[1,1]]}`, "f:2:19",
			`"with" must be a list of [task, k]`},
		{"op of wrong type", plainHeader + `{"t":"a","op":1}`, "f:2:15", `"op" must be a string`},
		{"obj of wrong type", plainHeader + `{"t":"a","obj":1}`, "f:2:16", `"obj" must be a string`},
		{"at of wrong type", plainHeader + `{"t":"a","at":1}`, "f:2:15", `"at" must be a string`},
		{"ts of wrong type", plainHeader + `{"t":"a","ts":"1"}`, "f:2:15", `"ts" must be an integer`},
		{"ts is a float", plainHeader + `{"t":"a","ts":1.5}`, "f:2:15", `"ts" must be an integer`},
		{"ts too large", plainHeader + `{"t":"a","ts":9223372036854775808}`, "f:2:15", `"ts" must be an integer`},

		{"enter and exit", plainHeader + `{"t":"a","enter":"f","exit":"f"}`, "f:2", `both "enter" and "exit"`},
		{"in set and global", plainHeader + `{"t":"a","set":{"x":1},"global":{"y":1,"x":2}}`, "f:2",
			`"x" is in both "set" and "global"`},
		{"write of a variable not shared", plainHeader + `{"t":"a","write":{"w":1}}`, "f:2",
			`"w", which the header does not declare`},
		{"k is 0", plainHeader + `{"t":"a","after":[["b",0]]}`, "f:2", "counted from 1"},
		{"k is negative", plainHeader + `{"t":"a","with":[["b",-1]]}`, "f:2", "counted from 1"},
		{"after itself", plainHeader + `{"t":"a"}` + "\n" + `{"t":"a","after":[["a",2]]}`, "f:3",
			"names the event itself"},
		{"after a later event of its task", plainHeader + `{"t":"a","after":[["a",2]]}`, "f:2", "a cycle"},
		{"after another side", plainHeader + `{"t":"a","after":[["b",2]],"with":[["b",2]]}`, "f:2",
			"another side of the same joint action"},
		{"after what follows another side", plainHeader + `{"t":"a","after":[["b",3]],"with":[["b",2]]}`, "f:2",
			"a cycle"},
		{"with itself", plainHeader + `{"t":"a","with":[["a",1]]}`, "f:2", "names the event itself"},
		{"with another event of its task", plainHeader + `{"t":"a","with":[["a",7]]}`, "f:2", "two events of task"},
		{"with two events of one task", plainHeader + `{"t":"a","with":[["b",1],["b",2]]}`, "f:2",
			`two events of task "b"`},
		{"creates itself", plainHeader + `{"t":"a","spawn":"a"}`, "f:2", "creates itself"},
		{"after its end", plainHeader + `{"t":"a","op":"end"}` + "\n" + `{"t":"a"}`, "f:3", "after its end"},

		{"truncated", plainHeader + `{"t":"a","op":"se`, "f:2:18", "truncated last line"},
		{"truncated in a number", plainHeader + `{"t":"a","ts":-`, "f:2:16", "truncated last line"},
		{"truncated in a word", plainHeader + `{"t":"a","x":tr`, "f:2:16", "truncated last line"},
		{"truncated in an escape", plainHeader + `{"t":"a","x":"\u00`, "f:2:19", "truncated last line"},
		{"truncated in a reference", plainHeader + `{"t":"a","after":[["b",`, "f:2:24", "truncated last line"},
		{"cut line that is not the last", plainHeader + `{"t":"a"` + "\n" + `{"t":"a"}`, "f:2:9",
			"bad JSON: the line ends too early"},
		{"garbage last", plainHeader + `garbage`, "f:2:1", "bad JSON: 'g'"},
		{"two events in a line", plainHeader + `{"t":"a"}{"t":"a"}`, "f:2:10", "the end of the line"},
		{"comma at the end", plainHeader + `{"t":"a",}`, "f:2:10", "a key in quotes"},
		{"no comma", plainHeader + `{"t":"a" "op":"x"}`, "f:2:10", "',' or '}'"},
		{"no colon", plainHeader + `{"t" "a"}`, "f:2:6", "':'"},
		{"leading zero", plainHeader + `{"t":"a","ts":01}`, "f:2:16", "',' or '}'"},
		{"plus sign", plainHeader + `{"t":"a","set":{"x":+1}}`, "f:2:21", "a value"},
		{"point without digits", plainHeader + `{"t":"a","set":{"x":1.}}`, "f:2:23", "a digit"},
		{"exponent without digits", plainHeader + `{"t":"a","set":{"x":1e+}}`, "f:2:24", "a digit"},
		{"NaN", plainHeader + `{"t":"a","set":{"x":NaN}}`, "f:2:21", "a value"},
		{"wrong word", plainHeader + `{"t":"a","set":{"x":nul}}`, "f:2:24", "the rest of null"},
		{"unknown escape", plainHeader + `{"t":"\a"}`, "f:2:7", `'a' after \ is no escape`},
		{"bad hex", plainHeader + `{"t":"\u00g0"}`, "f:2:11", "hexadecimal"},
		{"control character", plainHeader + "{\"t\":\"a\x01\"}", "f:2:8", "control character 0x01"},
		{"control character after an escape", plainHeader + "{\"t\":\"\\n\x01\"}", "f:2:9", "control character 0x01"},
		{"not UTF-8", plainHeader + "{\"t\":\"aé\xff\"}", "f:2:10", "byte 0xff is not UTF-8"},
		{"not UTF-8 before an escape", plainHeader + "{\"t\":\"\xc3\\n\"}", "f:2:7", "byte 0xc3 is not UTF-8"},
		{"not UTF-8 after an escape", plainHeader + "{\"t\":\"\\n\xc3\"}", "f:2:9", "byte 0xc3 is not UTF-8"},
		{"not UTF-8 outside", plainHeader + "\xff", "f:2:1", "byte 0xff where"},
		{"key twice", plainHeader + `{"t":"a","t":"a"}`, "f:2:10", `"t" stands twice`},
		{"unknown key twice", plainHeader + `{"t":"a","x":1,"x":1}`, "f:2", `"x" stands twice`},
		{"variable twice", plainHeader + `{"t":"a","set":{"x":1,"x":1}}`, "f:2:16", `"x" stands twice`},
		{"field twice", plainHeader + `{"t":"a","y":[{"x":1,"\u0078":1}]}`, "f:2:15", `"x" stands twice`},
		{"integer too large", plainHeader + `{"t":"a","set":{"x":18446744073709551616}}`, "f:2:21",
			"integer of more than 64 bits"},
		{"integer too small", plainHeader + `{"t":"a","set":{"x":-9223372036854775809}}`, "f:2:21",
			"integer of more than 64 bits"},
		{"float too large", plainHeader + `{"t":"a","set":{"x":1e999}}`, "f:2:21", "beyond the range"},
		{"deep list", plainHeader + `{"t":"a","set":{"x":` + strings.Repeat("[", 1<<20) + `}}`, "f:2:1021",
			"nested deeper than 1000"},
		{"deep object", plainHeader + `{"t":"a","x":` + strings.Repeat(`{"x":`, 1<<20) + `}}`, "f:2:5014",
			"nested deeper than 1000"},
		{"long line", plainHeader + `{"t":"` + strings.Repeat("x", defaultLine), "f:2", "line of more than"},
		{"long empty line", plainHeader + "\n" + strings.Repeat(" ", defaultLine+1) + "\n", "f:3", "line of more than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := NewTextReader(strings.NewReader(tt.trace), "f")
			var e Event
			var err error
			for err == nil {
				err = r.Next(&e)
			}
			var ee *Error
			if !errors.As(err, &ee) {
				t.Fatalf("got %v, want an *Error", err)
			}
			if ee.Pos != tt.pos || !strings.Contains(ee.Reason, tt.want) {
				t.Errorf("got  %v\nwant %s: %s", err, tt.pos, tt.want)
			}
			if again := r.Next(&e); again != err {
				t.Errorf("the second time: %v", again)
			}
		})
	}
}

// TestErrorsKeepWhatCameBefore: a broken trace gives all events before the break.
func TestErrorsKeepWhatCameBefore(t *testing.T) {
	_, es, err := readAll([]byte(plainHeader + "{\"t\":\"a\"}\n\n{\"t\":\"b\"}\n{\"t\":"))
	if len(es) != 2 || err == nil || !strings.HasPrefix(err.Error(), "trace:5:6: truncated last line") {
		t.Errorf("%d events, %v", len(es), err)
	}
}

func TestTextAccepts(t *testing.T) {
	tests := []struct {
		name string
		line string
		want Event
	}{
		{"no newline at the end", `{"t":"a"}`, Event{Task: "a"}},
		{"carriage return", "{\"t\":\"a\"}\r\n", Event{Task: "a"}},
		{"empty lines", "\n\r\n \t\n{\"t\":\"a\"}\n\n", Event{Task: "a"}},
		{"white space", " { \"t\" :\t\"a\" , \"after\" : [ [ \"b\" , 1 ] ] } ",
			Event{Task: "a", After: []Ref{{"b", 1}}}},
		{"all keys in another order",
			`{"at":"f.go:1","obj":"chan 3","op":"send","with":[["b",2]],"after":[["b",1],["c",9]],"write":{"v":1},"global":{"g":null},"set":{"s":true},"spawn":"c","enter":"f","ts":-5,"t":"a"}`,
			Event{Task: "a", Enter: "f", Spawn: "c", Set: []Binding{{"s", BoolValue(true)}},
				Global: []Binding{{"g", NullValue()}},
				Write:  []Binding{{"v", IntValue(1)}}, After: []Ref{{"b", 1}, {"c", 9}}, With: []Ref{{"b", 2}},
				Op: "send", Obj: "chan 3", At: "f.go:1", TS: -5}},
		{"empty lists are absent", `{"t":"a","set":{},"after":[],"with":[],"op":"","ts":0}`, Event{Task: "a"}},
		{"unknown keys", `{"t":"a","tasks":[],"T":{"a":[]}}`,
			Event{Task: "a",
				Extra: []Binding{{"tasks", ListValue(nil)}, {"T", ObjectValue([]Binding{{"a", ListValue(nil)}})}}}},
		{"numbers of unknown keys", `{"t":"a","x":[18446744073709551616,1e999]}`,
			Event{Task: "a",
				Extra: []Binding{{"x",
					ListValue([]Value{StringValue("18446744073709551616"), StringValue("1e999")})}}}},
		{"the same side twice", `{"t":"a","with":[["b",2],["b",2]],"after":[["b",1]]}`,
			Event{Task: "a", With: []Ref{{"b", 2}, {"b", 2}}, After: []Ref{{"b", 1}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, es, err := readAll([]byte(plainHeader + tt.line))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff([]*Event{&tt.want}, es, sameTrace); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestHeader(t *testing.T) {
	const line = `{"antichain":1,"tasks":["main"],"const":{"N":2},"shared":{"v":[0]},"run":"r","program":"p","host":"h","start":"2026-01-02T03:04:05Z",` +
		`"instrumented":{"package":"x/y","functions":["f"],"variables":["b.last"],"steps":true,"names":{"(*Q).f":"f"}},"sparse":true,"caveat":"c","future":{"a":1}}`
	want := &Header{
		Version: 1, Tasks: []string{"main"},
		Consts: []Binding{{"N", IntValue(2)}}, Shared: []Binding{{"v", ListValue([]Value{IntValue(0)})}},
		Run: "r", Program: "p", Host: "h", Start: "2026-01-02T03:04:05Z",
		Instrumented: &Instrumentation{Package: "x/y", Functions: []string{"f"}, Variables: []string{"b.last"},
			Steps: true, Names: map[string]string{"(*Q).f": "f"}},
		Sparse: true, Caveat: "c",
		Extra: []Binding{{"future", ObjectValue([]Binding{{"a", IntValue(1)}})}},
	}
	h, err := NewTextReader(strings.NewReader(line), "f").Header()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, h, sameTrace); d != "" {
		t.Error(d)
	}
	if got := string(appendHeader(nil, h)); got != line {
		t.Errorf("got  %s\nwant %s", got, line)
	}
}

// No flag changes the limits of a reader: what they stop has to be recorded otherwise.
func TestRemedyOfLongLine(t *testing.T) {
	_, _, err := readAll([]byte(plainHeader + `{"t":"` + strings.Repeat("x", defaultLine)))
	var ee *Error
	if !errors.As(err, &ee) || ee.Remedy != "record smaller values" {
		t.Errorf("a long line: %v", err)
	}
}

func TestWritersRefuse(t *testing.T) {
	h := &Header{Tasks: []string{"a"}}
	events := map[string]Event{
		"no task":           {},
		"enter and exit":    {Task: "a", Enter: "f", Exit: "f"},
		"extra key is ours": {Task: "a", Extra: []Binding{{"op", NullValue()}}},
		"extra header mark": {Task: "a", Extra: []Binding{{"antichain", IntValue(1)}}},
		"name twice":        {Task: "a", Set: []Binding{{"x", NullValue()}, {"x", NullValue()}}},
		"not shared":        {Task: "a", Write: []Binding{{"x", NullValue()}}},
		"after itself":      {Task: "a", After: []Ref{{"a", 1}}},
		"nameless":          {Task: "a", After: []Ref{{"", 1}}},
	}
	headers := map[string]Header{
		"no tasks":       {},
		"version":        {Version: 3, Tasks: []string{"a"}},
		"key twice":      {Tasks: []string{"a"}, Extra: []Binding{{"run", StringValue("x")}}},
		"constant twice": {Tasks: []string{"a"}, Consts: []Binding{{"N", NullValue()}, {"N", NullValue()}}},
		"instrumented in extra": {Tasks: []string{"a"},
			Extra: []Binding{{"instrumented", ObjectValue(bindingsOf((&Instrumentation{}).keys()))}}},
		"untraced in extra": {Tasks: []string{"a"},
			Extra: []Binding{{"instrumented", ObjectValue([]Binding{{"untraced", NullValue()}})}}},
		"caveat in extra": {Tasks: []string{"a"}, Extra: []Binding{{"caveat", StringValue("")}}},
		"sparse in extra": {Tasks: []string{"a"}, Extra: []Binding{{"sparse", BoolValue(false)}}},
		"name of no function": {Tasks: []string{"a"},
			Instrumented: &Instrumentation{Names: map[string]string{"p.f": "f"}}},
	}
	for form, open := range forms {
		for name, e := range events {
			w := open(io.Discard, h)
			err := w.Write(&e)
			if err == nil || w.Close() != err || !strings.HasPrefix(err.Error(), "event 1: ") {
				t.Errorf("%s, %s: %v", form, name, err)
			}
		}
		for name, h := range headers {
			if err := open(io.Discard, &h).Close(); err == nil {
				t.Errorf("%s, header, %s: no error", form, name)
			}
		}
	}
}

func TestValueText(t *testing.T) {
	tests := []struct {
		text string
		want Value
	}{
		{`9223372036854775807`, IntValue(math.MaxInt64)},
		{`-9223372036854775808`, IntValue(math.MinInt64)},
		{`9223372036854775808`, UintValue(1 << 63)},
		{`18446744073709551615`, UintValue(math.MaxUint64)},
		{`9007199254740993`, IntValue(1<<53 + 1)},
		{`1.0`, FloatValue(1)},
		{`-0.0`, FloatValue(math.Copysign(0, -1))},
		{`1e+21`, FloatValue(1e21)},
		{`1e-07`, FloatValue(1e-7)},
		{`123456789012345680000.0`, FloatValue(123456789012345680000)},
		{`{"$float":"NaN"}`, FloatValue(math.NaN())},
		{`{"$float":"NaN:fff8000000000000"}`, FloatValue(math.Float64frombits(0xfff8000000000000))},
		{`{"$float":"+Inf"}`, FloatValue(math.Inf(1))},
		{`{"$float":"-Inf"}`, FloatValue(math.Inf(-1))},
		{`{"$$float":"NaN"}`, ObjectValue([]Binding{{"$float", StringValue("NaN")}})},
		{`{"$$$float":1}`, ObjectValue([]Binding{{"$$float", IntValue(1)}})},
		{`{"$float":"NaN","x":1}`, ObjectValue([]Binding{{"$float", StringValue("NaN")}, {"x", IntValue(1)}})},
		{`{"$floats":1}`, ObjectValue([]Binding{{"$floats", IntValue(1)}})},
		{`"\"\\\n\r\t\u0000\u001b\u007f"`, StringValue("\"\\\n\r\t\x00\x1b\x7f")},
		{`"é€💀"`, StringValue("é€💀")},
		{`"a\udcff\udc80"`, StringValue("a\xff\x80")},
		{`"\u202e\u2028\u0085"`, StringValue("\u202e\u2028\u0085")},
		{`"\udb40\udc01"`, StringValue("\U000e0001")},
		{`[]`, ListValue(nil)},
		{`{}`, ObjectValue(nil)},
		{`[null,true,false,[{"b":1,"a":""}]]`, ListValue([]Value{NullValue(), BoolValue(true), BoolValue(false),
			ListValue([]Value{ObjectValue([]Binding{{"b", IntValue(1)}, {"a", StringValue("")}})})})},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var v Value
			if err := v.UnmarshalJSON([]byte(tt.text)); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, v); d != "" {
				t.Error(d)
			}
			if v.String() != tt.text {
				t.Errorf("written as %s", v)
			}
		})
	}
}

// TestValueTextRead has spellings that are read but not written.
func TestValueTextRead(t *testing.T) {
	tests := []struct {
		text string
		want Value
	}{
		{`-0`, IntValue(0)},
		{` 1E2 `, FloatValue(100)},
		{`1e-999`, FloatValue(0)},
		{`"\/\b\f\u00e9\ud83d\udc80"`, StringValue("/\b\fé\U0001F480")},
		{`"\udced\udca0\udcbd"`, StringValue("\xed\xa0\xbd")},
		{`"\ud83d"`, StringValue("\xed\xa0\xbd")},
		{`"\ud83d\ud83d\udc80"`, StringValue("\xed\xa0\xbd\U0001F480")},
		{`"\ud83dx"`, StringValue("\xed\xa0\xbdx")},
		{`"\udc00\udc7f"`, StringValue("\xed\xb0\x80\xed\xb1\xbf")},
		{`{"$float":"1"}`, ObjectValue([]Binding{{"$float", StringValue("1")}})},
		{`{"$float":1}`, ObjectValue([]Binding{{"$float", IntValue(1)}})},
		{`{"$float":"NaN:3ff0000000000000"}`, ObjectValue([]Binding{{"$float", StringValue("NaN:3ff0000000000000")}})},
	}
	for _, tt := range tests {
		var v Value
		if err := v.UnmarshalJSON([]byte(tt.text)); err != nil {
			t.Errorf("%s: %v", tt.text, err)
		} else if !v.Equal(tt.want) {
			t.Errorf("%s: got %v, want %v", tt.text, v, tt.want)
		}
	}
}

// TestLineAsItArrives reads from a pipe whose writer waits for each event to be seen.
func TestLineAsItArrives(t *testing.T) {
	in, out := io.Pipe()
	seen := make(chan bool)
	go func() {
		fmt.Fprint(out, plainHeader)
		for range 3 {
			fmt.Fprintln(out, `{"t":"a"}`)
			<-seen
		}
		out.Close()
	}()
	r, err := Open(in, "pipe")
	if err != nil {
		t.Fatal(err)
	}
	var e Event
	for i := range 3 {
		if err := r.Next(&e); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("pipe:%d", i+2); r.Pos() != want {
			t.Errorf("at %s, want %s", r.Pos(), want)
		}
		seen <- true
	}
	if err := r.Next(&e); err != io.EOF {
		t.Error(err)
	}
}

func TestReadErrorIsKept(t *testing.T) {
	broken := errors.New("device\x1b on fire")
	in := io.MultiReader(strings.NewReader(plainHeader+"{\"t\":\"a\"}\n{\"t\":"), &failingReader{broken})
	r := NewTextReader(in, "f")
	var e Event
	if err := r.Next(&e); err != nil {
		t.Fatal(err)
	}
	err := r.Next(&e)
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), `f:3: reading: device\x1b on fire`) {
		t.Error(err)
	}
}

type failingReader struct{ err error }

func (f *failingReader) Read([]byte) (int, error) { return 0, f.err }

func TestPrintable(t *testing.T) {
	for _, plain := range []string{"", "main.1", "é€\U0001F480 x", `a\b`} {
		if got := Printable(plain); got != plain {
			t.Errorf("%q became %q", plain, got)
		}
	}
	got := Printable("a\x1b[2J\n\t\x00\x7f\u0085\u202e\u2066\u200b\xff\ufffd\U000e0001é")
	const want = `a\x1b[2J\n\t\x00\x7f\u0085\u202e\u2066\u200b\xff` + "\ufffd" + `\U000e0001é`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
