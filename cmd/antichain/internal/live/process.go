package live

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/site"
)

// Process is a program that others have started, and that waits for a checker.
type Process struct {
	pid            int
	socket, binary string
	table          *site.Table
}

// FindProcess finds the program that waits for a checker, of which target is the process id or the
// socket.
func FindProcess(ctx context.Context, target string) (*Process, error) {
	if _, err := strconv.Atoi(target); err != nil {
		if info, err := os.Stat(target); err != nil || info.Mode()&fs.ModeSocket == 0 {
			return nil, fmt.Errorf("%s is neither a process id nor a socket", target)
		}
	}
	pid, socket, err := control.Resolve(ctx, target)
	if err != nil {
		return nil, err
	}
	a := &Process{pid: pid, socket: socket, binary: launch.Executable(pid)}
	if a.table, err = instrument.TableOf(a.binary); err != nil {
		return nil, fmt.Errorf("process %d: %w", pid, err)
	}
	return a, nil
}

// end ends the program, which is halted.
func (p *Process) end() error {
	running, err := os.FindProcess(p.pid)
	if err != nil {
		return err
	}
	return running.Kill()
}

// name is what the run is called in reports.
func (p *Process) name() string { return fmt.Sprint("process ", p.pid) }
