package scripts

import (
	"os/exec"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// visit is the script command "visit CODE FILE VERB ARGS…": antichain must halt a program, and end
// with that code when antichain attach has carried out the commands of the file there. What attach
// prints goes to visit.txt, the rest to stdout.txt and stderr.txt.
func visit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: visit CODE FILE VERB ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	m := start(ts, args[2:])
	pid := m.await(ts, "antichain: to look at it, type in another terminal: antichain attach ")
	attach := exec.Command("antichain", "attach", pid)
	attach.Stdin = strings.NewReader(ts.ReadFile(args[1]))
	attach.Dir = ts.MkAbs(".")
	shown, err := attach.CombinedOutput()
	ts.Check(err)
	writeFile(ts, "visit.txt", shown)
	if code := m.end(ts); code != want {
		ts.Fatalf("exit code %d, want %d: %s", code, want, ts.ReadFile("stderr.txt"))
	}
}
