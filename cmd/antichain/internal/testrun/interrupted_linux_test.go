package testrun

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exploration"
)

// interrupted makes a process of this test interrupt itself.
const interrupted = "ANTICHAIN_TEST_INTERRUPTED"

// TestInterruptBehindGoTest interrupts a process when go test has just ended. The tests are
// reported all the same.
func TestInterruptBehindGoTest(t *testing.T) {
	if os.Getenv(interrupted) != "" {
		interruptBehindGoTest(t)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestInterruptBehindGoTest$")
	cmd.Env = append(os.Environ(), interrupted+"=1")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "1 result is reported") {
		t.Errorf("%v: %s", err, out)
	}
}

func interruptBehindGoTest(t *testing.T) {
	g := &GoTest{Exchange: filepath.Join(t.TempDir(), "tests")}
	g.Command = func(ctx context.Context) (*exec.Cmd, error) {
		cmd := exec.CommandContext(ctx, os.Args[0], g.Exchange)
		cmd.Env = append(os.Environ(), goTest+"=test fails")
		return cmd, nil
	}
	g.Report = func(results []Result, _ int) error {
		runtime.LockOSThread() // a thread that signals itself does not go on before it has handled that
		defer runtime.UnlockOSThread()
		if err := syscall.Tgkill(os.Getpid(), syscall.Gettid(), syscall.SIGINT); err != nil {
			return err
		}
		fmt.Println(len(results), "result is reported")
		return nil
	}
	if err := g.Run(t.Context(), map[string]*exploration.Plan{"example.org/a": {Plan: execution.Plan{Name: "a"}}}); err != nil {
		t.Error(err)
	}
}
