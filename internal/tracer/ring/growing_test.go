//go:build linux

package ring

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// grow makes a file of that many slots, and maps it as the program that writes it does.
func grow(t testing.TB, slots int) (name string, p producer) {
	name = filepath.Join(t.TempDir(), "trace")
	content := file(slots, func(producer) {})
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	mem, err := mapFile(f, len(content))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unmap(mem) })
	return name, producer{mem}
}

// Each record is read once, as soon as it and all before it are published, whenever the reader
// looks.
func TestGrowingFile(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name, p := grow(t, 400)
		r, err := OpenGrowingFile(name)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		type written struct {
			first uint64
			rec   *Record
		}
		var got, want []Record // read, and published without one missing before them
		var open []written     // in the order of their slots
		reserved := uint64(0)
		published := map[uint64]bool{}
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			switch rapid.IntRange(0, 3).Draw(rt, "step") {
			case 0, 1:
				payload := bytes.Repeat([]byte{7}, PayloadPerSlot*rapid.IntRange(0, 3).Draw(rt, "extra"))
				rec := &Record{Kind: KindEnd, Addr: reserved, Payload: payload}
				first, ok := p.reserve(1 + uint64(len(payload)/PayloadPerSlot))
				if !ok {
					continue
				}
				reserved++
				open = append(open, written{first, rec})
			case 2:
				if len(open) > 0 {
					w := open[rapid.IntRange(0, len(open)-1).Draw(rt, "which")]
					p.fill(w.first, w.rec, true)
					published[w.first] = true
				}
			case 3:
				for len(open) > 0 && published[open[0].first] {
					want, open = append(want, *open[0].rec), open[1:]
				}
				got = append(got, readOn(t, r)...)
				compareRecords(rt, got, want)
			}
		}
	})
}

// readOn reads what there is by now.
func readOn(t *testing.T, r *GrowingFile) (got []Record) {
	t.Helper()
	if err := r.More(); err != nil {
		t.Fatal(err)
	}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		c := *rec
		c.Index, c.Payload = 0, bytes.Clone(rec.Payload)
		got = append(got, c)
	}
}

func compareRecords(rt *rapid.T, got, want []Record) {
	if len(got) != len(want) {
		rt.Fatalf("%d records, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i].Addr != want[i].Addr || !bytes.Equal(got[i].Payload, want[i].Payload) {
			rt.Fatalf("record %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

// The reader asks the program by the header that both share.
func TestGrowingFileAsks(t *testing.T) {
	name, p := grow(t, 8)
	r, err := OpenGrowingFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	look := (*uint32)(unsafe.Pointer(&p.mem[OffLook]))
	asks := func() []bool { return []bool{r.LookNow(), r.Looks()} }
	if got := asks(); !reflect.DeepEqual(got, []bool{false, false}) {
		t.Errorf("a program that does not look: %v", got)
	}
	*look = LookReady
	if got := asks(); !reflect.DeepEqual(got, []bool{true, true}) || *look != LookNow {
		t.Errorf("a program that looks: %v, %d", got, *look)
	}
	*look = LookReady
	if r.Looks() {
		t.Error("it looks, though it has answered")
	}
}
