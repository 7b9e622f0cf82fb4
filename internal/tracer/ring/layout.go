package ring

// The layout of the mapping. Every constant of this file is injected into the hooks
// (HookConstants), so this file must stand alone: no imports, constants only, each
// an untyped integer or boolean expression. All fields are little endian.
//
//	0           header; producer, consumer and flags on cache lines of their own
//	HeaderSize  slot 0
//	            slot 1 ...
const (
	Magic   = 0x31474e4952434e41 // "ANCRING1"
	Version = 1

	SlotSize   = 64
	HeaderSize = 8192
	MaxSlots   = 1 << 30

	// Written once, before the producer starts.
	OffMagic   = 0  // u64
	OffVersion = 8  // u32
	OffMode    = 12 // u32: ModeWrap or ModeAppend
	OffSlots   = 16 // u64: number of slots, a power of two; in append mode the most there can be

	OffSeed = 48 // u64: steers the schedule, unless it is 0
	// size in bytes of a schedule after the slots, 0 if there is none; see ScheduleDone
	OffSchedule = 56
	// nanoseconds that the main goroutine waits at most for others before it ends the program; see
	// KindLeft
	OffLinger = 64

	// decides where goroutines yield in a schedule that is not steered; 0: the program draws a
	// number itself
	OffYields = 72

	OffEarlyMost = 80 // u32: OffEarly at most, up to MaxEarly
	// u32: those of them that do not pass early after all, one bit each; EarlyPace
	OffEarlySkip = 84

	// How a steered schedule is drawn; see package internal/tracer/strategy.
	OffRule  = 88 // u32
	OffDepth = 92 // u32
	OffSteps = 96 // u64: how many steps are expected
	// u64: size in bytes of what is known of operations that count, after the schedule; 0 if there
	// is nothing; see CountsSites
	OffCounts = 104

	// Written once, by the producer.
	OffPID = 24 // u32: process that claimed the mapping, set by compare-and-swap from 0
	// u64: address of runtime.text in the process, for position independent executables
	OffText = 32
	OffArch = 40 // u32: ArchAMD64 or ArchARM64
	OffCan  = 44 // the flags among FlagOperations and FlagMemory that the hooks support

	// u64: slots reserved so far; ClosedBit set when the producer has closed the ring
	OffProd = 128
	OffCons = 256 // u64: slots given back by the consumer; its low half is a futex of the producer
	OffBeat = 384 // u64: changes while a consumer is alive
	OffLost = 512 // u64: records that the producer dropped
	// u32: 1 if a write to memory was dropped before it was read or overwritten; set by the
	// producer
	OffForgot = 520
	OffFlags  = 640 // u32: Flag..., set and cleared by the consumer
	// u32: Halt..., set by the consumer; the program clears HaltNow when it resumes
	OffHalt  = 644
	OffFinal = 768 // u64: value of the production counter at exit (ClosedBit is set in OffProd)
	// u32: Left..., if the program has ended by returning from main or os.Exit; set by the producer
	// of a ring
	OffLeft = 896
	// u32: deadlines that passed in a steered schedule before a goroutine that could go on, also
	// those of OffEarlySkip; set by the producer
	OffEarly = 904
	// u32: 1 if time has gone by though goroutines could go on: they were kept back, waited for
	// something outside or in loops, computed for long, or read the clock often; set by the
	// producer
	OffSlow = 916
	// u64: steps of a steered schedule so far, and goroutines; set by the producer
	OffMade       = 920
	OffGoroutines = 928
	OffRead       = 936 // u32: 1 if the program has read the clock; set by the producer
	// u32: Look..., a futex of the program: when it is asked, and before it is ended from outside,
	// it looks for goroutines that are cut off (KindCutOff)
	OffLook = 912
	OffHeld = 1024 // MaxHeld * u64: contexts of HaltHeld and HaltOthers, in any order; 0 is none

	// A goroutine that waits for slots to be given back announces that, and wakes the consumer if
	// that sleeps.

	// u64: slots below it are waited for; its low half is a futex of the consumer, set by the
	// producer
	OffAsked  = 1536
	OffAsleep = 1600 // u32: 1 while the consumer sleeps there

	OffFirings = 2048 // MaxEarly * EarlySize: what is known of OffEarly
	MaxEarly   = 8

	EarlyKind     = 0   // u64: EarlySleep or EarlyTimer; 0: it did not pass early after all
	EarlyDuration = 8   // u64: of the sleep or the timer, in nanoseconds; 0 if it is not known
	EarlyAt       = 16  // EarlyPCs * u64: where a goroutine could go on
	EarlySet      = 128 // EarlyPCs * u64: where one slept or set the timer; 0 if it is not known
	EarlySize     = 240
	EarlyPCs      = 14

	EarlyPace = 1 << 31 // nor does time go by faster than it really does; see OffSlow

	EarlySleep = 1
	EarlyTimer = 2

	// Program identity: length u32, then bytes; written by the producer.
	OffExe      = 4096 // absolute path of the executable
	OffIdentity = 5120 // what the agent reports about the program and its specification
	ExeMax      = 1000
	IdentityMax = 3000
	IdentityPad = 8 // bytes between the length field's offset and the first byte

	ModeWrap   = 0 // a ring with a consumer beside it
	ModeAppend = 1 // a file that is never overwritten and read later

	ArchAMD64 = 1
	ArchARM64 = 2

	FlagOn = 1 // records are wanted
	// a goroutine waits after a record with payload until its slots are given back, unless such
	// records come too fast
	FlagStep = 4
	// KindBlock, KindSelect and so on are wanted: those after KindExec, except for KindFree and
	// KindTry; and those with OpVain
	FlagOperations = 8
	FlagMemory     = 16 // KindRead, KindWrite and KindCopy are wanted
	FlagAtomics    = 32 // every atomic operation is wanted, even if it is AtomicIdle
	// the program listens on a socket beside the ring; see package internal/tracer/control
	FlagControl = 2
	// SIGINT from the terminal is for the consumer: the program, which gets it as well, ignores it
	FlagInterrupts = 64
	// the same for SIGQUIT, unless the program handles it
	FlagQuits = 128
	// a Get may return a new object: Put and Get of objects that lead to nothing that synchronises
	// are not wanted
	FlagNewFromPools = 256
	// a load that is AtomicLate is not written, or only as KindLateLoad. It is of no use with
	// FlagMemory, nor for a program with sites: their events may lack the order of such loads
	FlagLateLoads = 512

	// How the program has ended by itself.
	LeftAnyhow = 1 // with any exit code
	// with exit code 0, unless a goroutine panics before the program is gone
	LeftWell = 2
	// a goroutine has panicked while main waited for others: the exit code is still main's
	LeftPanicking = 3

	// The goroutines that wait at a record. A goroutine that holds a resource of the runtime
	// continues to its next one.
	HaltNow = 1 // all, until the program resumes
	// the contexts in OffHeld, before or after their next records, as long as they are listed
	HaltHeld   = 2
	HaltOthers = 4 // all but those
	HaltStep   = 8 // all, after each record until its slots are given back

	MaxHeld = 64

	// 0: the program does not look for goroutines that are cut off.
	// it will when it is asked, or has, and all records about that are written; set by the program
	LookReady = 1
	LookNow   = 2 // it is asked by the consumer, and goes on then
	// it is asked for the last time: by the consumer, or by the program itself at a signal that
	// ends it
	LookAsked = 3
	LookDone  = 4 // it has looked for the last time; set by the program

	ClosedBit = 1 << 62 // added to the production counter at exit: every later reservation fails

	// Words of a head slot. Continuation slots have OffSeq and then 56 bytes of payload.
	OffSeq  = 0 // u64: index+1, stored last
	OffWord = 8 // u64: kind<<KindShift | extra<<ExtraShift | ctx
	OffAddr = 16
	OffAux  = 24
	OffPC   = 32 // 3 * u64
	OffArg  = 56

	ContinuationBit = 1 << 63 // in OffSeq of a continuation slot
	PayloadPerSlot  = 56
	MaxExtra        = 255
	MaxPayload      = MaxExtra * PayloadPerSlot

	KindShift  = 56
	ExtraShift = 48
	CtxMask    = 1<<48 - 1

	PCs = 3
)

