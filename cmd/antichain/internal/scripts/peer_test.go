package scripts

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// peers is the script command "peers CODE FILE… -- VERB ARGS… SOURCE": antichain must end with that
// code, while the files are sent to the source, one after the other, each over a connection of its
// own. A source that connects finds somebody who sends the only file; its port is PORT. What
// antichain prints goes to the files stdout.txt and stderr.txt.
func peers(ts *testscript.TestScript, neg bool, args []string) {
	split := slices.Index(args, "--")
	if neg || split < 1 || split == len(args)-1 {
		ts.Fatalf("usage: peers CODE FILE… -- VERB ARGS… SOURCE")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var traces []string
	for _, file := range args[1:split] {
		traces = append(traces, ts.ReadFile(file))
	}
	args = slices.Clone(args[split+1:])
	if source := &args[len(args)-1]; strings.Contains(*source, "+connect:") {
		l := listen(ts, *source)
		defer l.Close()
		if _, port, err := net.SplitHostPort(l.Addr().String()); err == nil {
			*source = strings.Replace(*source, "PORT", port, 1)
		}
		trace := traces[0]
		go func() {
			if conn, err := l.Accept(); err == nil {
				deliver(conn, trace)
			}
		}()
		traces = nil
	}
	m := start(ts, args)
	if len(traces) > 0 {
		network, address, _ := strings.Cut(m.address(ts), ":")
		if network == "unix" {
			address = ts.MkAbs(address)
		}
		for _, t := range traces {
			conn, err := net.Dial(network, address)
			ts.Check(err)
			deliver(conn, t)
		}
	}
	if code := m.end(ts); code != want {
		ts.Fatalf("exit code %d, want %d: %s", code, want, ts.ReadFile("stderr.txt"))
	}
}

// listen is the other side of a source that connects.
func listen(ts *testscript.TestScript, source string) net.Listener {
	scheme, address, _ := strings.Cut(source, "+connect:")
	if scheme == "unix" {
		address = ts.MkAbs(address)
	} else {
		address = "127.0.0.1:0"
	}
	l, err := net.Listen(scheme, address)
	ts.Check(err)
	return l
}

// deliver sends a trace and waits until it was read, or is not wanted any more.
func deliver(conn net.Conn, trace string) {
	defer conn.Close()
	if _, err := io.WriteString(conn, trace); err != nil {
		return
	}
	if err := conn.(interface{ CloseWrite() error }).CloseWrite(); err == nil {
		_, _ = io.Copy(io.Discard, conn)
	}
}

// monitorCommand is an antichain that runs beside the script.
type monitorCommand struct {
	cmd    *exec.Cmd
	stderr *bufio.Reader
	said   strings.Builder // on stderr, so far
	out    *os.File
}

func start(ts *testscript.TestScript, args []string) *monitorCommand {
	m := &monitorCommand{cmd: exec.Command("antichain", args...)}
	m.cmd.Dir = ts.MkAbs(".")
	var err error
	m.out, err = os.Create(ts.MkAbs("stdout.txt"))
	ts.Check(err)
	m.cmd.Stdout = m.out
	stderr, err := m.cmd.StderrPipe()
	ts.Check(err)
	m.stderr = bufio.NewReader(stderr)
	ts.Check(m.cmd.Start())
	ts.Defer(func() { _ = m.cmd.Process.Kill() })
	return m
}

// address waits until antichain listens, and returns where.
func (m *monitorCommand) address(ts *testscript.TestScript) string {
	return m.await(ts, "antichain: listening on ")
}

// await waits for a line that begins so, and returns its rest.
func (m *monitorCommand) await(ts *testscript.TestScript, begin string) string {
	for {
		line, err := m.stderr.ReadString('\n')
		m.said.WriteString(line)
		if err != nil {
			ts.Fatalf("antichain has not said %q: %s", begin, m.said.String())
		}
		if rest, ok := strings.CutPrefix(line, begin); ok {
			return strings.TrimSpace(rest)
		}
	}
}

// writeFile writes a file of a script.
func writeFile(ts *testscript.TestScript, name string, data []byte) {
	ts.Check(os.WriteFile(ts.MkAbs(name), data, 0o600))
}

// end waits until antichain ends, and returns its exit code.
func (m *monitorCommand) end(ts *testscript.TestScript) int {
	_, err := io.Copy(&m.said, m.stderr)
	ts.Check(err)
	err = m.cmd.Wait()
	ts.Check(m.out.Close())
	writeFile(ts, "stderr.txt", []byte(m.said.String()))
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Check(err)
	}
	return m.cmd.ProcessState.ExitCode()
}
