package goroot

import (
	"fmt"
	"regexp"
	"strings"
)

// patch replaces text in one file of the standard library. It applies only if old
// occurs exactly count times: a file that has changed is not guessed at.
type patch struct {
	name   string // for error messages; unique
	file   string // below GOROOT/src
	reason string
	old    string
	new    string
	count  int // 0 stands for 1
}

// patches are all patches, applied in this order.
var patches = [][]patch{runtimePatches, chanPatches, syncPatches, ioPatches, steerPatches, memoryPatches}

// apply returns src with the patch applied.
func (p *patch) apply(src string) (string, error) {
	want := max(p.count, 1)
	if got := strings.Count(src, p.old); got != want {
		return "", fmt.Errorf("patch %s: %s has %d places to change, not %d", p.name, p.file, got, want)
	}
	return strings.ReplaceAll(src, p.old, p.new), nil
}

// disable replaces a constant in a whole file, where raceenabled (or race.Enabled) switches on
// something that only a race detector needs: by false, or if it tells of memory accesses by the
// constant that says whether those are wanted (Options.Memory).
type disable struct {
	file     string // below GOROOT/src
	constant string
	reason   string
}

func (d *disable) apply(src string) (string, error) {
	re := regexp.MustCompile(`\b` + regexp.QuoteMeta(d.constant) + `\b`)
	if !re.MatchString(src) {
		return "", fmt.Errorf("patch disable %s: %s does not mention it", d.constant, d.file)
	}
	by := "false"
	if d.reason == reportsMemory {
		by = map[string]string{runtimeEnabled: "antichainMemory", raceEnabled: "race.Memory"}[d.constant]
	}
	src = re.ReplaceAllString(src, by)
	if d.constant == raceEnabled && !strings.Contains(src, "race.") {
		src = strings.Replace(src, "\t\"internal/race\"\n", "", 1)
	}
	return src, nil
}

const (
	runtimeEnabled = "raceenabled"
	raceEnabled    = "race.Enabled"

	reportsMemory = "reports memory accesses"
)

// disables are applied before patches.
var disables = []disable{
	{"runtime/malloc.go", runtimeEnabled, "a shadow memory wants the heap at fixed addresses and no packing of small objects; we have none, and tracing should not change where objects lie"},
	{"runtime/malloc_generated.go", runtimeEnabled, "as in malloc.go"},
	{"runtime/arena.go", runtimeEnabled, "tells a race detector about memory"},
	{"runtime/mgcsweep.go", runtimeEnabled, "walks freed objects to tell a race detector about them"},
	{"runtime/stack.go", runtimeEnabled, "tells a race detector about stacks"},
	{"runtime/mbarrier.go", runtimeEnabled, reportsMemory},
	{"runtime/string.go", runtimeEnabled, reportsMemory},
	{"runtime/slice.go", runtimeEnabled, reportsMemory},
	{"runtime/iface.go", runtimeEnabled, reportsMemory},
	{"runtime/map.go", runtimeEnabled, reportsMemory},
	{"runtime/linkname_shim.go", runtimeEnabled, reportsMemory},
	{"runtime/panic.go", runtimeEnabled, reportsMemory},
	{"runtime/mprof.go", runtimeEnabled, "a fiction that orders profile labels"},
	{"runtime/profbuf.go", runtimeEnabled, "a fiction that orders profile labels"},
	{"runtime/proflabel.go", runtimeEnabled, "a fiction that orders profile labels"},
	{"runtime/metrics.go", runtimeEnabled, "a lock inside the runtime; would order readers of metrics that have nothing to do with each other"},
	{"runtime/runtime.go", runtimeEnabled, "internal synchronisation of GODEBUG counters"},
	{"runtime/trace.go", runtimeEnabled, "internal synchronisation of the execution tracer"},
	{"runtime/type.go", runtimeEnabled, "a lock inside the runtime; would order users of reflection that have nothing to do with each other"},
	{"internal/runtime/maps/runtime.go", raceEnabled, reportsMemory},
	{"internal/runtime/maps/runtime_fast32.go", raceEnabled, reportsMemory},
	{"internal/runtime/maps/runtime_fast64.go", raceEnabled, reportsMemory},
	{"internal/runtime/maps/runtime_faststr.go", raceEnabled, reportsMemory},
	{"reflect/map.go", raceEnabled, reportsMemory},
	{"syscall/syscall_unix.go", raceEnabled, "one object that every read and write of the process synchronises on; would order all I/O"},
}
