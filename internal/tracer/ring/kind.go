package ring

import "fmt"

// Kind is the kind of a record: one of the Kind constants.
type Kind uint8

var kindNames = [KindCount]string{
	KindNone: "none", KindGo: "go", KindEnd: "end", KindCtxStart: "ctxstart",
	KindThreadStart: "threadstart", KindTimerArm: "timerarm", KindMakeChan: "makechan",
	KindSend: "send", KindRecv: "recv", KindHandoff: "handoff", KindClose: "close",
	KindRecvClosed: "recvclosed", KindAcquire: "acquire", KindRelease: "release",
	KindReleaseAcquire: "releaseacquire", KindReleaseMerge: "releasemerge", KindMark: "mark",
	KindAtomicLoad: "atomicload", KindAtomicStore: "atomicstore", KindAtomicRMW: "atomicrmw",
	KindFinGo: "fingo", KindEnter: "enter", KindExit: "exit", KindStmt: "stmt",
	KindSharedInit: "sharedinit", KindExec: "exec",
	KindBlock: "block", KindSelect: "select", KindStarted: "started", KindLeft: "left", KindFree: "free",
	KindOutside: "outside", KindMisuse: "misuse", KindRead: "read", KindWrite: "write",
	KindCopy: "copy", KindTry: "try", KindCutOff: "cutoff", KindChecked: "checked",
	KindTest: "test", KindTime: "time", KindLateLoad: "lateload",
}

// String returns the lower-case name of the kind.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Valid reports whether a producer writes records of kind k.
func (k Kind) Valid() bool { return k > KindNone && k < KindCount }

// Op is the operation behind an acquire or release: one of the Op constants.
type Op uint8

var opNames = [OpCount]string{
	OpNone: "", OpLock: "lock", OpUnlock: "unlock", OpRLock: "rlock", OpRUnlock: "runlock",
	OpWait: "wait", OpDone: "done", OpAdd: "add", OpOnce: "once", OpSignal: "signal",
	OpBroadcast: "broadcast", OpSelect: "select", OpPut: "put", OpGet: "get", OpTimer: "timer",
	OpSend: "send", OpRecv: "recv", OpCondWait: "condwait", OpStop: "stop",
	OpOnceLock: "lock", OpOnceUnlock: "unlock", OpAnnounce: "announce",
	OpStream: "stream", OpStreamEnd: "streamend",
}

// String returns the name that the trace format uses for the operation; "" is OpNone.
func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return fmt.Sprintf("op(%d)", uint8(o))
}
