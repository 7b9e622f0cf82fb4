package launch

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/internal/tracer/strategy"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// Config describes a run.
type Config struct {
	Binary string   // path of the traced executable
	Args   []string // its arguments, without its name
	Env    []string // its environment; nil is this process's
	Dir    string   // its working directory; "" is this process's

	Stdin, Stdout, Stderr *os.File // nil is this process's

	Table *site.Table // meaning of the executable's sites for the specification
	Full  bool        // every operation of the program is an event, not only the sites of Table
	Root  string      // directory that positions are written relative to; usually the module's

	// Sparse leaves out goroutines that Table says nothing about; see process.Options.
	Sparse bool

	// Watch receives the operations of the run, one at a time. While the program runs that is on
	// the goroutine that calls Event, in the same order. Afterwards Watch and Event are called
	// concurrently. Watch has received everything when Wait returns. With Watch the program records
	// more about its operations; Result.Program.Operations says whether it could.
	Watch op.Watcher

	// Enough reports whether Watch needs no more operations, and EnoughEvents whether Event needs
	// no more events; nil means never. When neither is needed, the remaining records are not read,
	// and a program that still runs continues untraced. This requires that there is no Judge.
	Enough, EnoughEvents func() bool

	// MayWait bounds how long the program may wait for room for its records: this many times as
	// long as it has run without waiting, and at least a second. Then it continues untraced, and
	// Watch receives what it has done until then; see Result.LetGo. This requires that there is no
	// Event. 0 means no bound.
	MayWait int

	// Linger bounds how long the main goroutine, before it ends the program, waits for goroutines
	// that can still run. Their operations then belong to the run. It applies only if operations
	// are watched.
	Linger time.Duration

	// Accesses makes the program report conflicting accesses to memory too, if it was built for
	// that (instrument.Config.Memory); Result.Program.Accesses says whether it could.
	Accesses bool

	// Loads has Watch receive loads of atomic variables that teach their goroutines nothing, too.
	// Otherwise most of those are left out where there is neither an Event nor a Judge, whose order
	// may depend on them. The order of all other operations is the same.
	Loads bool

	// Hidden says for the trace why some accesses to memory are not recorded; "" if all are.
	Hidden string

	// Record puts the operations that Watch receives into the trace as well, if the program reports
	// them. Behind is that of process.Options.
	Record bool
	Behind func(at string, cases int) *event.Behind

	// Header receives the header of the trace, then Event, unless it is nil, each event, both on
	// one goroutine. With Judge the header comes at the latest when function main begins, if
	// operations are watched, else with the first event. An event is valid until Event returns.
	// After an error the program continues untraced, and Wait returns the error.
	Header func(*event.Header) error
	Event  func(*event.Event) error

	// Judge, unless it is nil, sets the pace of the program. It is called on the same goroutine
	// after every few events; idle says that nothing has come since the last call. The program
	// waits for it at the sites of its specification, or when it is too far ahead. After an error
	// the program continues untraced. Judge implies Prompt. It may be called before Start or Attach
	// has returned the run.
	Judge func(r *Run, idle bool) error

	// Between, unless it is nil, is called on the same goroutine now and then while the program
	// runs, also if nothing comes. It must not wait.
	Between func(r *Run)

	// Quit, unless it is nil, is called at a SIGQUIT, which the program does not get then. It must
	// not wait.
	Quit func()

	// Where, unless it is nil, writes where the goroutines of the program stand, and closes what it
	// has written to. It must not wait. See control.Where.
	Where func(io.WriteCloser)

	// Exact makes the program wait for Judge after every record, as far as it can. It is for
	// interactive stepping.
	Exact bool

	// Prompt delivers events as soon as they come. Without it the program has priority if there are
	// too few processors for both, and events wait while it is busy.
	Prompt bool

	// Control makes the program listen for Run.Control.
	Control bool

	// Schedule, if it is not nil, is kept by the program; see ring.Schedule.
	Schedule *ring.Schedule

	// Seed, if it is not 0, steers the schedule of the program, which Strategy draws.
	Seed     uint64
	Strategy strategy.Strategy

	// Early bounds how many deadlines pass early then, without those of WithoutEarly; see
	// ring.Options.
	Early        int
	WithoutEarly uint32

	// Yields, if it is not 0, decides where goroutines let others go first; see ring.Options.
	Yields uint64

	Program, Host, RunID, StartTime string // for the header

	Ring ring.Options
}

// Result says how a run ended.
type Result struct {
	// ExitCode is the program's, or 128+n if signal n ended it. It is -1 if it is unknown: the
	// program may not be our child, or may still run (Attach).
	ExitCode int
	Signal   syscall.Signal // that ended it; 0 if it exited

	// Broken says that the program was killed from outside or has crashed. It is false if ExitCode
	// is unknown, or if the program still runs.
	Broken bool

	// Crashed says that a panic which nothing recovered, or a fatal error, ended the program or
	// came while main waited for others before it ended the program.
	Crashed bool

	Complete bool // every record has been read; if not, no verdict can be given

	// LetGo says that the program had waited for too long (Config.MayWait). Its actions after
	// LetGoAt are unknown.
	LetGo   bool
	LetGoAt time.Duration // since it was started

	// lower bound of the records that the trace lacks; if any, no verdict can be given
	Missing uint64
	Why     string // the cause of the first of them, if known

	Ring    ring.Stats
	Kept    ring.Progress // of Config.Schedule
	Process process.Stats
	Program ring.Identity // what the program reported about itself
}

// ErrNotTraced is wrapped in Wait's error if the program did not attach to the ring.
var ErrNotTraced = errors.New("the program did not report anything: it was not built for tracing, or it runs where " +
	"memory cannot be shared with it")
