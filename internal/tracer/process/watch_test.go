package process

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// opRecorder keeps the operations that a watcher receives.
type opRecorder struct{ ops []op.Op }

func (w *opRecorder) Op(o *op.Op) {
	kept := *o
	kept.Cases = append([]op.Case(nil), o.Cases...)
	w.ops = append(w.ops, kept)
}

// watchRun feeds records and returns the reported operations.
func watchRun(t tb, records []ring.Record, opt Options) (*Process, []op.Op) {
	t.Helper()
	var w opRecorder
	opt.Watch = &w
	p := newProcess(t, testTable(), opt)
	run(t, p, records)
	return p, w.ops
}

// shortOp prints an operation: "main.1/3 lock mutex 1 at a.go:3 full main/2 free".
func shortOp(p *Process, o *op.Op, tasks int) string {
	var b strings.Builder
	task := func(t op.Task, k int32) string {
		if t == op.NoTask {
			return "nobody"
		}
		return fmt.Sprintf("%s/%d", p.Task(t).Name, k)
	}
	kind := o.Kind.String()
	if o.Kind == op.Handoff || o.Kind == op.RecvClosed { // which have the words of others
		kind = map[op.Kind]string{op.Handoff: "handoff", op.RecvClosed: "recvclosed"}[o.Kind]
	}
	fmt.Fprintf(&b, "%s %s", task(o.Task, o.K), kind)
	word := func(s string) {
		if s != "" {
			b.WriteString(" " + s)
		}
	}
	if o.Want != op.None {
		word("to " + o.Want.String())
	}
	word(p.Object(o.Object))
	if o.Arg != 0 {
		word(fmt.Sprint(o.Arg))
	}
	if o.Address != 0 {
		word(fmt.Sprintf("[%d]", o.Address))
	}
	if o.InCase {
		word("case")
	}
	for _, c := range o.Cases {
		word(map[bool]string{true: "send", false: "recv"}[c.Send] + "(" + p.Object(c.Object) + ")")
	}
	if o.Other != op.NoTask {
		word("with " + task(o.Other, o.OtherK))
	}
	if at := p.Place(o.At).At; at != "" {
		word("at " + at)
	}
	for t := range op.Task(tasks) {
		full, free := o.Full.At(int32(t)), o.Free.At(int32(t))
		if t == o.Task || t == o.Other {
			continue
		}
		if full > 0 {
			word("after " + task(t, full))
		}
		if free != full {
			word("free " + task(t, free))
		}
	}
	return b.String()
}

func opLines(p *Process, ops []op.Op) []string {
	tasks := 0
	for p.Task(op.Task(tasks)).Name != "" {
		tasks++
	}
	var out []string
	for i := range ops {
		out = append(out, shortOp(p, &ops[i], tasks))
	}
	return out
}

func payload(words ...uint64) []byte {
	var b []byte
	for _, w := range words {
		b = append(b, byte(w), byte(w>>8), byte(w>>16), byte(w>>24), byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56))
	}
	for len(b)%ring.PayloadPerSlot != 0 {
		b = append(b, 0)
	}
	return b
}

