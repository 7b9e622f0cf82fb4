//go:build linux && (amd64 || arm64)

package docs

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/commandtest"
	"github.com/antichain-go/antichain/internal/docpages"
	"github.com/google/go-cmp/cmp"
)

// repository is the root of the checkout.
const repository = ".."

const (
	dialoguePrompt = "(antichain) " // in front of what is typed at antichain
	elision        = "…"            // as a line any number of lines, within one any characters
)

// docCommand is one of a block, with what the page shows of its output.
type docCommand struct {
	line  string   // what the shell is given, of several lines if they end in a backslash
	typed []string // what is typed at antichain
	shown []string
}

// commandsOf reads a block of commands.
func commandsOf(text string) (all []*docCommand) {
	var last *docCommand
	for l := range strings.Lines(text) {
		l = strings.TrimSuffix(l, "\n")
		line, isCommand := strings.CutPrefix(l, docpages.Prompt)
		switch {
		case isCommand:
			last = &docCommand{line: line}
			all = append(all, last)
		case strings.HasSuffix(last.line, `\`) && len(last.shown) == 0:
			last.line += "\n" + l
		default:
			if typed, ok := strings.CutPrefix(l, dialoguePrompt); ok {
				last.typed = append(last.typed, typed)
			}
			last.shown = append(last.shown, l)
		}
	}
	return all
}

// TestSessions runs what the pages show in blocks of commands, and compares the output. The
// commands of a page run in one directory, which has the page's files, and the examples unless
// these are a module. UPDATE_DOCS=1 refreshes the pages.
func TestSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("builds traced programs")
	}
	commandtest.RelaxGarbage()
	bin := t.TempDir()
	if err := commandtest.Build(bin); err != nil {
		t.Fatal(err)
	}
	pages, err := docpages.Read(repository)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		t.Run(p.Path, func(t *testing.T) {
			t.Parallel()
			s := &docSession{t: t, dir: commandtest.Directory(t), bin: bin}
			s.prepare(p)
			updated := p.Text
			for _, b := range p.Blocks {
				if b.Kind != "console" || strings.HasPrefix(b.Marker, docpages.NotRun) {
					continue
				}
				if now := s.check(p.At(b.Line), b.Text); now != b.Text && os.Getenv("UPDATE_DOCS") != "" {
					updated = strings.Replace(updated, "\n"+b.Text+"```\n", "\n"+now+"```\n", 1)
				}
			}
			if updated != p.Text {
				if err := os.WriteFile(filepath.Join(repository, p.Path), []byte(updated), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// docSession runs the commands of a page.
type docSession struct {
	t   *testing.T
	dir string // where they run
	bin string // where the antichain of this test is
}

// prepare writes the examples and the page's files into the directory.
func (s *docSession) prepare(p *docpages.Page) {
	s.t.Helper()
	copied := []string{"go.mod", "go.sum", "examples"}
	for _, b := range p.Blocks {
		if name, ok := strings.CutPrefix(b.Marker, docpages.File); ok {
			s.write(name, b.Text)
			if name == "go.mod" { // the page has a module of its own
				copied = nil
			}
		}
	}
	for _, name := range copied {
		err := filepath.WalkDir(filepath.Join(repository, name), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
				return err
			}
			rel, err := filepath.Rel(repository, path)
			if err != nil {
				return err
			}
			src, err := os.ReadFile(path)
			s.write(rel, string(src))
			return err
		})
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *docSession) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// attempts is how often a block is run until it shows what the page does. Runs differ in where
// goroutines stand; nearly all are alike, but for a machine that has a lot else to do.
const attempts = 20

// check runs a block and compares. It returns the block as it is to be now.
func (s *docSession) check(at, text string) string {
	s.t.Helper()
	var now, diff string
	before := s.files()
	for attempt := range attempts {
		if attempt > 0 {
			s.t.Logf("%s: again, since it showed something else: %s", at, diff)
		}
		s.keepOnly(before)
		commands := commandsOf(text)
		outputs := s.run(commands)
		now, diff = "", ""
		for i, c := range commands {
			now += docpages.Prompt + c.line + "\n"
			if shows(c.shown, outputs[i]) {
				outputs[i] = c.shown
			} else {
				diff += fmt.Sprintf("%s\n%s", c.line, cmp.Diff(c.shown, outputs[i]))
				outputs[i] = refreshed(c.shown, outputs[i])
			}
			for _, l := range outputs[i] {
				now += l + "\n"
			}
		}
		if diff == "" {
			return text
		}
	}
	if os.Getenv("UPDATE_DOCS") == "" {
		s.t.Errorf("%s: shows something else (-page +now): %s", at, diff)
	}
	return now
}

// files returns what lies in the directory itself.
func (s *docSession) files() map[string]bool {
	s.t.Helper()
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	names := map[string]bool{}
	for _, e := range entries {
		names[e.Name()] = true
	}
	return names
}

// keepOnly removes all other files: those of an attempt.
func (s *docSession) keepOnly(names map[string]bool) {
	s.t.Helper()
	for name := range s.files() {
		if !names[name] {
			if err := os.RemoveAll(filepath.Join(s.dir, name)); err != nil {
				s.t.Fatal(err)
			}
		}
	}
}

// boundary stands between the outputs of two commands.
const boundary = "==== next command ===="

// run gives the commands to one shell, and returns the output of each.
func (s *docSession) run(commands []*docCommand) [][]string {
	s.t.Helper()
	var script strings.Builder
	for _, c := range commands {
		line := strings.ReplaceAll(c.line, "go run ./cmd/antichain ", "antichain ")
		if len(c.typed) > 0 {
			line += " <<'TYPED'\n" + strings.Join(c.typed, "\n") + "\nTYPED"
		}
		fmt.Fprintf(&script, "%s\n__code=$?; echo; echo '%s'; (exit $__code)\n", line, boundary)
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(s.t.Context(), "bash", "-c", script.String())
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, &out, &out
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "PATH="+s.bin+":"+os.Getenv("PATH"), "GOPROXY=off", "GOFLAGS=-ldflags=-w", "GOTOOLCHAIN=local", "GOWORK=off", "LC_ALL=C.UTF-8", "TMPDIR="+s.t.TempDir(), "UPDATE_DOCS=", "GITHUB_ACTIONS=")
	_ = cmd.Run() // pages show what commands say, and their exit codes where these matter
	outputs := make([][]string, len(commands))
	for i, part := range strings.SplitN(out.String(), "\n"+boundary+"\n", len(commands)+1) {
		if part = strings.TrimSuffix(part, "\n"); i < len(commands) && part != "" {
			outputs[i] = strings.Split(part, "\n")
		}
	}
	for i, c := range commands {
		if len(c.typed) > 0 {
			outputs[i] = dialogueOf(outputs[i])
		}
	}
	return outputs
}

// dialogueOf leaves the greeting of a dialogue out.
func dialogueOf(lines []string) []string {
	for i, l := range lines {
		if strings.HasPrefix(l, dialoguePrompt) {
			return lines[i:]
		}
	}
	return lines
}

// shows reports whether a page shows these lines, with elisions.
func shows(page, lines []string) bool {
	switch {
	case len(page) == 0:
		return len(lines) == 0
	case page[0] == elision:
		for i := range len(lines) + 1 {
			if shows(page[1:], lines[i:]) {
				return true
			}
		}
		return false
	case len(lines) == 0:
		return false
	}
	return sameLine(page[0], lines[0]) && shows(page[1:], lines[1:])
}

func sameLine(page, line string) bool {
	if page == line {
		return true
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(page), elision, ".*")
	return strings.Contains(page, elision) && regexp.MustCompile("^"+pattern+"$").MatchString(line)
}

// refreshed returns the lines with the elisions of a page: each part between two of them becomes
// what now stands from where its first line is to where its last one is.
func refreshed(page, lines []string) (now []string) {
	begin := -1 // of the part in the page
	take := func(end int) {
		if begin < 0 {
			return
		}
		from := indexLine(lines, page[begin])
		if from < 0 {
			now = append(now, page[begin:end]...)
			return
		}
		lines = lines[from:]
		to := len(lines)
		if end < len(page) {
			to = indexLine(lines, page[end-1]) + 1
		}
		now = append(now, lines[:to]...)
		lines = lines[to:]
	}
	for i, l := range page {
		if l != elision {
			if begin < 0 {
				begin = i
			}
			continue
		}
		take(i)
		begin = -1
		now = append(now, elision)
	}
	take(len(page))
	if len(page) == 0 {
		return lines
	}
	return now
}

func indexLine(lines []string, page string) int {
	for i, l := range lines {
		if sameLine(page, l) {
			return i
		}
	}
	return -1
}
