//go:build unix

package faults

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
)

// monitorProcess is a monitor, which is a process.
type monitorProcess struct {
	cmd     *exec.Cmd
	out     string // file of what it has said
	stopped bool   // by SIGSTOP
	over    chan error
	killed  bool
}

// start starts another member of the group.
func (tr *trial) start(more ...string) *monitorProcess {
	tr.Helper()
	return tr.startBy(tr.antichain, more...)
}

// startBy starts one of that antichain.
func (tr *trial) startBy(antichain string, more ...string) *monitorProcess {
	tr.Helper()
	args := append([]string{"monitor", "--group", tr.names.group, "--spec", tr.spec, "--keep-going", "--verdicts", tr.names.verdicts, "--dead-letters", tr.names.dead}, tr.options...)
	args = append(append(args, more...), tr.address())
	p := &monitorProcess{cmd: exec.Command(antichain, args...), over: make(chan error, 1), out: filepath.Join(tr.TempDir(), strconv.Itoa(len(tr.processes)))}
	out, err := os.Create(p.out)
	if err != nil {
		tr.Fatal(err)
	}
	defer out.Close()
	p.cmd.Stdout, p.cmd.Stderr = out, out
	if err := p.cmd.Start(); err != nil {
		tr.Fatal(err)
	}
	go func() { p.over <- p.cmd.Wait() }()
	tr.processes = append(tr.processes, p)
	return p
}

// errs is what it has said.
func (p *monitorProcess) errs() string {
	text, _ := os.ReadFile(p.out)
	return string(text)
}

// kill is kill -9.
func (p *monitorProcess) kill() {
	if p.killed {
		return
	}
	p.killed = true
	_ = p.cmd.Process.Kill() // it may have ended
}

// quit lets a process say what its goroutines do, and ends it.
func (p *monitorProcess) quit() {
	p.pause(false)
	_ = p.cmd.Process.Signal(syscall.SIGQUIT) // it may have ended
	<-p.over
	p.killed = true
}

// pause stops the process, or lets it go on.
func (p *monitorProcess) pause(stop bool) {
	p.stopped = stop
	signal := syscall.SIGCONT
	if stop {
		signal = syscall.SIGSTOP
	}
	_ = p.cmd.Process.Signal(signal) // it may have ended
}

// end ends a process in order, and returns its exit code.
func (tr *trial) end(p *monitorProcess) int {
	tr.Helper()
	if p.stopped {
		p.pause(false)
	}
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		tr.Fatal(err)
	}
	return tr.wait(p)
}

// wait waits until a process has ended by itself, and returns its exit code.
func (tr *trial) wait(p *monitorProcess) int {
	tr.Helper()
	select {
	case err := <-p.over:
		p.killed = true
		code, err := exit.CodeOf(err)
		if err != nil {
			tr.Fatal(err)
		}
		if code == exit.Bug || strings.Contains(p.errs(), "panic: ") {
			tr.Errorf("a bug:\n%s", p.errs())
		}
		return code
	case <-time.After(faultPatience):
		tr.Fatalf("a monitor did not end:\n%s", p.errs())
		return 0
	}
}

// live are the monitors that have not been killed, nor ended.
func (tr *trial) live() (live []*monitorProcess) {
	for _, p := range tr.processes {
		if !p.killed {
			live = append(live, p)
		}
	}
	return live
}

// endAll ends all monitors. None of them has failed, but one that began while brokers were away may
// have given up as soon as it is meant to.
func (tr *trial) endAll() {
	tr.Helper()
	for _, p := range tr.live() {
		code, errs := tr.end(p), p.errs()
		gaveUp := tr.absence > 9*time.Second && strings.Contains(errs, ": no broker has answered for 10s (")
		if strings.Contains(errs, "antichain: ") && code == exit.Error && !gaveUp {
			tr.Errorf("exit code %d:\n%s", code, errs)
		}
	}
}
