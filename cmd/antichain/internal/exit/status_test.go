package exit

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"testing"
)

// ending makes the test binary the process whose end is looked at, and says how it ends.
const ending = "ANTICHAIN_TEST_ENDING"

func TestMain(m *testing.M) {
	switch os.Getenv(ending) {
	case "":
		os.Exit(m.Run())
	case "7":
		os.Exit(7)
	case "wait":
		io.Copy(io.Discard, os.Stdin)
	}
}

func TestCodeOf(t *testing.T) {
	t.Parallel()
	run := func(how string) *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), ending+"="+how)
		return cmd
	}
	t.Run("exit", func(t *testing.T) {
		code, err := CodeOf(fmt.Errorf("the program: %w", run("7").Run()))
		if code != 7 || err != nil {
			t.Errorf("%d, %v, want 7", code, err)
		}
	})
	t.Run("signal", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("no signals")
		}
		cmd := run("wait")
		if _, err := cmd.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		code, err := CodeOf(cmd.Wait())
		if code != 128+9 || err != nil {
			t.Errorf("%d, %v, want %d", code, err, 128+9)
		}
	})
	t.Run("not started", func(t *testing.T) {
		failed := exec.Command(t.TempDir()).Run()
		if _, err := CodeOf(failed); failed == nil || err != failed {
			t.Errorf("%v, want %v", err, failed)
		}
	})
}
