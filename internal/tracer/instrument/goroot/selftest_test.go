//go:build linux && (amd64 || arm64)

package goroot

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestPrepare(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	t.Parallel()
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	o, err := Prepare(context.Background(), Toolchain{}, Options{}, dir, cache)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Lacks) > 0 {
		t.Fatalf("not the full overlay: it lacks %v", o.Lacks)
	}
	marks, err := os.ReadDir(cache)
	if err != nil || len(marks) != 1 {
		t.Fatalf("cache: %v, %v", marks, err)
	}
	// Nothing can be built now, so nothing is.
	again, err := Prepare(context.Background(), Toolchain{Env: append(os.Environ(), "GOCACHE=off")}, Options{}, dir,
		cache)
	if err != nil || again.Hash != o.Hash || len(again.Lacks) > 0 {
		t.Fatalf("the second time: %v, %v", err, again)
	}
}

// The other architecture is only compiled and linked: the linker finds hooks that
// need too much stack, and atomic functions that the compiler does not replace, which
// would call themselves.
func TestOtherArchitecture(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	t.Parallel()
	arch := map[string]string{"amd64": "arm64", "arm64": "amd64"}[runtime.GOARCH]
	tc := Toolchain{Env: append(os.Environ(), "GOARCH="+arch, "CGO_ENABLED=0")}
	o, err := Prepare(context.Background(), tc, Options{}, t.TempDir(), t.TempDir())
	if err != nil || len(o.Lacks) > 0 {
		t.Fatal(err, o)
	}
}

func TestUnsupportedPlatform(t *testing.T) {
	tc := Toolchain{Env: append(os.Environ(), "GOOS=windows")}
	if _, err := Prepare(context.Background(), tc, Options{}, t.TempDir(), t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "windows") {
		t.Errorf("got %v", err)
	}
}
