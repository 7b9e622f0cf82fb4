package helper

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
)

// Toolchain is the user's toolchain, as go env describes it.
type Toolchain struct {
	Go         string   // the go command; "" is "go"
	Env        []string // its environment; nil is that of this process
	Root       string   // GOROOT
	Version    string   // GOVERSION
	HostOS     string   // GOHOSTOS
	HostArch   string   // GOHOSTARCH
	Experiment string   // GOEXPERIMENT
}

// Reader reads the user's source.
type Reader struct {
	Toolchain Toolchain
	Dir       string // the user's working directory

	// Caches returns directories for helpers, which only the user can write to. The first one where
	// it is possible is used.
	Caches func() []string

	// Own is the version of Go that this program was built with; "" is runtime.Version().
	Own string

	packages map[string]fs.FS // of the helper, in tests; nil is sources()
}

// Run is frontend.Run.
func (r *Reader) Run(ctx context.Context, req *frontend.Request) (*frontend.Result, error) {
	if !req.ReadsSource() || canRead(r.ownVersion(), r.Toolchain.Version) {
		return frontend.Run(req)
	}
	return r.runHelper(ctx, req)
}

func (r *Reader) ownVersion() string { return cmp.Or(r.Own, runtime.Version()) }

// An Error says why there is no reader for the user's version of Go. Its text includes a remedy.
type Error struct {
	Own, Version string // of Go, of this program and of the user's toolchain
	Err          error
}

func (e *Error) Error() string {
	return fmt.Sprintf("reading Go source of %s, which is newer than the %s that antichain was built with: %v",
		name(e.Version), name(e.Own), e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// name is the name of a release for people: Go 1.27.4.
func name(version string) string {
	if rest, ok := strings.CutPrefix(version, "go"); ok {
		return "Go " + rest
	}
	return "Go " + version
}

// rebuild is the remedy for a helper that does not work.
func rebuild(version string) string {
	how := "go install"
	if t := toolchainName(version); t != "local" {
		how = "GOTOOLCHAIN=" + t + " go install"
	}
	return fmt.Sprintf("build antichain itself with that release (%s %s/cmd/antichain@latest)", how, module)
}

// runHelper runs the helper, in the first of the directories in which there can be one.
func (r *Reader) runHelper(ctx context.Context, req *frontend.Request) (*frontend.Result, error) {
	var in bytes.Buffer
	if err := req.Encode(&in); err != nil {
		return nil, err
	}
	caches := r.Caches()
	if len(caches) == 0 {
		return nil, r.failed(errors.New("there is no directory for a program that does it; name one that you can " +
			"write to with --cache-dir or ANTICHAIN_CACHE"))
	}
	var unusable []error
	for _, dir := range caches {
		reply, err := r.inDir(ctx, dir, in.Bytes())
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var u *unusableError
		switch {
		case errors.As(err, &u):
			unusable = append(unusable, err)
			continue
		case err != nil:
			return nil, r.failed(err)
		}
		if err := reply.Err(); err != nil {
			return nil, err
		}
		return reply.Result, nil
	}
	return nil, r.failed(fmt.Errorf("the program that does it cannot be kept and run: %w; name a directory in which "+
		"you can with --cache-dir or ANTICHAIN_CACHE",
		errors.Join(unusable...)))
}

func (r *Reader) failed(err error) error {
	return &Error{Own: r.ownVersion(), Version: r.Toolchain.Version, Err: err}
}

// unusableError says that a directory cannot hold a helper.
type unusableError struct{ err error }

func (e *unusableError) Error() string { return e.err.Error() }
func (e *unusableError) Unwrap() error { return e.err }

func (r *Reader) inDir(ctx context.Context, dir string, request []byte) (*frontend.Reply, error) {
	exe, err := r.executable(ctx, dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, exe)
	cmd.Dir = r.Dir
	// The user's settings for the Go command or the program do not apply to the helper.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GODEBUG=") })
	cmd.WaitDelay = waitDelay
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(request), &stdout, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, &unusableError{err}
	}
	if err != nil {
		return nil, fmt.Errorf("the program that does it has failed (%w: %s); %s", err, firstLine(stderr.String()),
			rebuild(r.Toolchain.Version))
	}
	reply, err := frontend.ReadReply(&stdout)
	if err != nil {
		return nil, fmt.Errorf("the program that does it has given no answer (%w); %s", err,
			rebuild(r.Toolchain.Version))
	}
	if !isSame(reply.GoVersion, r.Toolchain.Version) {
		return nil, fmt.Errorf("the program that does it was compiled by %s, not by that; %s", name(reply.GoVersion),
			rebuild(r.Toolchain.Version))
	}
	return reply, nil
}

// waitDelay is the time that the processes of a killed command may keep its output open.
const waitDelay = 2 * time.Second

// firstLine is the first line of a text that is not blank.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return "no reason given"
}
