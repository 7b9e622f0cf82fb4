//go:build unix

package found

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/antichain-go/antichain/cmd/measure/internal/corpus"
)

// The drivers of the history are NAME.go. They use modules that are downloaded, so they are no
// package of this one.
//
//go:embed _history
var historyFiles embed.FS

// historyText says of each driver which module it uses, and what a report must name. A class is
// MODULE BUGGY FIXED REPORT. The report is OWNER/REPOSITORY#NUMBER, or @ and a commit. Behind it
// may stand MODULE@VERSION for others, if the module does not require them itself.
//
//go:embed history.txt
var historyText string

// historyWays also look at the memory of the modules: that is where the bugs are. The time of an
// exploration is bounded, since some drivers hang for as long as a run may take.
var historyWays = []way{
	{corpus.Way{Flags: []string{"--confirm", ended}}, "default", true},
	{corpus.Way{Builtin: "all", Flags: []string{"--race-in", "all", "--confirm", ended}}, "all", false},
	{corpus.Way{Flags: []string{"--explore", "50", "--for", "2m", ended}}, "explore", false},
	{corpus.Way{Race: true}, "-race", true},
}

// RunHistory runs the drivers of bugs that a later version has mended. What the runs show is kept
// in a file for each, so it goes on where it was stopped.
func RunHistory(args []string, w io.Writer) error {
	c := corpus.NewCommand("history", 3)
	dir := c.String("results", "", "keep and read results in this `directory`; what is there is not run again")
	ways := regexp.MustCompile("")
	c.TextVar(ways, "ways", ways, "run only in the ways whose names match this `pattern`")
	if err := c.Parse(args); err != nil {
		return err
	}
	if *dir == "" {
		return errors.New("-results is missing: the directory for what the runs show")
	}
	files, programs, err := loadHistory()
	if err != nil {
		return err
	}
	h := &history{ways: ways, runs: c.Runs, files: files}
	if err := h.read(*dir, c.Select(programs)); err != nil {
		return err
	}
	if err := c.Each(files, h.unfinished(), h.measure); err != nil {
		return err
	}
	h.board().write(w)
	return h.err
}

// loadHistory reads the drivers. Each of them, and each twin, gets a module of its own.
func loadHistory() (fs.FS, []*corpus.Program, error) {
	archive := new(txtar.Archive)
	class := ""
	for line := range strings.Lines(historyText) {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, "== "); ok {
			class = text
			continue
		}
		name, _, ok := strings.Cut(line, " ")
		if !ok || name == "#" {
			continue
		}
		if err := addDriver(archive, name, class); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	files, err := txtar.FS(archive)
	if err != nil {
		return nil, nil, err
	}
	programs, err := corpus.Load(files, historyText)
	return files, programs, err
}

// addDriver adds a driver with its two modules, unless it is there already.
func addDriver(a *txtar.Archive, name, class string) error {
	if n := len(a.Files); n > 0 && strings.HasPrefix(a.Files[n-1].Name, name+"/") {
		return nil
	}
	source, err := historyFiles.ReadFile(path.Join("_history", name+".go"))
	if err != nil {
		return err
	}
	words := strings.Fields(class)
	if len(words) < 4 {
		return fmt.Errorf("%q is not of the form MODULE BUGGY FIXED REPORT", class)
	}
	for variant, version := range map[string]string{"bug": words[1], "fixed": words[2]} {
		dir := path.Join(name, variant)
		mod := fmt.Sprintf("module driver/%s\n\ngo 1.25\n\nrequire %s %s\n", name, words[0], version)
		for _, other := range words[4:] {
			mod += "\nrequire " + strings.Replace(other, "@", " ", 1) + "\n"
		}
		a.Files = append(a.Files, txtar.File{Name: path.Join(dir, "main.go"), Data: source},
			txtar.File{Name: path.Join(dir, "go.mod"), Data: []byte(mod)})
	}
	return nil
}

// A history is what the runs of the drivers have shown.
type history struct {
	ways  *regexp.Regexp // in which it runs
	runs  int            // most runs in a way that repeats
	files fs.FS
	saved []*saved
	err   error
}

// saved is what is kept of a driver.
type saved struct {
	program *corpus.Program
	file    string

	Driver string // hash of the driver and of both modules: results of another one do not count
	Ways   map[string]corpus.Runs
}

// read reads what was kept.
func (h *history) read(dir string, programs []*corpus.Program) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, p := range programs {
		hash, err := h.hash(p)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, p.Name+".json")
		s := &saved{program: p, file: file, Driver: hash, Ways: make(map[string]corpus.Runs)}
		h.saved = append(h.saved, s)
		text, err := os.ReadFile(s.file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		kept := new(saved)
		if err = cmp.Or(err, json.Unmarshal(text, kept)); err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
		if kept.Driver == s.Driver {
			s.Ways = kept.Ways
		}
	}
	return nil
}

// hash identifies a driver and its modules.
func (h *history) hash(p *corpus.Program) (string, error) {
	var all []byte
	for _, file := range []string{"bug/main.go", "bug/go.mod", "fixed/go.mod"} {
		text, err := fs.ReadFile(h.files, path.Join(p.Name, file))
		if err != nil {
			return "", err
		}
		all = append(all, text...)
	}
	return fmt.Sprintf("%x", sha256.Sum256(all)), nil
}

// write keeps what there is. A file is whole, or the one before.
func (s *saved) write() error {
	text, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(s.file+".new", text, 0o666); err != nil {
		return err
	}
	return os.Rename(s.file+".new", s.file)
}

// missing are the ways in which a driver must still run.
func (h *history) missing(s *saved) []way {
	var missing []way
	for _, w := range historyWays {
		if _, ok := s.Ways[w.name]; !ok && h.ways.MatchString(w.name) {
			missing = append(missing, w)
		}
	}
	return missing
}

// unfinished are the programs that must still run.
func (h *history) unfinished() []*corpus.Program {
	var programs []*corpus.Program
	for _, s := range h.saved {
		if len(h.missing(s)) > 0 {
			programs = append(programs, s.program)
		}
	}
	return programs
}

// measure runs a driver in the ways in which it has not run, and keeps what that shows.
func (h *history) measure(ctx context.Context, b *corpus.Bench, p *corpus.Program) {
	for _, s := range h.saved {
		if s.program != p {
			continue
		}
		if err := tidy(ctx, b, p); err != nil {
			h.err = errors.Join(h.err, fmt.Errorf("%s: %w", p.Name, err))
			return
		}
		for _, w := range h.missing(s) {
			r := b.Search(ctx, p, w.most(h.runs), w.Way)
			if ctx.Err() != nil {
				return
			}
			s.Ways[w.name] = r
			h.err = errors.Join(h.err, s.write())
		}
	}
}

// tidy finds the modules that a driver and its twin need.
func tidy(ctx context.Context, b *corpus.Bench, p *corpus.Program) error {
	for _, variant := range []string{"bug", "fixed"} {
		cmd := exec.CommandContext(ctx, "go", "mod", "tidy")
		cmd.Dir = b.Dir(p, variant)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go mod tidy: %w\n%s", err, out)
		}
	}
	return nil
}

// board judges all that there is, as it is expected now.
func (h *history) board() *board {
	b := &board{ways: historyWays}
	for _, s := range h.saved {
		var r row
		for _, w := range historyWays {
			r = append(r, s.program.Judge(s.Ways[w.name]))
		}
		b.rows = append(b.rows, r)
	}
	return b
}
