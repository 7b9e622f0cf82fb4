//go:build unix

package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tlcheck/report"
)

func TestParseDump(t *testing.T) {
	const dump = `goroutine 1 [running]:
main.main()
	/tmp/main.go:15 +0x9d

goroutine 19 gp=0x1 m=nil [sync.Mutex.Lock (leaked), 2 minutes]:
sync.(*Mutex).Lock(...)
	/usr/local/go/src/sync/mutex.go:46
main.(*T).f(0x13aa12f88020, {0x0, 0x1})
	/tmp/made.go:38 +0x25
main.Made.func2()
	/tmp/made.go:58 +0x25
created by main.Made in goroutine 1
	/tmp/made.go:57 +0x8b

goroutine 20 [chan send]:
main.put(...)
	/tmp/made.go:3
created by main.Made in goroutine 1
	/tmp/made.go:57 +0x8b
`
	frame := func(function, at string) report.FrameObject { return report.FrameObject{Function: function, At: at} }
	want := []report.PartyObject{
		{Task: "19", Function: "main.Made.func2", PlacedObject: report.PlacedObject{Op: "lock", Stack: []report.FrameObject{
			frame("sync.(*Mutex).Lock", "/usr/local/go/src/sync/mutex.go:46"),
			frame("main.(*T).f", "/tmp/made.go:38"), frame("main.Made.func2", "/tmp/made.go:58"),
		}}},
		{Task: "20", Function: "main.put", PlacedObject: report.PlacedObject{Op: "send", Stack: []report.FrameObject{
			frame("main.put", "/tmp/made.go:3"),
		}}},
	}
	got, leaked := parseDump(dump)
	if !leaked {
		t.Error("no goroutine is leaked")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got, leaked := parseDump("panic: no profile\n"); len(got) != 0 || leaked {
		t.Errorf("of no dump: %v, %t", got, leaked)
	}
}
