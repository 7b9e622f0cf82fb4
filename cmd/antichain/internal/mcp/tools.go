package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/antichain-go/antichain/cmd/antichain/internal/excerpt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/schedulefile"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type (
	request = mcp.CallToolRequest
	answer  = mcp.CallToolResult
)

func (s *Server) run(ctx context.Context, req *request, a runArguments) (*answer, *Result, error) {
	c := &commandLine{words: []string{"run"}}
	c.flag("end-after", cmp.Or(a.EndAfter, defaultEnd))
	c.checking(a.checking)
	c.steering(a.steering)
	c.names("package", a.Package)
	c.words = append(c.words, a.Args...)
	return s.check(ctx, req, c)
}

func (s *Server) test(ctx context.Context, req *request, a testArguments) (*answer, *Result, error) {
	c := &commandLine{words: []string{"test"}}
	c.checking(a.checking)
	if a.Run != "" {
		a.GoFlags = append(a.GoFlags, "-run="+a.Run)
	}
	c.steering(a.steering)
	if len(a.Packages) == 0 {
		a.Packages = []string{"./..."}
	}
	c.names("packages", a.Packages...)
	return s.check(ctx, req, c)
}

func (s *Server) replay(ctx context.Context, req *request, a scheduleArguments) (*answer, *Result, error) {
	kept, err := execution.LoadSchedule(s.path(a.Schedule))
	if err != nil {
		return nil, nil, fmt.Errorf("%w; list_schedules names those that there are", err)
	}
	c := &commandLine{words: []string{"run", "--end-after=" + defaultEnd}}
	if kept.OfTest() {
		c.words = []string{"test"}
	}
	c.flag("replay", a.Schedule)
	c.checking(a.checking)
	if a.Run != "" {
		c.words = append(c.words, "-run="+a.Run)
	}
	c.names("package", a.Package)
	c.words = append(c.words, a.Args...)
	return s.check(ctx, req, c)
}

// check runs antichain with a report, and makes a result of it.
func (s *Server) check(ctx context.Context, req *request, c *commandLine) (*answer, *Result, error) {
	dir, err := os.MkdirTemp("", "antichain-mcp-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	report := filepath.Join(dir, "report")
	p := &process{stdout: excerpt.Writer{Most: maxOutput}, stderr: excerpt.Writer{Most: maxText - 2*maxOutput}}
	if err := s.antichain(ctx, req, p, c, "--report=json="+report); err != nil {
		return nil, nil, err
	}
	judged, err := readReport(report)
	switch {
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return nil, nil, err
	case len(judged) == 0:
		return nil, nil, s.failure(p)
	}
	r, all := newResult(p, judged)
	s.mu.Lock()
	s.last = all
	s.mu.Unlock()
	return inWords(r.text(p)), r, nil
}

func inWords(text string) *answer {
	return &answer{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// verify answers with what antichain verify --json prints.
func (s *Server) verify(ctx context.Context, req *request, a scheduleArguments) (*answer, any, error) {
	c := &commandLine{words: []string{"verify", "--json"}}
	c.checking(a.checking)
	if a.Run != "" {
		c.words = append(c.words, "-run="+a.Run)
	}
	c.names("schedule", a.Schedule)
	c.names("package", a.Package)
	c.words = append(c.words, a.Args...)
	p := &process{stdout: excerpt.Writer{Most: maxStructured}, stderr: excerpt.Writer{Most: maxOutput}}
	if err := s.antichain(ctx, req, p, c); err != nil {
		return nil, nil, err
	}
	outcome := json.RawMessage(p.stdout.String())
	if !json.Valid(outcome) {
		return nil, nil, s.failure(p)
	}
	return nil, outcome, nil
}

func (s *Server) explain(ctx context.Context, req *request, a explainArguments) (*answer, any, error) {
	text, c := "", &commandLine{words: []string{"builtins"}}
	if a.Finding != 0 {
		f, err := s.finding(a.Finding)
		if err != nil {
			return nil, nil, err
		}
		object, err := json.MarshalIndent(f, "", "  ")
		if err != nil {
			return nil, nil, err
		}
		text = string(object) + "\n\n"
		if !f.builtin {
			return page(text, a.Offset)
		}
		a.Property = f.Property
	}
	if a.Property != "" {
		c.names("property", a.Property)
	}
	if a.Program != "" {
		c.names("program", a.Program)
	}
	p := &process{stdout: excerpt.Writer{Most: 1 << 20}, stderr: excerpt.Writer{Most: maxOutput}}
	if err := s.antichain(ctx, req, p, c); err != nil {
		return nil, nil, err
	}
	if p.code != 0 {
		return nil, nil, errors.New(strings.TrimSpace(p.stderr.String()))
	}
	return page(text+p.stdout.String(), a.Offset)
}

// finding returns a finding of the last result.
func (s *Server) finding(number int) (*Finding, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if number < 1 || number > len(s.last) {
		return nil, fmt.Errorf("there is no finding %d: the last run, test or replay has %s",
			number, wording.Plural(len(s.last), "finding"))
	}
	return &s.last[number-1], nil
}

// page returns the part of a text that begins at an offset.
func page(text string, offset int) (*answer, any, error) {
	if offset < 0 || offset > len(text) {
		return nil, nil, fmt.Errorf("offset %d: the text has %s", offset, wording.Plural(len(text), "byte"))
	}
	part := text[offset:]
	if len(part) > maxPage {
		end := maxPage
		for !utf8.RuneStart(part[end]) {
			end--
		}
		left := wording.Plural(len(part)-end, "byte")
		part = fmt.Sprintf("%s\n… %s left out: offset %d goes on", part[:end], left, offset+end)
	}
	return inWords(part), nil, nil
}

// Schedules are schedules that a client can replay.
type Schedules struct {
	Schedules []schedulefile.Kept `json:"schedules"`
	LeftOut   string              `json:"left_out,omitempty"`
}

func (s *Server) listSchedules(_ context.Context, _ *request, a listArguments) (*answer, *Schedules, error) {
	place := schedulefile.Place{}
	if a.Directory != "" {
		place.Dir = s.path(a.Directory)
	}
	all, further, err := place.List(s.Directory, maxSchedules)
	if err != nil {
		return nil, nil, err
	}
	list := &Schedules{Schedules: all}
	if further > 0 {
		list.LeftOut = wording.Plural(further, "older schedule") + "; name a directory that has fewer"
	}
	return nil, list, nil
}

// path returns where a file is that an argument names.
func (s *Server) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.Directory, name)
}