// The operations that count in a steered schedule (see Counts). After these words come constraints,
// then sites and weights, or notes.
const (
	CountsSites   = 0  // u32: their number
	CountsWeights = 4  // u32: same
	CountsRoom    = 8  // u32: for how many notes there is room
	CountsUsed    = 12 // u32: notes so far; set by the program
	// u32: the number of constraints
	CountsConstraints = 16
	CountsData        = 24

	ConstraintWriter = 0 // u32: a site
	ConstraintReader = 4 // u32: same
	ConstraintOther  = 8 // u32: 1 if the reader is to read what others have written
	ConstraintSize   = 16

	WeightSize = 8 // u32: the goroutine or go statement; u32: operations

	NoteGoroutine = 0 // u32
	NoteSite      = 4 // u32
	// u64: the address, plus NoteLooks if nothing is changed; NoteStarts plus the parent for a
	// go statement
	NoteObject = 8
	NoteSize   = 16
	NoteStarts = 1 << 63
	NoteLooks  = 1 << 62
	MaxNotes   = 1 << 16
)

// A schedule that the program is to keep (see Schedule). After the counters come its steps, starts,
// places and ranges of code, and the lines. Code addresses are offsets from runtime.text, and those
// of calls are return addresses.
const (
	ScheduleDone = 0 // u32: steps that are done; set by the program
	// u32: 0 as long as it is kept, then 1 + the step that did not come in time; set by the program
	ScheduleEnd     = 4
	ScheduleMoved   = 8  // u64: when the last step was done, as the program counts nanoseconds
	SchedulePatient = 16 // u64: nanoseconds without a step after which the program gives up
	// u64: nanoseconds without any progress after which a waiting goroutine is released; with roles
	ScheduleQuiet = 24
	// u32: 1 if steps belong to roles, which any goroutine may play, 0 if they belong to goroutines
	ScheduleRoles  = 32
	ScheduleSteps  = 36 // u32: their number
	ScheduleStarts = 40 // u32
	SchedulePlaces = 44 // u32
	ScheduleUser   = 48 // u32: ranges of the code of the user, ascending
	ScheduleHalt   = 52 // u32: after so many steps the program stops as by HaltNow; 0: it does not
	// u32: lines of the source that are to be reached at once, less than MaxLines
	ScheduleLines = 56
	// u32: 1 when they are, and the program has stopped as by HaltNow; set by the program
	ScheduleMet = 60
	// u64: lines that goroutines are held at, one bit each; LinesGivenUp; set by the program
	ScheduleAt   = 64
	ScheduleMost = 72 // u64: the lines of the moment when they were most; set by the program
	// u64: nanoseconds for which a goroutine is held at a line before the program continues freely
	ScheduleHolds = 80
	// u32: why the next step did not come (Missed...), when the program no longer keeps the
	// schedule, or ends; set by the program before ScheduleEnd
	ScheduleMissed = 88
	ScheduleInput  = 92 // u32: 1 once the program has read standard input; set by the program
	ScheduleAhead  = 96 // u64: by how many nanoseconds the clock was moved on; set by the program
	// u32: 1 once an operation may have been taken for a step that is another one; set by the
	// program
	ScheduleUnsure = 104
	ScheduleAlone  = 108 // u32: 1 if what is no step waits until all steps are done; not with roles
	ScheduleData   = 112

	// A step: an operation of a goroutine.

	// u32: its number among the goroutine's operations there, since its previous step
	StepNth    = 0
	StepFlags  = 4  // u32: StepWaits, StepDecides, StepMeets, StepWrites, StepAtomic, StepBlocks
	StepPlace  = 8  // u32: the first of its places
	StepPlaces = 12 // u32: their number
	// u32: 1 + the start that the goroutine comes from, or those of its role; 0: main
	StepClass = 16
	StepRole  = 20 // u32: its number
	StepSite  = 24 // u32: 1 + the site whose event it is; 0: it is an operation at its places
	// u32: steps with the same number are on one object, and those with another one on others; 0:
	// it may be on any
	StepObject = 28
	StepOp     = 32 // u32: the operation (Op...); 0: any
	// u32: on how many other objects the goroutine operates there before; 0: it is not known
	StepOthers = 36
	StepSize   = 40

	// A start: a go statement of goroutines that come from another start.
	StartClass  = 0  // u32: of the goroutine that executes it: a start plus 1, or 0 for main
	StartPlace  = 4  // u32
	StartPlaces = 8  // u32: 0: any go statement, and timers that will start goroutines
	StartNth    = 12 // u32: the number of the one meant, from 1; 0: each, for roles
	StartSeen   = 16 // u32: those so far; set by the program
	StartEnded  = 20 // u32: goroutines that came from there and have ended; set by the program
	StartSize   = 24

	CodeLo   = 0 // u64
	CodeHi   = 8 // u64: exclusive
	CodeSize = 16

	StepWaits   = 1 // it is done as soon as the goroutine blocks
	StepDecides = 2 // it is a select statement, and done when its case is chosen
	// it is a memory access, as the other of the last two steps: both are done when two goroutines
	// are about to make them at once
	StepMeets  = 4
	StepWrites = 8  // with StepMeets: it is a write
	StepAtomic = 16 // with StepMeets: it is atomic; one of the two may be
	StepBlocks = 32 // it is done only if the goroutine blocks
	// above: the case that a select statement takes if it is ready, from 1, without those of nil
	// channels; 0: any
	StepCaseShift = 16
	MaxCase       = 1<<15 - 1

	// The lines come last: the number of each, u32, as in rewritten code (Line of the agent).
	LineSize     = 4
	MaxLines     = 63
	LinesGivenUp = 1 << 63

	MaxRoles   = 64 // of a schedule
	MaxObjects = 64 // of its steps
)

