package models

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// formulaQuestion asks about a formula on a model.
type formulaQuestion struct {
	ID      json.RawMessage `json:"id"`
	Formula *string         `json:"formula"`
	Keys
}

// TestParsedQuestions compares questions that a reader has parsed with the same ones parsed alone.
func TestParsedQuestions(t *testing.T) {
	pieces := []string{`{"id":1}`, `{}`, `[]`, `"as before"`, `{"structure":{"id":1}}`, `{"a":"\"structure\":{}"}`,
		`null`, `3`}
	keys := []string{`"structure":`, `"structure": `, `"formula":`, `"program":`, `"other":`, `"structure"`}
	rapid.Check(t, func(t *rapid.T) {
		var reader QuestionReader
		for range 8 {
			var members []string
			for range rapid.IntRange(0, 3).Draw(t, "members") {
				members = append(members, rapid.SampledFrom(keys).Draw(t,
					"key")+rapid.SampledFrom(pieces).Draw(t, "value"))
			}
			line := []byte("{" + strings.Join(members, ",") + "}")
			var got, want formulaQuestion
			errGot, errWant := reader.Parse(line, &got, &got.Keys), batch.Parse(line, &want)
			if (errGot == nil) != (errWant == nil) || errGot != nil && errGot.Error() != errWant.Error() {
				t.Fatalf("%s: error %v, want %v", line, errGot, errWant)
			}
			if d := cmp.Diff(want, got, cmp.AllowUnexported(formulaQuestion{})); errWant == nil && d != "" {
				t.Fatalf("%s\n%s", line, d)
			}
		}
	})
}

// TestShorten makes sure that a structure that comes again is not parsed again.
func TestShorten(t *testing.T) {
	var q formulaQuestion
	reader := QuestionReader{}
	if err := reader.Parse([]byte(`{"structure":{"states":1}}`), &q, &q.Keys); err != nil {
		t.Fatal(err)
	}
	if got := string(reader.shorten([]byte(`{"id":2,"structure": {"states":1},"formula":"a"}`))); got != `{"id":2,"structure":"as before","formula":"a"}` {
		t.Errorf("%s", got)
	}
	if !json.Valid(reader.last) {
		t.Errorf("%s", reader.last)
	}
}
