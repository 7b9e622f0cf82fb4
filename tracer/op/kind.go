package op

import "fmt"

var kindNames = [KindCount]string{
	None: "none", Go: "go", End: "end", Main: "main", Left: "left",
	MakeChan: "make", Send: "send", Recv: "recv", Handoff: "send", Close: "close", RecvClosed: "recv", Select: "select",
	Lock: "lock", Unlock: "unlock", RLock: "rlock", RUnlock: "runlock",
	Add: "add", Done: "done", Wait: "wait", CondWait: "condwait", Signal: "signal", Broadcast: "broadcast",
	Once: "once",
	Arm:  "arm", Stop: "stop", Fire: "fire", Outside: "outside", Free: "free", CutOff: "cutoff", Checked: "checked",
	Time:  "time",
	Block: "block", Misuse: "misuse",
	AtomicLoad: "load", AtomicStore: "store", Conflict: "conflict", ReadFrom: "read",
	Rewrite: "rewrite", Overwrite: "overwrite",
	Read: "read", Write: "write",
	Copy: "copy",
}

// String returns the word for the operation; where a trace has one too it is the same. A Handoff is
// "send", as its Task sends.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}