// Why a step did not come: what its goroutine did when the program gave up the schedule, or ended.
// Where several goroutines could have done the step, the one with the highest number counts.
const (
	MissedUnknown = 0 // nothing was noted, as in a program that was killed

	// The program went another way.
	MissedEnded      = 1 // it had ended
	MissedUnhindered = 2 // it did the operation, and did not have to wait, as it should have
	MissedWaits      = 3 // it waited for what only goroutines that wait themselves could have done
	MissedRounds     = 4 // it waited for time to go by, again and again

	// Nothing is known about the step.
	MissedUnstarted = 5 // it was never started
	MissedLock      = 6 // it waited for a lock, which a goroutine that was kept back may have held
	MissedTime      = 7 // it waited for time to go by, or for a goroutine that did
	MissedWorld     = 8 // the same for a system call, or the network
	MissedRuns      = 9 // it, or one that it waited for, was still running
)

// Kinds of records: the meaning of addr and aux. ctx is the goroutine (or timer context, see
// KindCtxStart) of the operation, numbered from 1 in order of creation; 1 is the main goroutine. pc
// holds up to three return addresses, innermost first, starting in the caller of the operation
// where that is known.
const (
	KindNone = 0

	// go statement: addr = ctx of the new goroutine, aux = entry pc of its function, pc[0] = the go
	// statement
	KindGo  = 1
	KindEnd = 2 // the goroutine ends; arg = EndLate or 0
	// context addr, in which the runtime runs a timer function, begins or begins anew: it knows
	// what ctx knows, nothing if ctx is 0
	KindCtxStart = 3
	// ctx begins with no creator in the program: a C thread that called into Go, or the runtime's
	// finalizer and cleanup goroutines; aux = entry pc, if known
	KindThreadStart = 4
	// addr = timer, aux = entry pc of the function: time.AfterFunc or Reset of such a timer. A
	// KindGo by a context straight after its KindAcquire of the same addr starts that function
	KindTimerArm = 5

	KindMakeChan = 6 // addr = channel, aux = capacity
	// buffered send: addr = channel, aux = index of the slot in the buffer, arg = plus the element
	// + 1 <<OpShift, if there is room for one and it is a number, pointer or other value of 1, 2, 4
	// or 8 bytes below MaxElement; 1 <<OpShift if it has no bytes
	KindSend = 7
	KindRecv = 8 // buffered receive: addr = channel, aux = index of the slot in the buffer
	// unbuffered transfer, one joint action: ctx = sender, addr = channel, aux = ctx of the
	// receiver, pc[0] = where the sender is, pc[1] = where the receiver is. Either ctx may be 0
	// (not traced)
	KindHandoff = 9
	KindClose   = 10 // addr = channel
	// addr = channel: a receive of the zero value from a closed channel that is empty; arg =
	// OpSend: a send that panics because the channel is closed
	KindRecvClosed = 11

	// addr = the object synchronised on, aux = the object that the program sees, arg = operation
	// (Op...)
	KindAcquire        = 12
	KindRelease        = 13 // same; replaces what was released on addr before
	KindReleaseAcquire = 14 // same; acquire, then release
	KindReleaseMerge   = 15 // same as KindRelease, but adds to what was released before
	// no causality: addr = object, arg = operation (WaitGroup.Add of a positive number)
	KindMark = 16

	// Atomic operations: arg = AtomicIdle, AtomicLate or 0. Without FlagAtomics those that are
	// AtomicIdle or AtomicLate are not written, nor those that are OpIdle. With FlagMemory only
	// loads, Gets and Onces are.
	KindAtomicLoad  = 17 // addr = variable, aux = value (0 if it is a pointer)
	KindAtomicStore = 18 // addr = variable, aux = value stored (0 if it is a pointer)
	// addr = variable, aux = result of the operation (new value of Add, old of Swap, And and Or, 1
	// for a swap done)
	KindAtomicRMW = 19

	// ctx, about to run finalizers or cleanups, acquires all that happened so far in every
	// goroutine
	KindFinGo = 20

	KindEnter      = 21 // addr = site, aux = frame token; payload = values
	KindExit       = 22 // addr = site, aux = frame token, arg = Exit...; payload = values
	KindStmt       = 23 // addr = site, aux = frame token; payload = values
	KindSharedInit = 24 // addr = site; payload = values

	// arg = 1: another program is about to replace this one (syscall.Exec), and writes no records;
	// 0: that failed
	KindExec = 25

	// The built-in properties need these as well; see FlagOperations.
	//
	// A record of an operation that waited follows its KindBlock, unless the run ends before; for a
	// select statement that waited there is no KindSelect. The record of an operation that ends a
	// wait at a channel or for a WaitGroup follows it. An unlock may be recorded before: a
	// goroutine that begins to wait at that moment continues without it.

	// ctx is about to wait: addr = the object, as the program sees it, 0 for a nil channel and for
	// a select statement; aux = addr; arg = operation; payload as of KindSelect (no cases but for
	// OpSelect), after which come at most BlockPCs further return addresses, outward, each a u64.
	// The next record of ctx ends the wait, or begins it anew
	KindBlock = 26
	// a select statement has chosen, right before the record of its case: payload = number of cases
	// that follow as a u64, plus that of further ones << CasesMoreShift if there are more than
	// MaxCases, and for each a u64: address of the channel (0: nil), plus CaseSend if it sends. arg
	// = Select... A default that a goroutine takes again, and no other in between, is recorded once
	KindSelect = 27
	// ctx 1 has initialised all packages and begins to run the program's function main; arg is 1 in
	// logs of other programs
	KindStarted = 28
	// ctx 1 has returned from main (arg = 1), or ctx calls os.Exit (arg = 0). Before that ctx 1
	// waits for others, if the consumer asks for that (OffLinger) and for operations
	KindLeft = 29
	// ctx 0: the memory at addr, aux bytes, is about to be reused. Written for memory that other
	// records are about, whatever is wanted
	KindFree = 30
	// code outside of the program may operate on addr from now on, as signals do on a channel given
	// to signal.Notify; arg = 1: no longer
	KindOutside = 31
	// ctx is about to panic or to end the program: addr = aux = object, arg = the misuse
	// (Misuse...), payload as of KindBlock
	KindMisuse = 32
	// ctx reads aux bytes at addr, which another goroutine has accessed in a conflicting way; arg =
	// AccessAtomic or 0. Payload: moment of the other access, Access... of it, where it was as two
	// return addresses, and AccessPCs further ones of ctx. See FlagMemory
	KindRead = 33
	// ctx writes them; same. arg has AccessRewrites, too, if only part of the object at the address
	// is changed, and AccessClaims if ctx has read them since its last record, and reported the
	// same access then
	KindWrite = 34
	// ctx reads, as one value, aux bytes at addr that contain an object that goroutines have
	// synchronised on; arg = AccessWrites: it writes them. See FlagMemory
	KindCopy = 35
	// an attempt of ctx failed: addr = aux = object, arg = operation. OpSend: the buffer of a
	// channel is full; OpRecv: it is empty; of a select statement that takes its default, each
	// buffered channel; len writes one of these, or both if it is neither. OpLock or OpRLock: a
	// Mutex or RWMutex is held, or handed over; plus what the index of the next record was before
	// <<OpShift. OpAnnounce: a writer waits until readers have left a RWMutex. OpStop or OpTimer: a
	// timer was not pending when it was stopped, or armed again; addr and aux as of OpTimer. A
	// repeated attempt, without other operations of the goroutine in between, is written once
	KindTry = 36
	// ctx 0: the goroutine with the context addr has waited since its KindBlock for something to
	// which no goroutine leads that goes on, or that such a goroutine may wake; arg = CutOff...
	KindCutOff = 37
	// ctx 0: which goroutines are cut off has been looked for, since some wait and others go on:
	// aux = phases of marking, arg = Check...
	KindChecked = 38
	// ctx is in a test from now on, and so are the goroutines that it starts: payload = the name of
	// the test or a part of it (arg), which zero bytes follow
	KindTest = 39
	// ctx 0: what follows happened when the run had lasted for aux milliseconds, or a little later.
	// The program does not write it; package launch dates the records that it reads
	KindTime = 40
	// the context arg has loaded the variable at addr after aux records of its own, counted as for
	// a moment (see MomentShift). ctx is mostly another goroutine that is about to store there. See
	// FlagLateLoads
	KindLateLoad = 41

	KindCount = 42
)

