package goroot

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/internal/tracer/instrument/gocommand"
	"github.com/antichain-go/antichain/internal/tracer/ring"
)

//go:embed testdata/selftest/main.go
var selfTestProgram []byte

// Toolchain is the go command that programs are built with.
type Toolchain struct {
	Go  string   // the command; "" is "go"
	Env []string // its environment; nil is that of this process

	Environment *gocommand.Environment // what go env says; nil if it is to be asked
}

// Prepare writes the overlay for the toolchain's standard library below dir, as Write does, and
// tests it by building and running a small program. It skips the test if cacheDir has the result
// for the same toolchain and overlay; without a writable cacheDir it always tests. A capability
// that fails the test is left out, and Overlay.Lacks says so.
func Prepare(ctx context.Context, tc Toolchain, opt Options, dir, cacheDir string) (*Overlay, error) {
	info, err := tc.info(ctx)
	if err != nil {
		return nil, err
	}
	if o := cachedOverlay(dir, info.GOROOT, opt); o != nil {
		if known, ok := o.cachedResult(info, cacheDir); ok && len(known) == 0 {
			return o, nil
		}
	}
	opt.Without = maps.Clone(opt.Without)
	if opt.Without == nil {
		opt.Without = make(map[string]error)
	}
	// to write down after success: a failure for want of room or time is no property of the
	// toolchain
	var notes []func()
	for {
		o, err := Write(dir, info.GOROOT, opt)
		if _, ok := errors.AsType[*WriteError](err); ok {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("tracing does not support %s: %w", info.GOVERSION, err)
		}
		known, ok := o.cachedResult(info, cacheDir)
		if !ok {
			var sure bool
			known, sure, err = o.selfTest(ctx, tc, info, opt.Memory)
			if err != nil || len(known) > 0 {
				if changed := o.intact(); changed != nil {
					return nil, changed // the toolchain is not to blame
				}
			}
			if err != nil {
				return nil, fmt.Errorf("tracing does not work with %s: %w", info.GOVERSION, err)
			}
			if sure {
				notes = append(notes, func() { o.remember(info, cacheDir, known) })
			}
		}
		if len(known) == 0 {
			for _, note := range notes {
				note()
			}
			return o, nil
		}
		maps.Copy(opt.Without, known)
	}
}

// goInfo has the properties of the toolchain that the overlay depends on, as the go command reports
// them.
type goInfo struct{ GOROOT, GOVERSION, GOOS, GOARCH, GOHOSTARCH, GOEXPERIMENT, CGO_ENABLED string }

func (tc Toolchain) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := gocommand.New(ctx, tc.Go, args...)
	cmd.Env = tc.Env
	cmd.Env = cmd.Environ()
	return cmd
}

func (tc Toolchain) output(ctx context.Context, args ...string) ([]byte, error) {
	out, err := tc.command(ctx, args...).Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}
	return out, nil
}

func (tc Toolchain) info(ctx context.Context) (goInfo, error) {
	env := tc.Environment
	if env == nil {
		var err error
		env, err = gocommand.Ask(func(args ...string) ([]byte, error) { return tc.output(ctx, args...) })
		if err != nil {
			return goInfo{}, err
		}
	}
	info := goInfo{env.GOROOT, env.GOVERSION, env.GOOS, env.GOARCH, env.GOHOSTARCH, env.GOEXPERIMENT, env.CGO_ENABLED}
	if info.GOOS != "linux" || info.GOARCH != "amd64" && info.GOARCH != "arm64" {
		return info, fmt.Errorf("tracing is not supported for %s/%s, only for linux/amd64 and linux/arm64; traces "+
			"made there can be checked anywhere", info.GOOS, info.GOARCH)
	}
	return info, nil
}

func (i goInfo) key() string {
	sum := sha256.Sum256(fmt.Append(nil, i))
	return hex.EncodeToString(sum[:8])
}

// cachedResult returns the result of the self-test of this overlay, if that is known.
func (o *Overlay) cachedResult(info goInfo, cacheDir string) (broken map[string]error, ok bool) {
	if cacheDir == "" {
		return nil, false
	}
	data, err := os.ReadFile(o.mark(info, cacheDir))
	if err != nil {
		return nil, false
	}
	var texts map[string]string
	if json.Unmarshal(data, &texts) != nil {
		return nil, false
	}
	broken = make(map[string]error)
	for name, text := range texts {
		broken[name] = errors.New(text)
	}
	return broken, true
}

// remember saves the result of the self-test of this overlay. Errors are ignored: the test then
// runs again next time.
func (o *Overlay) remember(info goInfo, cacheDir string, broken map[string]error) {
	if cacheDir == "" || os.MkdirAll(cacheDir, 0o700) != nil {
		return
	}
	texts := make(map[string]string)
	for name, err := range broken {
		texts[name] = err.Error()
	}
	if data, err := json.Marshal(texts); err == nil {
		_ = cachedir.WriteFile(o.mark(info, cacheDir), data)
	}
}

func (o *Overlay) mark(info goInfo, cacheDir string) string {
	return filepath.Join(cacheDir, "selftest-"+info.key()+"-"+o.Hash[:16])
}