func TestOperations(t *testing.T) {
	delta := func(does uint64, n int64) uint64 { return does | uint64(n)<<ring.OpShift }
	for _, tt := range []struct {
		name    string
		opt     Options
		records []ring.Record
		want    []string
	}{
		{"locks order in one of the orders only", Options{Sparse: true}, []ring.Record{
			goRec(1, 2), goRec(1, 3),
			rec(ring.KindAcquire, 2, 100, 100, ring.OpLock), rec(ring.KindRelease, 2, 100, 100, ring.OpUnlock),
			rec(ring.KindAcquire, 3, 100, 100, ring.OpLock), rec(ring.KindRelease, 3, 100, 100, ring.OpUnlock),
			rec(ring.KindAcquire, 1, 204, 200, ring.OpRLock), rec(ring.KindReleaseMerge, 1, 208, 200, ring.OpRUnlock),
			rec(ring.KindAcquire, 2, 204, 0), rec(ring.KindAcquire, 2, 208, 200, ring.OpLock),
			rec(ring.KindEnd, 2, 0, 0), rec(ring.KindHandoff, 1, 300, 3),
		}, []string{
			"main/1 go with main.1/0 at a.go:9",
			"main/2 go with main.2/0 at a.go:9",
			"main.1/1 lock mutex 1 after main/1",
			"main.1/2 unlock mutex 1 after main/1",
			"main.2/1 lock mutex 1 after main/2 after main.1/2 free main.1/0",
			"main.2/2 unlock mutex 1 after main/2 after main.1/2 free main.1/0",
			"main/3 rlock rwmutex 1",
			"main/4 runlock rwmutex 1",
			"main.1/4 lock rwmutex 1 after main/4 free main/1",
			"main.1/5 end after main/4 free main/1",
			"main/5 handoff chan 1 with main.2/3 after main.1/2 free main.1/0",
		}},
		{"channels", Options{}, []ring.Record{
			goRec(1, 2), rec(ring.KindMakeChan, 1, 100, 1), rec(ring.KindSend, 1, 100, 0),
			rec(ring.KindRecv, 2, 100, 0),
			rec(ring.KindMakeChan, 1, 200, 0), rec(ring.KindHandoff, 2, 200, 1), rec(ring.KindHandoff, 0, 200, 1),
			rec(ring.KindHandoff, 1, 200, 0), rec(ring.KindClose, 1, 200, 0),
			rec(ring.KindRecvClosed, 2, 200, 0, ring.OpSelect),
			rec(ring.KindMakeChan, 2, 100, 3),
		}, []string{
			"main/1 go with main.1/0 at a.go:9",
			"main/2 make chan 1 1",
			"main/3 send chan 1",
			"main.1/1 recv chan 1 after main/3",
			"main/4 make chan 2",
			"main.1/2 handoff chan 2 with main/5",
			"nobody handoff chan 2 with main/6 after main.1/2",
			"main/7 handoff chan 2 after main.1/2",
			"main/8 close chan 2 after main.1/2",
			"main.1/3 recvclosed chan 2 case after main/8",
			"main.1/4 make chan 3 3 after main/8",
		}},
		{"wait groups and conds", Options{}, []ring.Record{
			goRec(1, 2), rec(ring.KindMark, 1, 100, 100, delta(ring.OpAdd, 3)),
			rec(ring.KindReleaseMerge, 2, 100, 100, delta(ring.OpDone, -2)),
			rec(ring.KindReleaseMerge, 2, 100, 100, ring.OpDone),
			rec(ring.KindAcquire, 1, 100, 100, ring.OpWait), rec(ring.KindAcquire, 1, 300, 300, ring.OpWait),
			rec(ring.KindRelease, 1, 77, 400, ring.OpSignal), rec(ring.KindAcquire, 2, 77, 400, ring.OpWait),
			rec(ring.KindReleaseMerge, 1, 400, 400, ring.OpBroadcast), rec(ring.KindAcquire, 2, 400, 400, ring.OpWait),
			rec(ring.KindAcquire, 2, 500, 500, ring.OpOnce), rec(ring.KindAcquire, 2, 600, 700, ring.OpGet),
		}, []string{
			"main/1 go with main.1/0 at a.go:9",
			"main/2 add waitgroup 1 3",
			"main.1/1 done waitgroup 1 -2 after main/2",
			"main.1/2 done waitgroup 1 -1 after main/2",
			"main/3 wait waitgroup 1 after main.1/2",
			"main/4 wait waitgroup 2 after main.1/2",
			"main/5 signal cond 1 after main.1/2",
			"main.1/3 condwait cond 1 after main/5",
			"main/6 broadcast cond 1 after main.1/2",
			"main.1/4 condwait cond 1 after main/6",
			"main.1/5 once once 1 after main/6",
		}},
		{"once", Options{}, []ring.Record{
			goRec(1, 2), goRec(1, 3),
			rec(ring.KindAcquire, 2, 104, 100, ring.OpOnceLock), rec(ring.KindBlock, 3, 100, 100, ring.OpOnceLock),
			rec(ring.KindRelease, 2, 100, 100, ring.OpOnce), rec(ring.KindRelease, 2, 104, 100, ring.OpOnceUnlock),
			rec(ring.KindAcquire, 3, 104, 100, ring.OpOnceLock), rec(ring.KindRelease, 3, 104, 100, ring.OpOnceUnlock),
			rec(ring.KindAcquire, 3, 100, 100, ring.OpOnce), rec(ring.KindAcquire, 2, 100, 100, ring.OpOnce),
		}, []string{
			"main/1 go with main.1/0 at a.go:9",
			"main/2 go with main.2/0 at a.go:9",
			"main.1/1 lock once 1 after main/1",
			"main.2/1 block to once once 1 after main/2",
			"main.1/2 once once 1 1 after main/1",
			"main.1/3 unlock once 1 after main/1",
			"main.2/2 lock once 1 after main/2 after main.1/3 free main.1/0",
			"main.2/3 unlock once 1 after main/2 after main.1/3 free main.1/0",
			"main.2/4 once once 1 after main/2 after main.1/3 free main.1/2",
			"main.1/4 once once 1 after main/1",
		}},
		{"waiting", Options{}, []ring.Record{
			rec(ring.KindStarted, 1, 0, 0), goRec(1, 2),
			{Kind: ring.KindBlock, Ctx: 1, Addr: 100, Arg: ring.OpRecv, PC: [3]uint64{5, 6, 7},
				Payload: payload(0, 8, 9)},
			rec(ring.KindHandoff, 2, 100, 1),
			{Kind: ring.KindBlock, Ctx: 1, Arg: ring.OpSelect, PC: [3]uint64{5},
				Payload: payload(3, 100, 0, 200|ring.CaseSend)},
			rec(ring.KindHandoff, 1, 200, 2, ring.OpSelect),
			{Kind: ring.KindSelect, Ctx: 2, Arg: 1, Payload: payload(1, 100)},
			rec(ring.KindBlock, 2, 0, 0, ring.OpSend), rec(ring.KindBlock, 1, 300, 300, ring.OpLock),
			rec(ring.KindBlock, 1, 400, 400, ring.OpCondWait), rec(ring.KindBlock, 1, 500, 500, ring.OpWait),
			rec(ring.KindBlock, 1, 0, 0, ring.OpSelect),
			{Kind: ring.KindBlock, Ctx: 1, Arg: ring.OpSelect, Payload: payload(100, 1)}, // cut off
			{Kind: ring.KindBlock, Ctx: 1, Arg: ring.OpSelect, Payload: payload(1|7<<ring.CasesMoreShift, 100)},
			// not reported
			{Kind: ring.KindSelect, Ctx: 1, Payload: payload(1|7<<ring.CasesMoreShift, 100)},
			rec(ring.KindLeft, 1, 0, 0),
		}, []string{
			"main/1 main",
			"main/2 go with main.1/0 at a.go:9",
			"main/3 block to recv chan 1 at a.go:5",
			"main.1/1 handoff chan 1 with main/4",
			"main/5 block to select recv(chan 1) recv() send(chan 2) at a.go:5 after main.1/1",
			"main/6 handoff chan 2 case with main.1/2",
			"main.1/3 select 1 recv(chan 1) after main/6",
			"main.1/4 block to send after main/6",
			"main/7 block to lock mutex 1 after main.1/2",
			"main/8 block to condwait cond 1 after main.1/2",
			"main/9 block to wait waitgroup 1 after main.1/2",
			"main/10 block to select after main.1/2",
			"main/11 block to select 100 after main.1/2",
			"main/12 block to select 7 recv(chan 1) after main.1/2",
			"main/14 left after main.1/2",
		}},
		{"timers", Options{Sparse: true}, []ring.Record{
			goRec(1, 2), rec(ring.KindRelease, 2, 300, 500, ring.OpTimer), rec(ring.KindCtxStart, 0, 9, 0),
			rec(ring.KindAcquire, 9, 300, 500, ring.OpTimer), rec(ring.KindSend, 9, 500, 0),
			rec(ring.KindRecv, 1, 500, 0),
			rec(ring.KindMark, 1, 300, 0, ring.OpStop),
			rec(ring.KindRelease, 2, 400, 0, ring.OpTimer), rec(ring.KindTimerArm, 2, 400, 8),
			rec(ring.KindCtxStart, 0, 9, 0),
			rec(ring.KindAcquire, 9, 400, 0, ring.OpTimer), goRec(9, 3), rec(ring.KindSend, 3, 600, 0),
			rec(ring.KindMark, 1, 400, 0, ring.OpStop),
		}, []string{
			"main/1 go with main.1/0 at a.go:9",
			"main.1/1 arm chan 1 after main/1",
			"nobody send chan 1 after main/1 after main.1/1",
			"main/2 recv chan 1 after main.1/1",
			"main/3 stop chan 1 after main.1/1",
			"main.1/3 go timer 1 1 with main.1.1/0 after main/1",
			"nobody fire timer 1 with main.1.1/0 after main/1 after main.1/3",
			"main.1.1/1 send chan 2 after main/1 after main.1/3",
			"main/4 stop timer 1 after main.1/3",
		}},
		{"a timer that is gone before it fired", Options{Sparse: true}, []ring.Record{
			rec(ring.KindTimerArm, 1, 400, 8), rec(ring.KindFree, 0, 400, 8), rec(ring.KindTimerArm, 1, 400, 8),
			rec(ring.KindCtxStart, 0, 9, 0), rec(ring.KindAcquire, 9, 400, 0, ring.OpTimer), goRec(9, 3),
			rec(ring.KindFree, 0, 400, 8),
		}, []string{
			"main/1 go timer 1 1 with main.1/0",
			"main.1/1 end after main/1",
			"nobody free timer 1",
			"main/2 go timer 2 1 with main.2/0",
			"nobody fire timer 2 with main.2/0 after main/2",
			"nobody free timer 2",
		}},
		{"failures, the outside, and memory", Options{}, []ring.Record{
			rec(ring.KindOutside, 1, 100, 0), rec(ring.KindOutside, 1, 100, 0, 1),
			rec(ring.KindMisuse, 1, 100, 0, ring.MisuseSendClosed), rec(ring.KindRecvClosed, 1, 100, 0, ring.OpSend),
			rec(ring.KindMisuse, 1, 200, 0, ring.MisuseUnlock), rec(ring.KindMisuse, 1, 0, 0, ring.MisuseCloseNil),
			rec(ring.KindAtomicLoad, 1, 300, 7), rec(ring.KindAtomicRMW, 1, 300, 7),
			rec(ring.KindFree, 1, 96, 16), rec(ring.KindFree, 0, 0, 1<<20), rec(ring.KindSend, 1, 100, 0),
		}, []string{
			"main/1 outside chan 1",
			"main/2 outside chan 1 1",
			"main/3 misuse chan 1 1",
			"main/5 misuse mutex 1 6",
			"main/6 misuse 3",
			"main/7 load [300]",
			"main/8 store 1 [300]",
			"nobody free chan 1",
			"nobody free mutex 1",
			"main/9 send chan 2",
		}},
		{"unnamed", Options{}, []ring.Record{
			rec(ring.KindThreadStart, 4, 0, 8), rec(ring.KindThreadStart, 5, 0, 8), rec(ring.KindSend, 5, 100, 0),
			goRec(5, 6), goRec(6, 7), rec(ring.KindRecv, 4, 100, 0), rec(ring.KindEnd, 4, 0, 0),
		}, []string{
			"env.1/1 send chan 1",
			"env.1/2 go with env.1.1/0 at a.go:9",
			"env.1.1/1 go with env.1.1.1/0 at a.go:9 after env.1/2",
			"env.2/1 recv chan 1 after env.1/1",
			"env.2/2 end after env.1/1",
		}},
		{"finalizers", Options{Env: true}, []ring.Record{
			goRec(1, 2), rec(ring.KindEnd, 2, 0, 0), goRec(1, 3), rec(ring.KindSend, 3, 100, 0),
			rec(ring.KindThreadStart, 4, 0, 8), rec(ring.KindFinGo, 4, 0, 0), rec(ring.KindSend, 4, 200, 0),
		}, []string{
			"main/1 go with main.1/0 at a.go:9",
			"main.1/1 end after main/1",
			"main/2 go with main.2/0 at a.go:9",
			"main.2/1 send chan 1 after main/2",
			"env.1/2 send chan 2 after main/2 after main.1/1 after main.2/1",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, ops := watchRun(t, tt.records, tt.opt)
			got := opLines(p, ops)
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], " at a.go:0", "")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if s := p.Stats(); s.Corrupt != 0 || s.Unwatched != "" {
				t.Errorf("corrupt: %d, first %s; unwatched %q", s.Corrupt, s.First, s.Unwatched)
			}
		})
	}
}