// Sources otherwise lead to that for which a goroutine waits: arg of KindCutOff.
const (
	CutOffForEver   = 0 // nothing, so it waits for ever
	CutOffByGlobals = 1 // only package variables
	CutOffUndecided = 2 // it is not known

	CutOffCount = 3
)

// The name of a test stands in parts of at most MaxTest bytes, in a record each. Behind the first
// one, arg is TestContinued. The rest behind MaxTestName is cut.
const (
	MaxTest       = 9 * PayloadPerSlot
	TestContinued = 1
	MaxTestName   = 64 * MaxTest
)

// How a check has ended: arg of KindChecked.
const (
	CheckComplete = 0
	CheckShort    = 1 // there was no time for the rest of the goroutines
	CheckMissed   = 2 // it did not take place
	CheckPreempts = 3 // the same: the program does not preempt goroutines (asyncpreemptoff)
	CheckProfiled = 4 // some goroutines are in the goroutine leak profile of the program

	CheckCount = 5
)

// Payload of KindSelect and KindBlock.
const (
	CaseSend = 1
	MaxCases = 512
	BlockPCs = 12

	CasesMoreShift = 32
)

// Choices of a select statement: arg of KindSelect.
const (
	SelectCase    = 0 // one of its cases; it has no default
	SelectDefault = 1 // its default
	SelectTried   = 2 // one of its cases; it has a default
)

