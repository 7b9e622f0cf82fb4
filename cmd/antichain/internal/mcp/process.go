package mcp

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/excerpt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/internal/tracer/instrument/gocommand"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	progressEvery = 5 * time.Second
	patience      = 5 * time.Second // with a program that has been interrupted
)

// process is a process of antichain, and what it has left.
type process struct {
	command        string // as in a shell
	code           int
	stdout, stderr excerpt.Writer
}

// antichain runs antichain with the words of a command line, and with further flags, which
// p.command leaves out. One process runs at a time. The end of ctx, or of the session, interrupts
// it.
func (s *Server) antichain(ctx context.Context, req *request, p *process, c *commandLine, further ...string) error {
	if c.err != nil {
		return c.err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.session, cancel)()
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	p.command = rerun.Quote(append([]string{"antichain"}, c.words...))
	// its own process group: what it has started is interrupted, too
	cmd := gocommand.New(ctx, s.executable, slices.Concat(c.words[:1], further, c.words[1:])...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.Directory, &p.stdout, &p.stderr
	interrupt := cmd.Cancel
	cmd.Cancel = func() error {
		// it may have ended by then
		time.AfterFunc(patience, func() { _ = cmd.Process.Signal(syscall.SIGTERM) })
		return interrupt()
	}
	go reportProgress(ctx, req, p)
	err := cmd.Run()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s was cancelled, and has ended", p.command)
	case errors.As(err, &ended):
		p.code = ended.ExitCode()
		return nil
	}
	return err
}

// reportProgress says every few seconds how long a process has run, and what it has printed last,
// if the client has asked for that.
func reportProgress(ctx context.Context, req *request, p *process) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return
	}
	began, every := time.Now(), time.NewTicker(progressEvery)
	defer every.Stop()
	for ctx.Err() == nil {
		message := strings.TrimSuffix(p.command+": "+wording.Beginning(p.stderr.LastLine(), maxSentence), ": ")
		// a client that is gone ends ctx
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token,
			Message: message, Progress: time.Since(began).Seconds()})
		select {
		case <-every.C:
		case <-ctx.Done():
		}
	}
}

// failure is the error of a process that has judged nothing.
func (s *Server) failure(p *process) error {
	return fmt.Errorf("%s\n%s ended with exit code %d in %s; antichain mcp DIRECTORY works in another directory",
		strings.TrimSpace(p.stderr.String()+p.stdout.String()), p.command, p.code, s.Directory)
}
