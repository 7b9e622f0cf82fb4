package gotrace

import (
	"strings"

	"golang.org/x/exp/trace"
)

// waits are the reasons for which a goroutine waits by its own operations. For others the runtime
// makes it wait, anywhere.
var waits = map[string]bool{
	"chan send": true, "chan receive": true, "select": true, "forever": true, "sync": true, "sync.(*Cond).Wait": true,
	"sleep": true, "network": true, "synctest": true,
}

// waitsIn maps functions of the runtime in the stack of a waiting goroutine to the reason for
// waiting. It serves goroutines that were waiting when the trace began.
var waitsIn = map[string]string{
	"runtime.chansend": "chan send", "runtime.chanrecv": "chan receive", "runtime.selectgo": "select",
	"runtime.block":        "forever",
	"runtime.netpollblock": "network", "time.Sleep": "sleep", "sync.runtime_notifyListWait": "sync.(*Cond).Wait",
}

// maxInside bounds the frames of the runtime on top of a waiting stack.
const maxInside = 5

// waiting returns why a goroutine waits by its own operations, "" if it does not.
func waiting(g *goroutine) string {
	switch {
	case g.state != trace.GoWaiting:
		return ""
	case waits[g.reason]:
		return g.reason
	case g.reason != "":
		return ""
	}
	for _, f := range g.waits[:min(len(g.waits), maxInside)] {
		if why := waitsIn[f.Func]; why != "" {
			return why
		}
		if strings.HasPrefix(f.Func, "sync.runtime_Semacquire") ||
			strings.HasPrefix(f.Func, "internal/sync.runtime_Semacquire") {
			return "sync"
		}
	}
	return ""
}
