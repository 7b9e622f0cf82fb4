package process

import (
	"encoding/binary"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// FuzzRecords feeds arbitrary records: whatever comes in, what goes out is a trace.
func FuzzRecords(f *testing.F) {
	for _, tt := range edges {
		f.Add(encode(whole(tt.between)), byte(1))
		f.Add(encode(whole(tt.between)), byte(2))
		f.Add(encode(whole(tt.between)), byte(8))
	}
	threads := encode([]ring.Record{
		rec(ring.KindThreadStart, 4, 0, 8), enterRec(4), rec(ring.KindThreadStart, 4, 0, 8),
		rec(ring.KindFinGo, 4, 0, 0),
		rec(ring.KindTimerArm, 1, 300, 8), rec(ring.KindTimerArm, 1, 300, 8), rec(ring.KindCtxStart, 0, 9, 0),
		rec(ring.KindAcquire, 9, 300, 0, ring.OpTimer), goRec(9, 10), enterRec(10),
		{Kind: ring.KindExit, Ctx: 10, Addr: exitF, Payload: values(1)},
		{Kind: ring.KindStmt, Ctx: 10, Addr: stmtS, Payload: values(1, 2, "x")},
		{Kind: ring.KindSharedInit, Ctx: 1, Addr: initSites, Payload: values(1)},
	})
	f.Add(threads, byte(7))
	f.Add(threads, byte(10))
	f.Add(threads, byte(16+32+64))
	f.Fuzz(func(t *testing.T, data []byte, flags byte) {
		table := testTable()
		if flags&4 != 0 {
			table.Shared = []string{"v"}
			table.Sites[initSites].Vars = []site.Var{{Name: "v", Scope: site.Shared}}
			table.Sites[stmtS].Vars = append(table.Sites[stmtS].Vars, site.Var{Name: "v", Scope: site.Shared})
		}
		p := newProcess(t, table, Options{Full: flags&1 != 0, Env: flags&2 != 0, Sparse: flags&8 != 0,
			Watch:    watcherFor(t, flags),
			sections: flags&64 != 0, Accesses: flags&32 != 0})
		events := run(t, p, decode(data))
		accept(t, p.Header(), events)
		orderOf(t, p.Header(), events) // no cause is redundant
	})
}

// A record is coded in eight bytes, which helps the fuzzer to find contexts, addresses and sites
// that meet; one byte 255 makes a huge number. Then comes the payload.
func decode(data []byte) []ring.Record {
	var records []ring.Record
	number := func(b byte) uint64 {
		if b == 255 {
			return binary.LittleEndian.Uint64(append(data, make([]byte, 8)...))
		}
		return uint64(b)
	}
	for len(data) >= 8 {
		r := ring.Record{
			Kind: ring.Kind(data[0]), Ctx: number(data[1]) & ring.CtxMask, Addr: number(data[2]), Aux: number(data[3]),
			PC: [ring.PCs]uint64{number(data[4]), number(data[5])}, Arg: number(data[6]),
		}
		n := min(int(data[7]), len(data)-8)
		if n > 0 {
			r.Payload = data[8 : 8+n]
		}
		data = data[8+n:]
		records = append(records, r)
	}
	return records
}

func encode(records []ring.Record) []byte {
	var data []byte
	for _, r := range records {
		data = append(data, byte(r.Kind), byte(r.Ctx), byte(r.Addr), byte(r.Aux), byte(r.PC[0]), byte(r.PC[1]),
			byte(r.Arg), byte(len(r.Payload)))
		data = append(data, r.Payload...)
	}
	return data
}

// accept gives a trace to the reader of all traces, which refuses what docs/trace-format.md
// does not allow.
func accept(t tb, h *event.Header, events []event.Event) {
	t.Helper()
	b, err := san.NewBuilder(h)
	if err != nil {
		t.Fatalf("%v", err)
	}
	b.RequireMutual()
	for i := range events {
		if err := b.Add(&events[i], short(&events[i])); err != nil {
			t.Fatalf("event %d: %v", i, err)
		}
	}
	if _, err := b.Finish(); err != nil {
		t.Fatalf("%v", err)
	}
}