// An access of KindRead and KindWrite. Its moment is the ctx of the goroutine <<MomentShift, plus
// the number of records that it had written by then: all of that ctx, and each KindHandoff to it as
// well, but for KindCtxStart, KindThreadStart, KindFree, KindRead and KindWrite.
const (
	AccessWrites   = 1
	AccessAtomic   = 2
	AccessRewrites = 4 // as of a map, which has the address of its head
	// the goroutine reads and writes between two operations in one step, under a lock
	AccessClaims = 8
	// an access before the write that conflicts with it was dropped for want of room. The record
	// has no other access: the moment is 0
	AccessOverwrites = 16
	AccessPCs        = 3
	MomentShift      = 32
)

// Misuse of a synchronisation object: arg of KindMisuse.
const (
	MisuseSendClosed  = 1 // send on a closed channel
	MisuseCloseClosed = 2 // close of a closed channel
	MisuseCloseNil    = 3
	MisuseCounter     = 4 // negative WaitGroup counter
	MisuseWaitReuse   = 5 // WaitGroup misused: Add together with Wait, or reused too early
	MisuseUnlock      = 6 // unlock of a Mutex or RWMutex that is not locked
	MisuseRUnlock     = 7
	// panic that would have ended the program, if it had not been about to end; there is no object
	MisusePanic = 8

	MisuseCount = 9
)

