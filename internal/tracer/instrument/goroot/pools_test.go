//go:build linux && (amd64 || arm64)

package goroot

import (
	"os/exec"
	"strconv"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// Put and Get of an object that leads to nothing that synchronises are recorded unless a new object
// may take its place. All others are recorded.
func TestPools(t *testing.T) {
	exe := program(t, "pools")
	for _, tt := range []struct {
		objects string
		isNew   bool
		wanted  bool
	}{
		{"exchangeable", false, true},
		{"exchangeable", true, false},
		{"others", false, true},
		{"others", true, true},
	} {
		put, got := 0, 0
		run := trace(t, ring.Options{Operations: true, NewFromPools: tt.isNew}, func(r *ring.Record) {
			switch r.Op() {
			case ring.OpPut:
				put++
			case ring.OpGet:
				got++
			}
		}, exec.Command(exe, tt.objects))
		run.ok(t)
		want, err := strconv.Atoi(run.stdout)
		if err != nil || want == 0 {
			t.Fatalf("%s: %q", tt.objects, run.stdout)
		}
		if !tt.wanted {
			want = 0
		}
		if put != want || got != want {
			t.Errorf("%s, new from pools %t: %d times Put, %d times Get, want %d", tt.objects, tt.isNew, put, got, want)
		}
	}
}
