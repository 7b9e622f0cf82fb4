package main

import (
	"bufio"
	"fmt"
	"io"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
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