// watcherFor is a watcher for half of the fuzzer's inputs, which looks at all that it receives.
func watcherFor(t tb, flags byte) op.Watcher {
	if flags&16 == 0 {
		return nil
	}
	return &judge{t: t}
}

// judge checks what holds for the operations of any records.
type judge struct {
	t     tb
	tasks int
	last  map[op.Task]int32
}

func (j *judge) Op(o *op.Op) {
	if j.last == nil {
		j.last, j.tasks = map[op.Task]int32{}, 1
	}
	if o.Kind == op.None || o.Kind >= op.KindCount {
		j.t.Fatalf("kind %d", o.Kind)
	}
	for _, side := range []struct {
		task op.Task
		k    int32
	}{{o.Task, o.K}, {o.Other, o.OtherK}} {
		if side.task == op.NoTask || side.k == 0 {
			continue
		}
		if last := j.last[side.task]; side.k <= last {
			j.t.Fatalf("operation %d of task %d after %d", side.k, side.task, last)
		}
		j.last[side.task] = side.k
	}
	for task := range j.last {
		full, free := o.Full.At(int32(task)), o.Free.At(int32(task))
		if free > full {
			j.t.Fatalf("%s: task %d is known up to %d without locks, %d with", o.Kind, task, free, full)
		}
		if data := o.Data.At(int32(task)); o.Data != nil && data < free {
			j.t.Fatalf("%s: task %d is known up to %d by what is read, too, and %d without", o.Kind, task, data, free)
		}
	}
}
