package snapshot

import (
	"bytes"
	"cmp"
	"math"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tracer/event"
)

// node is a state with everything in it.
type node struct {
	Small  int8
	Large  int64
	Count  uint32
	Is     bool
	Name   string
	Value  event.Value
	Header *event.Header
	List   []int
	By     map[string]uint64
	Next   *node
	Other  *leaf
}

type leaf struct{ K int }

func (n *node) snapshot(snap *Codec) {
	Int(snap, &n.Small)
	Int(snap, &n.Large)
	Uint(snap, &n.Count)
	snap.Bool(&n.Is)
	snap.String(&n.Name)
	snap.Value(&n.Value)
	if snap.Err() == nil {
		snap.Header(&n.Header)
	}
	Slice(snap, &n.List, func(i *int) { Int(snap, i) })
	Map(snap, &n.By, cmp.Compare, snap.String, func(u *uint64) { Uint(snap, u) })
	Pointer(snap, &n.Next, func(n *node) { n.snapshot(snap) })
	Pointer(snap, &n.Other, func(l *leaf) { Int(snap, &l.K) })
}

func sample() *node {
	h := &event.Header{Version: 1, Tasks: []string{"main"}, Run: "r"}
	one := &leaf{7}
	n := &node{
		Small: math.MinInt8, Large: math.MinInt64, Count: math.MaxUint32, Is: true, Name: "né\x00", Header: h,
		Value: event.ListValue([]event.Value{event.IntValue(3), event.StringValue("x")}),
		List:  []int{0, -1, 1 << 40}, By: map[string]uint64{"a": 1, "": math.MaxUint64}, Other: one,
	}
	n.Next = &node{Value: event.NullValue(), Header: h, Other: one, Next: n, By: map[string]uint64{}}
	return n
}

func TestRoundTrip(t *testing.T) {
	n := sample()
	w := NewWriter()
	n.snapshot(w)
	var read node
	a := NewReader(w.Bytes())
	if read.snapshot(a); a.End() != nil {
		t.Fatal(a.End())
	}
	if read.Next.Next.Next != read.Next || read.Next.Other != read.Other {
		t.Error("pointers that were equal are not")
	}
	n.Next.Next, read.Next.Next = nil, nil
	if diff := gocmp.Diff(n, &read); diff != "" {
		t.Error(diff)
	}
}

func TestMistakes(t *testing.T) {
	for data, want := range map[string]string{
		"":                                 "byte 0 of a snapshot of 0: no number",
		"\x80\x04":                         "is out of range",
		"\x00\x00\xff\xff\xff\xff\xff\x0f": "is out of range",
		"\x00\x00\x00\x02":                 "2 is no boolean",
		"\x00\x00\x00\x00\x05abc":          "a length of 5 with 3 bytes left",
		"\x00\x00\x00\x00\x00\xff":         "snapshot of 6",
	} {
		var n node
		a := NewReader([]byte(data))
		if n.snapshot(a); a.Err() == nil || !strings.Contains(a.Err().Error(), want) {
			t.Errorf("%q: %v, not %s", data, a.Err(), want)
		}
	}
	a := NewReader([]byte{1, 2, 2})
	var p, q *leaf
	Pointer(a, &p, func(l *leaf) { Int(a, &l.K) })
	Pointer(a, &q, nil)
	if p != q || a.End() != nil {
		t.Error(p, q, a.End())
	}
	a = NewReader([]byte{1, 2, 2})
	Pointer(a, &p, func(l *leaf) { Int(a, &l.K) })
	var other *int
	if Pointer(a, &other, nil); a.Err() == nil || other != nil {
		t.Error("a pointer of another type")
	}
	a = NewReader([]byte{9})
	if Pointer(a, &other, nil); a.Err() == nil {
		t.Error("a pointer to nothing")
	}
	a = NewReader([]byte{0, 0})
	var i int
	if Int(a, &i); a.End() == nil {
		t.Error("a byte is left")
	}
}

// FuzzRead reads whatever comes. What can be read is written as bytes that give the same state
// again.
func FuzzRead(f *testing.F) {
	w := NewWriter()
	sample().snapshot(w)
	f.Add(w.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		written, err := rewrite(data)
		if err != nil {
			return
		}
		again, err := rewrite(written)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if !bytes.Equal(again, written) {
			t.Fatalf("%x was read, but written as %x", written, again)
		}
	})
}

// rewrite reads a state and writes it.
func rewrite(data []byte) ([]byte, error) {
	var n node
	a := NewReader(data)
	if n.snapshot(a); a.End() != nil {
		return nil, a.End()
	}
	w := NewWriter()
	n.snapshot(w)
	return w.Bytes(), w.End()
}
