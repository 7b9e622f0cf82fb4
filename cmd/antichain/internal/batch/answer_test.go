package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/model/bdd"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
)

type echoAnswer struct {
	Header
	Said string `json:"said"`
}

// echo answers a question with its text, or fails with it.
func echo(_ context.Context, line []byte) (any, json.RawMessage, error) {
	var q struct {
		ID   json.RawMessage `json:"id"`
		Say  string          `json:"say"`
		Fail string          `json:"fail"`
		Stop bool            `json:"stop"`
	}
	if err := Parse(line, &q); err != nil {
		return nil, q.ID, err
	}
	switch {
	case q.Fail != "":
		return nil, q.ID, errors.New(q.Fail)
	case q.Stop:
		return nil, q.ID, fmt.Errorf("counting: %w", tlcheck.ErrTime)
	}
	return &echoAnswer{Header: Header{ID: q.ID}, Said: q.Say}, q.ID, nil
}

// TestRun has each kind of answer, and the exit code of a batch with it.
func TestRun(t *testing.T) {
	tests := []struct {
		name, in, want string
		code           int
	}{
		{"nothing", "", "", exit.Holds},
		{"blank lines", "\n  \n\t\n", "", exit.Holds},
		{"an answer", `{"say":"a"}` + "\n", `{"said":"a"}` + "\n", exit.Holds},
		{"without the last newline", `{"say":"a"}`, `{"said":"a"}` + "\n", exit.Holds},
		{"an id of any kind", `{"id":[1,"x"],"say":"a"}` + "\n", `{"id":[1,"x"],"said":"a"}` + "\n", exit.Holds},
		{"an error", `{"id":7,"fail":"wrong\nsecond line"}` + "\n", `{"id":7,"error":"line 1: wrong"}` + "\n",
			exit.Error},
		{"a budget", `{"id":7,"stop":true}` + "\n", `{"id":7,"unknown":"counting: the time ran out; --timeout allows more"}` + "\n", exit.Unknown},
		{"no JSON", "\nwhat\n", `{"error":"line 2: not a JSON object: invalid character 'w' looking for beginning of value, at byte 1"}` + "\n", exit.Error},
		{
			"all of them", `{"stop":true}` + "\n" + `{"fail":"wrong"}` + "\n" + `{"say":"a"}` + "\n",
			`{"unknown":"counting: the time ran out; --timeout allows more"}` + "\n" + `{"error":"line 2: wrong"}` +
				"\n" + `{"said":"a"}` + "\n", exit.Error,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			err := Run(t.Context(), terminal.Streams{In: strings.NewReader(test.in), Out: &out}, echo)
			code := exit.Code(exit.Holds)
			if err != nil && !errors.As(err, &code) {
				t.Fatal(err)
			}
			if int(code) != test.code || out.String() != test.want {
				t.Errorf("exit code %d, want %d\n%swant\n%s", code, test.code, out.String(), test.want)
			}
		})
	}
}

// TestParse has each kind of mistake in a question.
func TestParse(t *testing.T) {
	tests := []struct{ line, want string }{
		{`{"formula":"a"}`, ""},
		{`{"other":1}`, ""},
		{`{`, "not a JSON object: unexpected end of JSON input, at byte 1"},
		{`[]`, "found a JSON array: write a JSON object a line"},
		{`{"formula":3}`, `key "formula": found a JSON number, expected a string`},
		{`{"word":3}`, `key "word": found a JSON number, expected a array of arrays of strings`},
		{`{"names":{}}`, `key "names": found a JSON object, expected a array of strings`},
	}
	for _, test := range tests {
		var q struct {
			Formula *string   `json:"formula"`
			Word    *ltl.Word `json:"word"`
			Names   []string  `json:"names"`
		}
		err := Parse([]byte(test.line), &q)
		if got := fmt.Sprint(err); err == nil && test.want != "" || err != nil && got != test.want {
			t.Errorf("%s: %v, want %s", test.line, err, test.want)
		}
	}
}

// TestOverBudget has every budget that can run out, and an error that is none.
func TestOverBudget(t *testing.T) {
	tests := []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errors.New("wrong"), false},
		{fmt.Errorf("counting: %w", tlcheck.ErrTime), true},
		{ltl.ErrNodes, true},
		{bdd.ErrNodes, true},
		{&slices.IntervalsError{}, true},
		{&budget.MemoryError{}, true},
	}
	for _, test := range tests {
		if got := OverBudget(test.err); got != test.want {
			t.Errorf("%v: %v, want %v", test.err, got, test.want)
		}
	}
}

// TestWriteUnknown has the answer to a single question in text and in JSON.
func TestWriteUnknown(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		var out, said bytes.Buffer
		err := WriteUnknown(terminal.Streams{Out: &out, Err: &said}, asJSON, tlcheck.ErrTime)
		if err != exit.Code(exit.Unknown) {
			t.Errorf("%v, want exit code %d", err, exit.Unknown)
		}
		want := ""
		if asJSON {
			want = `{"unknown":"the time ran out; --timeout allows more"}` + "\n"
		}
		if out.String() != want || said.String() != "antichain: the time ran out; --timeout allows more\n" {
			t.Errorf("%q and %q", out.String(), said.String())
		}
	}
}