// Operations of the program in arg of KindAcquire, KindRelease, KindReleaseAcquire,
// KindReleaseMerge, KindMark and KindBlock. Operations on the counter of a WaitGroup carry in arg
// what they add to it: arg = operation | delta<<OpShift (as a signed number), so OpMask must be
// applied first. OpNone marks a synchronisation inside the standard library or the runtime. In the
// channel kinds arg is OpSelect for a case of a select statement, else OpNone.
const (
	OpNone      = 0
	OpLock      = 1 // plus OpTried
	OpUnlock    = 2
	OpRLock     = 3 // plus OpTried
	OpRUnlock   = 4
	OpWait      = 5 // WaitGroup.Wait or Cond.Wait
	OpDone      = 6 // WaitGroup.Done, or Add of a negative number
	OpAdd       = 7
	OpOnce      = 8  // acquire: Do returns, plus OpIdle; release: it has run the function
	OpSignal    = 9  // plus OpVain
	OpBroadcast = 10 // same
	OpSelect    = 11
	OpPut       = 12 // sync.Pool
	OpGet       = 13
	// arming (release; plus OpAgain) and firing (acquire) of a timer: addr = timer, aux = its
	// channel, or the timer itself if it has none
	OpTimer    = 14
	OpSend     = 15 // of KindBlock
	OpRecv     = 16 // same
	OpCondWait = 17 // same; Wait of a Cond is OpWait elsewhere
	// KindMark: a timer was stopped that would have fired; addr and aux as of OpTimer. OpTimer of a
	// KindMark: it would have fired, too, and was armed again
	OpStop = 18

	// the lock inside a sync.Once, whose holder runs the function unless that has been run: addr =
	// the lock, aux = the Once; also of KindBlock
	OpOnceLock   = 19
	OpOnceUnlock = 20 // same

	OpAnnounce = 21 // of KindTry

	// A connection or pipe has two streams of bytes: addr = a key that both of its ends have, aux =
	// which of the connections with this key it is, 0 if that is unknown; arg = plus the stream, 0
	// or 1, <<OpShift and a position in it <<StreamShift. KindReleaseMerge: ctx is about to write
	// from the position on, or nearer to the end. KindAcquire: it has read up to there, or less
	OpStream = 22
	// KindReleaseMerge: ctx is about to close the end that writes the stream (position 1), or only
	// the stream (0). KindAcquire: it has read up to the position and found the end
	OpStreamEnd = 23

	OpCount = 24

	OpMask  = 1<<16 - 1
	OpShift = 16

	StreamShift = OpShift + 1
	// StreamAll is the position of a read of all that was written, in writes that have begun
	StreamAll = 1<<46 - 1

	// added to OpLock and OpRLock: TryLock or TryRLock, which would not have waited
	OpTried = 1 << OpShift
	OpAgain = 1 << OpShift // added to OpTimer: a ticker, which fires repeatedly
	// added to OpPut and OpGet of a Pool, and to OpOnce: it adds nothing to the order, as with
	// AtomicIdle
	OpIdle = 1 << OpShift
	// added to OpSignal and OpBroadcast of a KindMark: there is no waiter. It is written once for
	// each ctx and Cond, or now and then. See FlagOperations
	OpVain = 1 << OpShift
)

