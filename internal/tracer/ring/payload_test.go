package ring

import (
	"encoding/binary"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func payloadOf(words ...uint64) []byte {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	for len(b)%PayloadPerSlot != 0 {
		b = append(b, 0)
	}
	return b
}

// A payload is read as it was written, including the return addresses behind it.
func TestPayload(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pcs := rapid.SliceOfN(rapid.Uint64Min(1), 0, BlockPCs).Draw(t, "pcs")
		r := Record{Kind: rapid.SampledFrom([]Kind{KindBlock, KindSelect, KindMisuse, KindRead, KindWrite}).Draw(t,
			"kind"), PC: [PCs]uint64{7}}
		if r.Kind == KindRead || r.Kind == KindWrite {
			want := Access{
				Ctx: uint64(rapid.Uint32().Draw(t, "ctx")), Count: uint64(rapid.Uint32().Draw(t, "count")),
				Writes: rapid.Bool().Draw(t, "writes"), Atomic: rapid.Bool().Draw(t, "atomic"), PC: [PCs]uint64{8, 9},
			}
			var flags uint64
			if want.Writes {
				flags |= AccessWrites
			}
			if want.Atomic {
				flags |= AccessAtomic
			}
			r.Payload = payloadOf(append([]uint64{want.Ctx<<MomentShift | want.Count, flags, 8, 9}, pcs...)...)
			if got, ok := r.Conflict(); !ok || got != want {
				t.Fatal(got, ok)
			}
		} else {
			want := rapid.SliceOf(rapid.Map(rapid.Uint64(),
				func(a uint64) Case { return Case{a &^ CaseSend, a&CaseSend != 0} })).Draw(t, "cases")
			more := rapid.Int64Range(0, 9).Draw(t, "more")
			words := []uint64{uint64(len(want)) | uint64(more)<<CasesMoreShift}
			for _, c := range want {
				word := c.Channel
				if c.Send {
					word |= CaseSend
				}
				words = append(words, word)
			}
			r.Payload = payloadOf(append(words, pcs...)...)
			n, besides := r.Cases()
			if n != len(want) || besides != more {
				t.Fatal(n, besides)
			}
			for i, c := range want {
				if got := r.Case(i); got != c {
					t.Fatal(i, got)
				}
			}
		}
		if got := slices.Collect(r.Stack()); !slices.Equal(got, append([]uint64{7}, pcs...)) {
			t.Fatal(got)
		}
	})
}

// A payload that makes no sense is read within its bounds.
func TestScribbledPayload(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Record{Kind: Kind(rapid.Uint8().Draw(t, "kind")), Payload: rapid.SliceOf(rapid.Byte()).Draw(t, "payload")}
		n, _ := r.Cases()
		if 8*n > len(r.Payload) {
			t.Fatalf("%d cases in %d bytes", n, len(r.Payload))
		}
		if stack := slices.Collect(r.Stack()); 8*len(stack) > len(r.Payload) {
			t.Fatalf("%d addresses in %d bytes", len(stack), len(r.Payload))
		}
		r.Conflict()
	})
}
