//go:build linux

package ring

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// file lays out the bytes that a program in append mode leaves.
func file(slots int, write func(producer)) []byte {
	p := producer{make([]byte, HeaderSize+slots*SlotSize)}
	binary.LittleEndian.PutUint64(p.mem[OffMagic:], Magic)
	binary.LittleEndian.PutUint32(p.mem[OffVersion:], Version)
	binary.LittleEndian.PutUint32(p.mem[OffMode:], ModeAppend)
	write(p)
	return p.mem
}

func readFile(t testing.TB, content []byte) ([]Record, *FileReader, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := OpenFile(name)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	var got []Record
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return got, r, nil
		}
		if err != nil {
			return got, r, err
		}
		c := *rec
		c.Index, c.Payload = 0, bytes.Clone(rec.Payload)
		got = append(got, c)
	}
}

func TestFile(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var want []Record
		content := file(4000, func(p producer) {
			for range rapid.IntRange(0, 12).Draw(rt, "records") {
				if rapid.IntRange(0, 5).Draw(rt, "hole") == 0 {
					p.reserve(1)
				}
				rec := genRecord(rt)
				p.put(rec)
				want = append(want, *rec)
			}
			*p.word(OffProd) += ClosedBit
		})
		got, r, err := readFile(t, content)
		if err != nil {
			rt.Fatal(err)
		}
		if !reflect.DeepEqual(want, got) { // cmp alone is slow on long payloads
			rt.Fatal(cmp.Diff(want, got))
		}
		if !r.Clean() || r.Stats().Missing() != 0 {
			rt.Fatalf("clean %v, stats %+v", r.Clean(), r.Stats())
		}
	})
}

func TestFileCut(t *testing.T) {
	content := file(8, func(p producer) {
		for p.put(&Record{Kind: KindEnd, Ctx: 9}) {
		}
		*p.word(OffLost) = 7
		*p.word(OffForgot) = 1
	})
	got, r, err := readFile(t, content[:HeaderSize+5*SlotSize+10])
	if err != nil || len(got) != 5 {
		t.Fatalf("%d records, %v", len(got), err)
	}
	if r.Clean() || r.Stats().Lost != 7 || !r.Stats().Forgot {
		t.Errorf("clean %v, stats %+v", r.Clean(), r.Stats())
	}
}

func FuzzFile(f *testing.F) {
	f.Add([]byte("not a trace"))
	f.Add(file(4, func(p producer) { p.put(&Record{Kind: KindEnd}) }))
	f.Add(file(300, func(p producer) {
		p.put(&Record{Kind: KindEnter, Payload: make([]byte, 200*PayloadPerSlot)})
		*p.word(OffProd) = 1 << 40
	}))
	f.Fuzz(func(t *testing.T, content []byte) {
		got, r, err := readFile(t, content)
		if err == nil && uint64(len(got)) != r.Stats().Records {
			t.Errorf("%d records, stats %+v", len(got), r.Stats())
		}
		if len(got) > len(content)/SlotSize {
			t.Errorf("%d records from %d bytes", len(got), len(content))
		}
	})
}