// MaxElement bounds the elements in arg of KindSend.
const MaxElement = 1<<47 - 1

// AtomicIdle, in arg of an atomic operation, says that it adds nothing to the order of the other
// records: the goroutine has done as much to the variable before; no goroutine has stored since
// (nor loaded, if it is a store); and this goroutine has written no other records since and learnt
// nothing. With FlagMemory no store is.
const AtomicIdle = 1

// AtomicLate, in arg of a load, says that only a later store of another goroutine adds to the order
// of the other records: the goroutine has loaded the variable before, or has stored itself, and no
// other goroutine has stored since.
const AtomicLate = 2

// EndLate, in arg of KindEnd, says that records of KindLateLoad may still name the goroutine.
const EndLate = 1

// The ways of leaving a traced function: arg of KindExit.
const (
	ExitReturn = 0
	ExitPanic  = 1
	ExitGoexit = 2
)

// Messages between a checker and the operator in the program (package internal/tracer/control): the
// length of the rest as a u32, the type as a byte, and a body of numbers (uvarint) and texts
// (length as a uvarint, bytes). Each request has one reply.
const (
	ControlVersion    = 1
	ControlMaxRequest = 1 << 16 // bytes after the length
	ControlMaxReply   = 1 << 18

	AskHello     = 1 // version
	AskHalt      = 2
	AskTasks     = 3 // index of the first
	AskVariables = 4 // index of the first
	AskGet       = 5 // package, path
	AskSet       = 6 // package, path, value in the coding of package tracer/event
	AskResume    = 7
	AskDetach    = 8

	AnswerError = 128 // text
	AnswerDone  = 129
	AnswerHello = 130 // version, pid
	// index of the next, 0 for none; count; each: ctx, state, reason, count of frames, each:
	// function, file, line
	AnswerTasks     = 131
	AnswerVariables = 132 // index of the next, 0 for none; count; each: package, path, type
	AnswerValue     = 133 // type, value

	// runnable if the program were not halted: it stands at a record, or has not run since it
	// waited
	TaskStopped = 1
	TaskBetween = 2 // runnable: it had to be stopped between two records
	TaskWaiting = 3 // blocked by an operation of its own, for a reason
	TaskOutside = 4 // in a system call or C code, and stops when it comes back
)
