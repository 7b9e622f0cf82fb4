// Package doctor examines which tracing features this machine and its Go support, and reports them
// on one page.
package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/launch"
)

// Examination is the result of Examine.
type Examination struct {
	Version string // of antichain
	Go      *instrument.Inspection
	GoErr   error // why Go could not be inspected

	Memory     launch.SharedMemory
	BuildCache Directory // of Go
	Own        Directory // of antichain
	OwnWarning string    // why that is not the usual directory, if so
	Variables  []string  // environment variables that affect tracing, as NAME=VALUE
	Tools      []Tool
}

// Directory is a directory with its size.
type Directory struct {
	Path    string `json:"path"`
	Bytes   int64  `json:"bytes"`
	Partial bool   `json:"at_least,omitempty"` // there was no time to measure all of it
}

// Tool is an optional program or permission.
type Tool struct {
	Name  string `json:"name"`
	State string `json:"state"` // its path or state
	Use   string `json:"use"`   // its purpose for antichain
}

// Complete reports whether everything can be traced.
func (e *Examination) Complete() bool {
	return e.GoErr == nil && e.Go.Complete() && e.Memory.Err == nil
}

// Examine examines everything. cache is the directory that the user has named for cached files.
func Examine(ctx context.Context, version, cache string) (*Examination, error) {
	e := &Examination{Version: version, Memory: launch.InspectMemory(), Variables: variables(), Tools: tools()}
	own, warning, err := cachedir.Find(cache)
	if err != nil {
		return nil, err
	}
	e.Go, e.GoErr = inspect(ctx, cache)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if e.GoErr == nil {
		e.BuildCache = measure(e.Go.BuildCache)
	}
	e.Own, e.OwnWarning = measure(own), warning
	return e, nil
}

// inspect tests the Go of this directory. It builds into a cache directory.
func inspect(ctx context.Context, cache string) (*instrument.Inspection, error) {
	dir, err := launch.NewDir()
	if err != nil {
		return nil, fmt.Errorf("the test could not run: %w", err)
	}
	defer dir.Remove()
	return instrument.Inspect(ctx, instrument.Config{CacheDir: dir.Path(), Cache: cache})
}

// interesting are the variables that affect tracing.
var interesting = []string{
	"GOFLAGS", "GOTOOLCHAIN", "GOEXPERIMENT", "GOOS", "GOARCH", "GOROOT", "GODEBUG", "GORACE", "GOMAXPROCS",
	"CGO_ENABLED",
	"TMPDIR", "XDG_RUNTIME_DIR", cachedir.Variable, "ANTICHAIN_TRACE",
}

func variables() []string {
	var set []string
	for _, name := range interesting {
		if value, ok := os.LookupEnv(name); ok {
			set = append(set, name+"="+value)
		}
	}
	return set
}

// measureFor limits the time to measure a directory.
const measureFor = 2 * time.Second

// measure adds up the sizes of the files in a directory.
func measure(path string) Directory {
	d := Directory{Path: path}
	if path == "" || path == "off" {
		return d
	}
	end := time.Now().Add(measureFor)
	// Unreadable files are not counted.
	_ = filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		if time.Now().After(end) {
			d.Partial = true
			return filepath.SkipAll
		}
		if info, err := e.Info(); err == nil {
			d.Bytes += info.Size()
		}
		return nil
	})
	return d
}

// tools looks for optional programs and permissions.
func tools() []Tool {
	dlv := Tool{Name: "dlv", Use: "looking at a halted program with a debugger", State: "not in PATH"}
	if path, err := exec.LookPath("dlv"); err == nil {
		dlv.State = path
	}
	all := []Tool{dlv}
	if runtime.GOOS == "linux" {
		all = append(all, Tool{Name: "ptrace", Use: "attaching a debugger to a halted program", State: ptrace()})
	}
	return all
}

// ptraceScopes are the values of yama/ptrace_scope.
var ptraceScopes = map[string]string{
	"0": "allowed for all processes of the same user",
	"1": "allowed for child processes only (/proc/sys/kernel/yama/ptrace_scope is 1)",
	"2": "allowed for root only (/proc/sys/kernel/yama/ptrace_scope is 2)",
	"3": "not allowed (/proc/sys/kernel/yama/ptrace_scope is 3)",
}

func ptrace() string {
	b, err := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope")
	if err != nil {
		return "not restricted by yama"
	}
	if text, ok := ptraceScopes[strings.TrimSpace(string(b))]; ok {
		return text
	}
	return "unknown"
}
