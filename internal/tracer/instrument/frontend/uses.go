package frontend

// The names of capabilities of tracing (package goroot) that a program may or may not rest on.
const (
	Channels       = "channels"
	JointTransfers = "joint transfers"
	ChannelWaits   = "channel waits"
	Atomics        = "atomics"
	Mutexes        = "Mutex"
	RWMutexes      = "RWMutex"
	WaitGroups     = "WaitGroup"
	Onces          = "Once"
	Conditions     = "Cond"
	Pools          = "Pool"
	Timers         = "timers"
	Descriptors    = "descriptors"
	Connections    = "connections"
	InnerOrder     = "inner order"

	Bubbles    = "bubbles"
	Coroutines = "coroutines"
	Cleanups   = "cleanups"
	Threads    = "C threads"
	Signals    = "signals"
)

// anything are the capabilities that a package of the standard library may rest on if it is not
// listed.
var anything = []string{
	Channels, JointTransfers, ChannelWaits, Atomics, Mutexes, RWMutexes, WaitGroups, Onces, Conditions, Pools, Timers,
	Descriptors, Connections, InnerOrder, Cleanups,
}

// particular are capabilities that only packages rest on that name them.
var particular = []string{Bubbles, Coroutines, Threads, Signals}

// standardUse maps the names of a package of the standard library to the capabilities that their
// use may rest on; "*" is for all other names. Packages that are not listed may rest on anything.
// Harmless ones do not synchronise goroutines, or always do so in a recorded way.
var standardUse = map[string]map[string][]string{
	"bytes":  {"*": nil},
	"cmp":    {"*": nil},
	"errors": {"*": nil},
	"fmt": {"*": {Pools}, "Scan": {Pools, InnerOrder, Descriptors}, "Scanf": {Pools, InnerOrder, Descriptors},
		"Scanln": {Pools, InnerOrder, Descriptors}, "Errorf": nil},
	"iter":         {"*": nil, "Pull": {Coroutines}, "Pull2": {Coroutines}},
	"maps":         {"*": nil},
	"math":         {"*": nil},
	"math/bits":    {"*": nil},
	"slices":       {"*": nil},
	"sort":         {"*": nil},
	"strconv":      {"*": nil},
	"strings":      {"*": nil, "NewReplacer": {Atomics, Onces}},
	"unicode":      {"*": nil},
	"unicode/utf8": {"*": nil},
	"unsafe":       {"*": nil},

	"os":        {"*": anything, "Args": nil, "Exit": nil},
	"os/signal": {"*": append([]string{Signals}, anything...)},
	"runtime": {
		"*": anything, "Gosched": nil, "Goexit": nil,
	},
	"testing/synctest": {"*": append([]string{Bubbles}, anything...)},
	"sync/atomic":      {"*": {Atomics}},
	"sync": {
		"*":     {Atomics, Mutexes, Onces},
		"Mutex": {Mutexes}, "RWMutex": {RWMutexes, Mutexes}, "Locker": {Mutexes, RWMutexes}, "WaitGroup": {WaitGroups},
		"Pool": {Pools},
		"Cond": {Conditions}, "NewCond": {Conditions}, "Once": {Onces}, "OnceFunc": {Onces}, "OnceValue": {Onces},
		"OnceValues": {Onces},
	},
	"time": {
		"*":     anything,
		"Sleep": nil, "Duration": nil, "Nanosecond": nil, "Microsecond": nil, "Millisecond": nil,
		"Second": nil, "Minute": nil, "Hour": nil,
		"AfterFunc": {Timers},
	},
}
