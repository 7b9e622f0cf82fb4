package jepsen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/linearizability"
)

// described has a line for each operation.
func described(ops []*linearizability.Operation) string {
	var text strings.Builder
	for _, o := range ops {
		fmt.Fprintf(&text, "%s %s %v %d-%d\n", o.Process, o.Object, o, o.Call, o.Return)
	}
	return text.String()
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"lines of a log", `
INFO  jepsen.core - Run complete
INFO  jepsen.util - 0	:invoke	:read	nil
INFO  jepsen.util - 1	:invoke	:write	4
INFO  jepsen.util - 1	:ok	:write	4
INFO  jepsen.util - 0	:ok	:read	nil
INFO  jepsen.util - 2	:invoke	:cas	[4 2]
INFO  jepsen.util - 2	:ok	:cas	[4 2]
INFO  jepsen.util - 3	:invoke	:cas	[0 1]
INFO  jepsen.util - 3	:fail	:cas	[0 1]
INFO  jepsen.util - 4	:invoke	:write	3
INFO  jepsen.util - 4	:info	:write	:timed-out
`, `0  read() -> nil 0-3
1  write(4) 1-2
2  cas(4, 2) -> true 4-5
4  write(3) unfinished 8-0
`},
		{"maps with keys", `
{:process 0, :type :invoke, :f :append, :key "0", :value "x \"y"}
{:process 0, :type :ok, :f :append, :key "0", :value "x \"y"}
{:process :nemesis, :type :info, :f :start, :value nil}
{:process 1, :type :invoke, :f :get, :key "7", :value nil} ; a remark
`, `0 0 append("x \"y") 0-1
1 7 get() unfinished 2-0
`},
		{"a vector of records with independent keys",
			`[#jepsen.history.Op{:index 0, :time 12, :type :invoke, :process 0, :f :write, :value [:k 3]}
#jepsen.history.Op{:index 1, :time 13, :type :ok, :process 0, :f :write, :value [:k 3]}
#jepsen.history.Op{:type :invoke, :process 0, :f :read, :value [:k nil]}
#jepsen.history.Op{:type :ok, :process 0, :f :read, :value [:k 3]}]`,
			`0 :k write(3) 0-1
0 :k read() -> 3 2-3
`},
		{"keys that only cas shows", `
{:process 0, :type :invoke, :f :cas, :value [7 [1 2]]}
{:process 1, :type :invoke, :f :write, :value [7 1]}
`, `0 7 cas(1, 2) unfinished 0-0
1 7 write(1) unfinished 1-0
`},
		{"no keys", `
{:process 0, :type :invoke, :f :cas, :value [7 nil]}
{:process 0, :type :ok, :f :cas, :value [7 nil]}
`, `0  cas(7, nil) -> true 0-1
`},
	} {
		ops, err := Read(strings.NewReader(tt.text), "history")
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if got := described(ops); got != tt.want {
			t.Errorf("%s:\n%s\nnot\n%s", tt.name, got, tt.want)
		}
	}
}

// A mistake is reported with its line and column.
func TestReadMistakes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                       "h:1:1: there is no operation",
		"some other text\n":                      "h:1:1: there is no operation",
		"{:process 0, :type :invoke\n":           `h:1:1: '{' is not closed`,
		"{:process 0}\n":                         "h:1:1: a record must have :type and :f",
		"\n  [1]":                                "h:2:4: a record must be a map",
		"{:a \"x\\q\"}":                          "h:1:7: this is no escape",
		"0 :invoke :read nil\n1 :ok :read 3\n":   "h:2:1: process 1 completes :read, which it has not called",
		"[{:process 0, :type :invoke, :f :read}": "h:1:1: '[' is not closed",
		"0 :invoke :write (\n":                   "h:1:18: '(' is not closed",
		strings.Repeat("[", 200):                 "h:1:102: values are nested more than 100 deep",
		"0 :invoke :read nil\n0 :invoke :read nil\n": "h:2:1: process 0 calls :read before",
	} {
		_, err := Read(strings.NewReader(text), "h")
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: %v, not %s", text, err, want)
		}
	}
}

// Whatever a text is, reading it ends, without a panic.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"0 :invoke :read nil\n0 :ok :read 3\n", `[#a.B{:process 0, :type :invoke, :f :cas, :value [1 2]}]`,
		`{:a #{1 ##Inf \space "\u00e9"} #_ 3 :b (1.5M 2N)}`, "[main] INFO jepsen.util - 0 :invoke :read nil",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ops, err := Read(strings.NewReader(text), "fuzz")
		if err == nil && len(ops) == 0 && !strings.Contains(text, "fail") {
			t.Error("there is neither an operation nor a mistake")
		}
	})
}
