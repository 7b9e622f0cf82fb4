// Package mcp lets agents and editors use antichain: a server of the Model Context Protocol over
// standard input and output.
//
// Its tools run antichain's own executable, with the flags and exit codes that people know. A
// program that reads its standard input, ends its process or takes much memory leaves the server
// alone.
package mcp

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Server lets a client use antichain in a directory.
type Server struct {
	Version   string
	Directory string // of the module that is checked; "" is the working directory

	executable string          // of antichain
	turn       chan struct{}   // has room for the run in progress
	session    context.Context // is over when the client is gone

	mu   sync.Mutex
	last []Finding // of the last result, for explain
}

// Serve serves one client, until it closes in or a signal comes. A run in progress ends with it.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if err := s.find(); err != nil {
		return err
	}
	ctx, stop := interrupt.Context(ctx, syscall.SIGTERM)
	defer stop()
	return s.serve(ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: keepOpen{out}})
}

// find finds the directory and the executable.
func (s *Server) find() (err error) {
	if s.Directory, err = filepath.Abs(s.Directory); err != nil {
		return err
	}
	if info, err := os.Stat(s.Directory); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is no directory: name that of a Go module", s.Directory)
	}
	s.executable, err = os.Executable()
	return err
}

// keepOpen is a writer that a session does not close.
type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }

func (s *Server) serve(ctx context.Context, transport mcp.Transport) error {
	session, end := context.WithCancel(ctx)
	s.session, s.turn = session, make(chan struct{}, 1)
	server := mcp.NewServer(&mcp.Implementation{Name: "antichain", Version: s.Version},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: new(mcp.ServerCapabilities)})
	s.addTools(server)
	err := server.Run(ctx, transport)
	end()
	s.turn <- struct{}{} // the run in progress has ended
	switch {
	case ctx.Err() != nil: // a client may end its server by a signal
		return nil
	case err != nil:
		return fmt.Errorf("%w: a client of the Model Context Protocol is expected on standard input", err)
	}
	return nil
}

const instructions = `antichain finds concurrency bugs of Go programs that did not happen in a run:
deadlocks, goroutines that wait for ever, sends on closed channels, data races, violated specifications.

1. test or run checks the module. Each finding has a number, and says how certain it is.
2. explain shows all that is known of a finding, or explains a built-in property.
3. With confirm or explore, a finding that happened has a schedule: replay makes it happen again.
4. After a change, verify says whether the bug is gone, and was not only moved.`

func (s *Server) addTools(server *mcp.Server) {
	acts := func(name, text string) *mcp.Tool { return &mcp.Tool{Name: name, Description: text} }
	reads := func(name, text string) *mcp.Tool {
		return &mcp.Tool{Name: name, Description: text, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
	}
	mcp.AddTool(server, acts("run", "Builds and runs a Go program, and reports what can go wrong in any order of its "+
		"events. The program gets no input. By default checks all built-in properties but race, copy and leak."), s.run)
	mcp.AddTool(server, acts("test", "Runs go test, and reports what can go wrong in any order of the events of each "+
		"test binary. By default checks all built-in properties but race, copy and leak."), s.test)
	mcp.AddTool(server, acts("replay", "Runs a program or a test so that the violation that a schedule leads to "+
		"happens again."), s.replay)
	mcp.AddTool(server, acts("verify", "Says whether a change of the program has taken away what a schedule leads "+
		"to, and has not only moved it. Makes some 40 runs."), s.verify)
	mcp.AddTool(server, reads("explain", "Shows all that is known of a finding of the last result, or explains a "+
		"built-in property with small programs. Without arguments it lists these properties."), s.explain)
	mcp.AddTool(server, reads("list_schedules", "Lists the schedules of this module that confirm and explore have "+
		"kept, the newest first."), s.listSchedules)
}
