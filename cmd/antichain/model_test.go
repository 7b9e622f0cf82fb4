package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestModelQuestionsAreRead compares what is read of questions with what is read of each alone.
func TestModelQuestionsAreRead(t *testing.T) {
	pieces := []string{`{"id":1}`, `{}`, `[]`, `"as before"`, `{"structure":{"id":1}}`, `{"a":"\"structure\":{}"}`, `null`, `3`}
	keys := []string{`"structure":`, `"structure": `, `"formula":`, `"program":`, `"other":`, `"structure"`}
	rapid.Check(t, func(t *rapid.T) {
		var reader modelQuestions
		for range 8 {
			var members []string
			for range rapid.IntRange(0, 3).Draw(t, "members") {
				members = append(members, rapid.SampledFrom(keys).Draw(t, "key")+rapid.SampledFrom(pieces).Draw(t, "value"))
			}
			line := []byte("{" + strings.Join(members, ",") + "}")
			var got, want modelQuestion
			errGot, errWant := reader.parse(line, &got, &got.modelKeys), batch.Parse(line, &want)
			if (errGot == nil) != (errWant == nil) || errGot != nil && errGot.Error() != errWant.Error() {
				t.Fatalf("%s: error %v, want %v", line, errGot, errWant)
			}
			if d := cmp.Diff(want, got, cmp.AllowUnexported(modelQuestion{})); errWant == nil && d != "" {
				t.Fatalf("%s\n%s", line, d)
			}
		}
	})
}

// TestShorten makes sure that what comes again is not read again.
func TestShorten(t *testing.T) {
	var q modelQuestion
	reader := modelQuestions{}
	if err := reader.parse([]byte(`{"structure":{"states":1}}`), &q, &q.modelKeys); err != nil {
		t.Fatal(err)
	}
	if got := string(reader.shorten([]byte(`{"id":2,"structure": {"states":1},"formula":"a"}`))); got != `{"id":2,"structure":"as before","formula":"a"}` {
		t.Errorf("%s", got)
	}
	if !json.Valid(reader.last) {
		t.Errorf("%s", reader.last)
	}
}

func TestMemo(t *testing.T) {
	var m memo[int]
	made := 0
	of := func(text string, program bool, size int) int {
		got, err := m.of(&modelText{text: []byte(text), program: program}, func() (int, int, error) {
			made++
			return made, size, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	steps := []struct {
		text    string
		program bool
		size    int
		want    int
	}{
		{"", false, 1, 1}, {"", false, 1, 1}, {"a", false, 1, 2}, {"a", true, 1, 3}, {"a", false, 1, 2}, {"", false, 1, 1},
		{"b", false, maxRemembered, 4}, {"b", false, 1, 4}, {"a", false, 1, 5}, // what was before b is forgotten, and then b
	}
	for _, s := range steps {
		if got := of(s.text, s.program, s.size); got != s.want {
			t.Fatalf("%q: %d, want %d", s.text, got, s.want)
		}
	}
	wrong := errors.New("wrong")
	if _, err := m.of(&modelText{text: []byte("c")}, func() (int, int, error) { return 0, 0, wrong }); err != wrong {
		t.Errorf("error %v", err)
	}
	if got := of("c", false, 1); got != 6 {
		t.Errorf("what could not be made is remembered as %d", got)
	}
}

// TestModelOfAPipe has what a shell makes of --model <(…): it can be read but once.
func TestModelOfAPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString(`{"states":1,"start":0,"labels":[["a"]],"succ":[[0]]}`); err != nil {
		t.Fatal(err)
	}
	w.Close()
	var out, stderr strings.Builder
	args := []string{"ctl", "check", "--model", fmt.Sprintf("/dev/fd/%d", r.Fd()), "AG a"}
	if code := mainerr(args, terminal.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr}); code != exit.Holds {
		t.Errorf("exit code %d\n%s%s", code, &out, &stderr)
	}
}
