package launch

import (
	"errors"
	"os"
	"syscall"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
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

	Table *site.Table // what the sites of the executable mean for the specification
	Full  bool        // every operation of the program is an event, not only what Table says
	Root  string      // directory that positions are written relative to; usually the module's

	// Sparse leaves out goroutines that Table says nothing about; see process.Options.
	Sparse bool

	// Watch is told the operations of the run, one after the other: on the goroutine that calls Event and
	// in the same order while the program runs, and after that at the same time as Event is called. It
	// has been told all when Wait returns. The program then tells more about what it does;
	// Result.Program.Operations says whether it could.
	Watch op.Watcher

	// Enough reports whether Watch need be told no more, which saves what this takes, and EnoughEvents whether Event need not; nil is
	// never. When neither need, what the program has left is not read, and one that still runs goes on untraced. That takes that there
	// is no Judge.
	Enough, EnoughEvents func() bool

	// MayWait is how many times as long as the program runs by itself it may wait for room for its records, and a second at least. Then it
	// goes on untraced, and Watch is told what it has done until then: see Result.LetGo. It takes that there is no Event. 0: it waits as
	// long as it takes.
	MayWait int

	// Linger is how long the program's main goroutine, before it ends the program, waits at most for goroutines that can still go on
	// by themselves, if operations are watched. What they do then happens in the run.
	Linger time.Duration

	// Accesses has the program tell conflicting accesses to memory too, if it was built for that
	// (instrument.Config.Memory); Result.Program.Accesses says whether it could.
	Accesses bool

	// Hidden is why not all accesses to memory are recorded, for the trace; "" if they are.
	Hidden string

	// Record puts the operations that Watch is told into the trace as well, if the program tells them. Behind is as of
	// process.Options.
	Record bool
	Behind func(at string, cases int) *event.Behind

	// Header receives the header of the trace, then Event each event, unless it is nil, both on one
	// goroutine. With Judge the header comes at the latest when function main begins, if operations are
	// watched; else with the first event. An event is valid until Event returns. After an error the program goes
	// on untraced, and Wait returns the error.
	Header func(*event.Header) error
	Event  func(*event.Event) error

	// Judge, if it is there, makes the program keep to the pace of this function, which is
	// called on the same goroutine behind every few events. With idle nothing has come since
	// the last call. The program waits for it where its specification is concerned, or when
	// it is too far ahead. After an error the program goes on untraced. Judge implies Prompt.
	// It may be called before Start or Attach have returned the run.
	Judge func(r *Run, idle bool) error

	// Exact makes the program wait for Judge behind every record, as far as it can: it is meant for a person who
	// goes through it step by step.
	Exact bool

	// Prompt delivers events as soon as they come. Without it the program goes first where
	// there are not processors enough for both, and events wait for as long as it is busy.
	Prompt bool

	// Control makes the program listen for Run.Control.
	Control bool

	// Schedule, if it is not nil, is kept by the program; see ring.Schedule.
	Schedule *ring.Schedule

	// Seed, if it is not 0, steers the schedule of the program; see ring.Options.
	Seed uint64

	// Yields, if it is not 0, decides where goroutines let others go first; see ring.Options.
	Yields uint64

	Program, Host, RunID, StartTime string // for the header

	Ring ring.Options
}

// Result says how a run ended.
type Result struct {
	// ExitCode is the program's, or 128+n if signal n ended it. It is -1 if it is not known:
	// the program may not be our child, or still run (Attach).
	ExitCode int
	Signal   syscall.Signal // that ended it; 0 if it exited

	// Broken says that the program has ended in the middle: others have killed it, or it has crashed. It is not
	// known, and false, if ExitCode is, and if the program still runs.
	Broken bool

	Complete bool // every record has been read; if not, no verdict can be given

	// LetGo says that the program had waited for too long (Config.MayWait). What it did after LetGoAt is not known.
	LetGo   bool
	LetGoAt time.Duration // since it was started

	Missing uint64 // records, at least, that the trace lacks; if any, no verdict can be given
	Why     string // what is known about the first of them

	Ring    ring.Stats
	Kept    ring.Progress // of Config.Schedule
	Process process.Stats
	Program ring.Identity // what the program said about itself
}

// ErrNotTraced is the reason of Wait's error if the program did not attach to the ring.
var ErrNotTraced = errors.New("the program did not report anything: it was not built for tracing, or it runs where memory cannot be shared with it")
