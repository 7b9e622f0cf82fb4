package builtins

import (
	"bytes"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// FuzzOperations reads traces whose records may be anything: what is found in them is no matter,
// but that it ends.
func FuzzOperations(f *testing.F) {
	var line []byte
	for k := event.RecordKind(1); k < ring.KindCount; k++ {
		r := new(event.Record)
		r.Kind, r.Ctx, r.Addr, r.Aux, r.Arg, r.PC[0] = k, 1, 0x1000, 0x1000, 1, 5
		r.Payload = make([]byte, 56)
		r.Payload[0], r.Payload[8] = 1, 9
		line = append(event.AppendText(line, &event.Event{Record: r}), '\n')
		for o := ring.Op(1); o < ring.OpCount && k == ring.KindAcquire; o++ {
			r.Arg = uint64(o)
			line = append(event.AppendText(line, &event.Event{Record: r}), '\n')
		}
	}
	f.Add(line, true)
	f.Add([]byte(`{"rec":"go","g":1,"on":"2","of":"5","pc":["7"]}
{"code":{"pc":"5","func":"main.f","calls":[]}}
{"rec":"acquire","op":"lock","g":2,"on":"1000","of":"1000","pc":["7"]}
{"rec":"block","op":"lock","g":1,"on":"1000","of":"1000","data":["0","9"]}
{"rec":"end","g":2}
`), false)
	f.Fuzz(func(t *testing.T, lines []byte, env bool) {
		h := &event.Header{Version: 2, Tasks: []string{"main"}, Operations: &event.Operations{Accesses: true, Env: env}}
		k := New(h, config)
		r := event.NewPartReader(event.Limits{})
		if _, err := r.Open(lines, "lines"); err != nil {
			return
		}
		for e := new(event.Event); r.Next(e) == nil; {
			k.Add(e)
		}
		w := snapshot.NewWriter()
		k.Snapshot(w)
		read := snapshot.NewReader(bytes.Clone(w.Bytes()))
		k = New(h, config)
		if k.Snapshot(read); read.End() != nil {
			t.Fatal(read.End())
		}
		textOf(t, k.Results(""))
	})
}
