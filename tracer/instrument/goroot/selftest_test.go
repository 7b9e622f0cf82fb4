//go:build linux && (amd64 || arm64)

package goroot

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/ring"
)

func TestPrepare(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	o, err := Prepare(context.Background(), Toolchain{}, Options{}, dir, cache)
	if err != nil {
		t.Fatal(err)
	}
	if o.Why != nil || len(o.Missing) > 0 {
		t.Fatalf("not the full overlay: %v, missing %q", o.Why, o.Missing)
	}
	marks, err := os.ReadDir(cache)
	if err != nil || len(marks) != 1 {
		t.Fatalf("cache: %v, %v", marks, err)
	}
	// Nothing can be built now, so nothing is.
	again, err := Prepare(context.Background(), Toolchain{Env: append(os.Environ(), "GOCACHE=off")}, Options{}, dir, cache)
	if err != nil || again.Hash != o.Hash || again.Why != nil {
		t.Fatalf("the second time: %v, %v", err, again)
	}
}

func TestMinimalSelfTest(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	ctx := context.Background()
	info, err := Toolchain{}.info(ctx)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Write(t.TempDir(), info.GOROOT, Options{Minimal: true})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if missing, err := o.selfTest(ctx, Toolchain{}, info, dir); err != nil || len(missing) > 0 {
		t.Errorf("missing %q, %v", missing, err)
	}
	// It knows, and says, that it tells no operations, and steers nothing.
	exe, err := o.buildSelfTest(ctx, Toolchain{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	r := trace(t, ring.Options{Operations: true, Seed: 1}, func(r *ring.Record) {
		if r.Kind >= ring.KindBlock && r.Kind != ring.KindFree {
			t.Errorf("record %+v", r)
		}
	}, exec.Command(exe))
	r.ok(t)
	if r.id.Operations {
		t.Error("the two-file overlay says that it tells operations")
	}
}

// What does not work is said: kinds that do not arrive, a program that does not build.
func TestSelfTestFails(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	ctx := context.Background()
	info, err := Toolchain{}.info(ctx)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Write(t.TempDir(), info.GOROOT, Options{Minimal: true})
	if err != nil {
		t.Fatal(err)
	}
	o.Missing = nil // as if it were the full one
	missing, err := o.selfTest(ctx, Toolchain{}, info, t.TempDir())
	if all := strings.Join(missing, " "); err != nil || !strings.Contains(all, "handoff") || !strings.Contains(all, "atomicrmw") {
		t.Errorf("missing %q, %v", missing, err)
	}
	for name, file := range o.Replace {
		if filepath.Base(name) == "race0.go" {
			if err := os.WriteFile(file, []byte("package runtime\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := o.selfTest(ctx, Toolchain{}, info, t.TempDir()); err == nil || !strings.Contains(err.Error(), "building") {
		t.Errorf("a broken overlay: %v", err)
	}
}

// The other architecture is only compiled and linked: the linker finds hooks that
// need too much stack, and atomic functions that the compiler does not replace, which
// would call themselves.
func TestOtherArchitecture(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	arch := map[string]string{"amd64": "arm64", "arm64": "amd64"}[runtime.GOARCH]
	tc := Toolchain{Env: append(os.Environ(), "GOARCH="+arch, "CGO_ENABLED=0")}
	o, err := Prepare(context.Background(), tc, Options{}, t.TempDir(), t.TempDir())
	if err != nil || o.Why != nil {
		t.Fatal(err, o)
	}
}

func TestUnsupportedPlatform(t *testing.T) {
	tc := Toolchain{Env: append(os.Environ(), "GOOS=windows")}
	if _, err := Prepare(context.Background(), tc, Options{}, t.TempDir(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "windows") {
		t.Errorf("got %v", err)
	}
}
