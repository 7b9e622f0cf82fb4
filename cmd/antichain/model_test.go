package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
)

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
