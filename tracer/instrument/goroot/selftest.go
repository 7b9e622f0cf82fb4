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
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/tracer/ring"
)

//go:embed testdata/selftest/main.go
var selfTestProgram []byte

// Toolchain is the go command that programs are built with.
type Toolchain struct {
	Go  string   // the command; "" is "go"
	Env []string // its environment; nil is that of this process
}

// Prepare writes the overlay for the toolchain's standard library into dir and tests
// it by building and running a small program, unless cacheDir says that this was done
// for the same toolchain and the same overlay; without a cacheDir that can be written to
// it is done every time. If the full overlay fails, it falls
// back to the small one, with the reason in Overlay.Why.
func Prepare(ctx context.Context, tc Toolchain, opt Options, dir, cacheDir string) (*Overlay, error) {
	info, err := tc.info(ctx)
	if err != nil {
		return nil, err
	}
	var why error
	for _, opt := range []Options{opt, {Minimal: true}} {
		o, err := Write(filepath.Join(dir, info.key()), info.GOROOT, opt)
		if err != nil {
			return nil, fmt.Errorf("tracing does not support %s: %w", info.GOVERSION, err)
		}
		if o.Why != nil {
			why = o.Why
		}
		missing, err := o.selfTest(ctx, tc, info, cacheDir)
		if err == nil && (len(missing) == 0 || opt.Minimal) {
			o.Why = why
			return o, nil
		}
		if err == nil {
			err = fmt.Errorf("records of kind %s did not arrive", strings.Join(missing, ", "))
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		why = errors.Join(why, fmt.Errorf("self test: %w", err))
	}
	return nil, fmt.Errorf("tracing does not work with %s: %w", info.GOVERSION, why)
}

// goInfo is what decides about the overlay, as the go command reports it.
type goInfo struct{ GOROOT, GOVERSION, GOOS, GOARCH, GOHOSTARCH, GOEXPERIMENT, CGO_ENABLED string }

func (tc Toolchain) command(ctx context.Context, args ...string) *exec.Cmd {
	name := tc.Go
	if name == "" {
		name = "go"
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = tc.Env
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	return cmd
}

func (tc Toolchain) info(ctx context.Context) (goInfo, error) {
	var info goInfo
	out, err := tc.command(ctx, "env", "-json", "GOROOT", "GOVERSION", "GOOS", "GOARCH", "GOHOSTARCH", "GOEXPERIMENT", "CGO_ENABLED").Output()
	if err != nil {
		return info, fmt.Errorf("go env: %w", err)
	}
	if err := json.Unmarshal(out, &info); err != nil {
		return info, fmt.Errorf("go env: %w", err)
	}
	if info.GOOS != "linux" || info.GOARCH != "amd64" && info.GOARCH != "arm64" {
		return info, fmt.Errorf("tracing is not supported for %s/%s, only for linux/amd64 and linux/arm64; traces made there can be checked anywhere", info.GOOS, info.GOARCH)
	}
	return info, nil
}

func (i goInfo) key() string {
	sum := sha256.Sum256(fmt.Append(nil, i))
	return hex.EncodeToString(sum[:8])
}

// expected are the kinds that the self test program must cause.
func (o *Overlay) expected() []ring.Kind {
	kinds := []ring.Kind{ring.KindGo, ring.KindEnd, ring.KindAcquire, ring.KindRelease, ring.KindReleaseMerge, ring.KindStmt}
	if len(o.Missing) == 0 {
		kinds = append(kinds, ring.KindMakeChan, ring.KindSend, ring.KindRecv, ring.KindHandoff, ring.KindClose,
			ring.KindRecvClosed, ring.KindMark, ring.KindAtomicLoad, ring.KindAtomicStore, ring.KindAtomicRMW,
			ring.KindCtxStart, ring.KindTimerArm, ring.KindBlock, ring.KindSelect, ring.KindStarted, ring.KindLeft)
	}
	return kinds
}

// selfTest returns the kinds of records that did not arrive. Successes are cached.
func (o *Overlay) selfTest(ctx context.Context, tc Toolchain, info goInfo, cacheDir string) (missing []string, err error) {
	mark := filepath.Join(cacheDir, "selftest-"+info.key()+"-"+o.Hash[:16])
	if _, err := os.Stat(mark); err == nil && cacheDir != "" {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "antichain-selftest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	exe, err := o.buildSelfTest(ctx, tc, dir)
	if err != nil {
		return nil, err
	}
	if info.GOARCH == info.GOHOSTARCH { // else it can only be built here
		seen, err := runSelfTest(ctx, exe, dir)
		if err != nil {
			return nil, err
		}
		for _, k := range o.expected() {
			if !seen[k] {
				missing = append(missing, k.String())
			}
		}
		if len(missing) > 0 {
			return missing, nil
		}
	}
	if cacheDir != "" && os.MkdirAll(cacheDir, 0o700) == nil {
		// Without the mark the test only runs again.
		_ = os.WriteFile(mark, fmt.Appendf(nil, "%s passed\n", info.GOVERSION), 0o600)
	}
	return nil, nil
}

func (o *Overlay) buildSelfTest(ctx context.Context, tc Toolchain, dir string) (exe string, err error) {
	b, err := json.Marshal(map[string]any{"Replace": o.Replace})
	if err != nil {
		return "", err
	}
	for name, content := range map[string][]byte{"overlay.json": b, "main.go": selfTestProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return "", err
		}
	}
	cmd := tc.command(ctx, "build", "-overlay", "overlay.json", "-o", "selftest", "main.go")
	cmd.Dir = dir
	cmd.Env = append(slices.Clone(cmd.Env), "GOFLAGS=", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building: %w\n%s", err, bytes.TrimSpace(out))
	}
	return filepath.Join(dir, "selftest"), nil
}

// runSelfTest returns the kinds that arrived.
func runSelfTest(ctx context.Context, exe, dir string) (map[ring.Kind]bool, error) {
	r, err := ring.Create(dir, ring.Options{Operations: true})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = []string{r.Env()}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	exited := make(chan struct{})
	var runErr error
	go func() { runErr = cmd.Wait(); close(exited) }()
	seen := make(map[ring.Kind]bool)
	err = r.Consume(exited, func(rec *ring.Record) bool { seen[rec.Kind] = true; return true })
	<-exited
	if err = errors.Join(err, runErr); err != nil {
		return nil, fmt.Errorf("running: %w\n%s", err, bytes.TrimSpace(out.Bytes()))
	}
	if n := r.Stats().Missing(); n > 0 {
		return nil, fmt.Errorf("running: %d records were lost", n)
	}
	return seen, nil
}
