package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
)

// TestBatchAnswersAtOnce asks the next question only when it has the answer to the one before.
func TestBatchAnswersAtOnce(t *testing.T) {
	questions, ask := io.Pipe()
	answers, answer := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- mainerr([]string{"ltl", "sat", "--finite", "--batch"}, terminal.Streams{In: questions, Out: answer, Err: io.Discard})
	}()
	lines := bufio.NewReader(answers)
	for i := range 3 {
		if _, err := fmt.Fprintf(ask, "{\"id\":%d,\"formula\":\"a\"}\n", i); err != nil {
			t.Fatal(err)
		}
		line, err := lines.ReadString('\n')
		if want := fmt.Sprintf("{\"id\":%d,\"sat\":true,\"model\":[[\"a\"]]}\n", i); line != want || err != nil {
			t.Fatalf("%s, %v, want %s", line, err, want)
		}
	}
	ask.Close()
	if code := <-done; code != exit.Holds {
		t.Errorf("exit code %d", code)
	}
}

// FuzzBatch tries lines as questions of every verb: each has an answer that is a JSON object.
func FuzzBatch(f *testing.F) {
	for _, line := range []string{`{"id":1,"formula":"a U b","formula2":"F b","word":[["a"],[]]}`, `{"formula":3}`, `[]`, `{"word":[1]}`, `{`} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.IndexByte(line, '\n') >= 0 || len(bytes.TrimSpace(line)) == 0 {
			return
		}
		for i := range 2 * len(ltlVerbs) {
			v := ltlVerbs[i/2]
			flags := ltlFlags{finite: i%2 == 0, batch: true, budgetFlags: budgetFlags{limits.Limits{Timeout: 100 * time.Millisecond}}}
			var out bytes.Buffer
			s := terminal.Streams{In: bytes.NewReader(line), Out: &out, Err: io.Discard}
			if err := flags.run(t.Context(), s, v, nil); err != nil && err != exit.Code(exit.Error) && err != exit.Code(exit.Unknown) {
				t.Fatalf("%s: %v", v.name, err)
			}
			var object map[string]any
			if err := json.Unmarshal(out.Bytes(), &object); err != nil {
				t.Fatalf("%s: %q is answered by %q: %v", v.name, line, out.Bytes(), err)
			}
		}
	})
}