// selfTest returns the capabilities that do not work, and why; sure says that this is reproducible.
// It fails if nothing can be traced at all, or if the test could not be made.
func (o *Overlay) selfTest(ctx context.Context, tc Toolchain, info goInfo, memory bool) (broken map[string]error,
	sure bool, err error) {
	dir, err := os.MkdirTemp("", "antichain-selftest-")
	if err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(dir)
	exe, output, err := o.buildSelfTest(ctx, tc, dir)
	changers := o.changers(output)
	if err != nil && len(changers) == 0 { // for want of memory or room, maybe
		exe, output, err = o.buildSelfTest(ctx, tc, dir)
		changers = o.changers(output)
	}
	if err != nil {
		broken, err = o.blame(ctx, changers, fmt.Errorf("self test: building: %w", withOutput(err, output)))
		return broken, len(changers) > 0, err
	}
	if info.GOARCH != info.GOHOSTARCH { // it can only be built here
		return nil, true, nil
	}
	// A failure gets a second chance, since the machine may be busy.
	for range 2 {
		if broken, err = o.tryOnce(ctx, exe, dir, memory); err == nil && len(broken) == 0 {
			return nil, true, nil
		}
	}
	late := slices.ContainsFunc(slices.Collect(maps.Values(broken)),
		func(why error) bool { return errors.Is(why, context.DeadlineExceeded) })
	return broken, !late, err
}

// tryOnce runs the program of the self test, and returns the capabilities that do not work.
func (o *Overlay) tryOnce(ctx context.Context, exe, dir string, memory bool) (broken map[string]error, err error) {
	parts, last, err := runSelfTest(ctx, exe, dir, memory)
	if _, ok := errors.AsType[*chanceError](err); ok {
		return nil, fmt.Errorf("self test: %w; try again", err)
	}
	if err != nil {
		return o.blame(ctx, []string{last}, fmt.Errorf("self test: %w", err))
	}
	broken = failedCapabilities(parts, memory)
	for _, l := range o.Lacks {
		delete(broken, l.Name)
	}
	return broken, nil
}

// chanceError is a failure of the self test that says nothing about the toolchain.
type chanceError struct{ error }

// wasKilled reports whether a program was killed, as the system does for want of memory.
func wasKilled(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// withOutput adds a program's output to its error.
func withOutput(err error, output []byte) error {
	if output = bytes.TrimSpace(output); len(output) == 0 {
		return err
	}
	return fmt.Errorf("%w\n%s", err, output)
}

// blame declares these capabilities broken or, if the overlay has none of them, all that it has.
func (o *Overlay) blame(ctx context.Context, names []string, why error) (map[string]error, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	has := make(map[string]bool)
	for _, c := range capabilities {
		has[c.name] = !slices.ContainsFunc(o.Lacks, func(l Lack) bool { return l.Name == c.name })
	}
	broken := make(map[string]error)
	for _, name := range names {
		if has[name] {
			broken[name] = why
		}
	}
	if len(broken) > 0 {
		return broken, nil
	}
	for name, ok := range has {
		if ok {
			broken[name] = why
		}
	}
	if len(broken) == 0 {
		return nil, why
	}
	return broken, nil
}

// changers returns the capabilities that have changed files which the output of a failed build
// names.
func (o *Overlay) changers(output []byte) []string {
	var names []string
	for from, to := range o.Replace {
		if bytes.Contains(output, []byte(to+":")) || bytes.Contains(output, []byte(from+":")) ||
			bytes.Contains(output, []byte(filepath.Base(to)+":")) {
			names = append(names, o.patched[to]...)
		}
	}
	return names
}

// buildSelfTest builds the program, and returns the output of the go command.
func (o *Overlay) buildSelfTest(ctx context.Context, tc Toolchain, dir string) (exe string, output []byte, err error) {
	b, err := json.Marshal(map[string]any{"Replace": o.Replace})
	if err != nil {
		return "", nil, err
	}
	for name, content := range map[string][]byte{"overlay.json": b, "main.go": selfTestProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return "", nil, err
		}
	}
	cmd := tc.command(ctx, "build", "-overlay", "overlay.json", "-o", "selftest", "main.go")
	cmd.Dir = dir
	cmd.Env = append(slices.Clone(gocommand.EnvIn(dir, cmd.Env)), "GOFLAGS=", "GOWORK=off")
	output, err = cmd.CombinedOutput()
	return filepath.Join(dir, "selftest"), output, err
}

// runSelfTest returns the records of each part of the program, and the name of the last part.
func runSelfTest(ctx context.Context, exe, dir string, memory bool) (parts map[string][]seenRecord, last string,
	err error) {
	r, err := ring.Create(dir, ring.Options{Operations: true, Accesses: memory})
	if err != nil {
		return nil, "", &chanceError{err}
	}
	defer r.Close()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = []string{r.Env()}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return nil, "", &chanceError{err}
	}
	exited := make(chan struct{})
	var runErr error
	go func() { runErr = cmd.Wait(); close(exited) }()
	parts = make(map[string][]seenRecord)
	last = goroutines.name // the first part
	err = r.Consume(exited, func(rec *ring.Record) bool {
		if rec.Kind == ring.KindStmt {
			last = string(bytes.TrimRight(rec.Payload, "\x00"))
		} else {
			parts[last] = append(parts[last], seenRecordOf(rec))
		}
		return true
	})
	<-exited
	if ctx.Err() != nil {
		return nil, last, fmt.Errorf("running: %w", withOutput(ctx.Err(), out.Bytes()))
	}
	if err = errors.Join(err, runErr); err != nil {
		err = fmt.Errorf("running: %w", withOutput(err, out.Bytes()))
		if wasKilled(runErr) {
			err = &chanceError{err}
		}
		return nil, last, err
	}
	if n := r.Stats().Missing(); n > 0 {
		return nil, last, &chanceError{fmt.Errorf("running: %d records were lost", n)}
	}
	return parts, last, nil
}
