//go:build linux && (amd64 || arm64)

package goroot

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// The standard library's own tests pass with the overlay: untraced, and traced with
// every record read.
func TestStandardLibrary(t *testing.T) {
	list := os.Getenv(longEnv)
	if list == "" {
		t.Skipf("takes minutes; set %s=1", longEnv)
	}
	packages := strings.Fields("sync sync/atomic internal/sync context time iter internal/poll os/signal " +
		"testing/synctest reflect net/http encoding/json")
	if list != "1" {
		packages = strings.Fields(list)
	}
	json, err := overlay()
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range packages {
		t.Run(pkg, func(t *testing.T) {
			exe := filepath.Join(t.TempDir(), "std.test")
			if out, err := exec.Command("go", "test", "-c", "-overlay", json, "-o", exe,
				pkg).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			command := func() *exec.Cmd {
				cmd := exec.Command(exe, "-test.short", "-test.timeout=5m")
				cmd.Dir = filepath.Join(goroot(), "src", filepath.FromSlash(pkg))
				return cmd
			}
			if out, err := command().CombinedOutput(); err != nil {
				t.Errorf("untraced: %v\n%s", err, out)
			}
			r := trace(t, ring.Options{}, func(*ring.Record) {}, command())
			r.ok(t)
			t.Logf("%d records in %v", r.stats.Records, r.took.Round(time.Millisecond))
		})
	}
}
