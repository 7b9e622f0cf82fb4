package frontend

// The kinds of order that the two-file overlay does not record.
const (
	missingAtomics   = "atomic operations (and what is built on them: Once, sync.Map, context)"
	missingCond      = "sync.Cond"
	missingJoint     = "unbuffered transfers as one joint action"
	missingAfterFunc = "functions started by time.AfterFunc"
	missingFiles     = "uses of a closed file or connection, and the two ends of a connection"
)

// MissingMinimal names what the two-file overlay does not record.
var MissingMinimal = []string{missingAtomics, missingCond, missingJoint, missingAfterFunc, missingFiles}

// standardUse says which kinds the use of a package of the standard library may involve:
// those of the name used, or else those of "*". Packages that are not here may involve all.
// What is harmless synchronises goroutines in no way, or in one that the two-file overlay
// records.
var standardUse = map[string]map[string][]string{
	"bytes":        {"*": nil},
	"cmp":          {"*": nil},
	"errors":       {"*": nil},
	"fmt":          {"*": nil},
	"maps":         {"*": nil},
	"math":         {"*": nil},
	"math/bits":    {"*": nil},
	"slices":       {"*": nil},
	"sort":         {"*": nil},
	"strconv":      {"*": nil},
	"strings":      {"*": nil, "NewReplacer": {missingAtomics}},
	"unicode":      {"*": nil},
	"unicode/utf8": {"*": nil},

	"os":          {"*": MissingMinimal, "Args": nil, "Exit": nil},
	"runtime":     {"*": MissingMinimal, "Gosched": nil, "Goexit": nil},
	"sync/atomic": {"*": {missingAtomics}},
	"sync": {
		"*":     {missingAtomics},
		"Mutex": nil, "RWMutex": nil, "Locker": nil, "WaitGroup": nil, "Pool": nil,
		"Cond": {missingCond}, "NewCond": {missingCond},
	},
	"time": {
		"*":     MissingMinimal,
		"Sleep": nil, "Duration": nil, "Nanosecond": nil, "Microsecond": nil, "Millisecond": nil,
		"Second": nil, "Minute": nil, "Hour": nil,
		"AfterFunc": {missingAfterFunc},
	},
}
