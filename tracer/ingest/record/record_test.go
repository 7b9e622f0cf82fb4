package record

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

func TestHeaders(t *testing.T) {
	for _, r := range []Record{
		{}, {Source: "a", Seq: 1}, {Source: "", Seq: 12}, {Source: "a", Seq: 7, End: EndSource},
		{Source: "a", Seq: 7, End: EndSource | EndRun}, {Source: "a", Seq: 7, End: EndSource | EndRun | EndCut},
		{Source: "a", Seq: 7, Sources: 1}, {Source: "a", Seq: 7, End: EndSource, Sources: MaxSources},
	} {
		var read Record
		r.Other = []Header{{"traceparent", []byte("00-")}}
		if err := read.SetHeaders(append(r.Headers(), r.Other...)); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
		if diff := cmp.Diff(r, read); diff != "" {
			t.Error(diff)
		}
	}
	for want, headers := range map[string][]Header{
		`header antichain-seq is "0"`: {{SourceHeader, []byte("a")}, {SeqHeader, []byte("0")}},
		`header antichain-seq is "x"`: {{SourceHeader, []byte("a")}, {SeqHeader, []byte("x")}},
		`header antichain-seq is "-1"`: {{SourceHeader, []byte("a")},
			{SeqHeader, []byte("-1")}},
		`header antichain-end is "CUT"`: {{SourceHeader, []byte("a")}, {SeqHeader, []byte("1")},
			{EndHeader, []byte("CUT")}},
		`header antichain-end is "cut "`: {{SourceHeader, []byte("a")}, {SeqHeader, []byte("1")},
			{EndHeader, []byte("cut ")}},
		`header antichain-end is "run, cut"`: {{SourceHeader, []byte("a")}, {SeqHeader, []byte("1")},
			{EndHeader, []byte("run, cut")}},
		`header antichain-end is "aborted"`: {{SourceHeader, []byte("a")}, {SeqHeader, []byte("1")},
			{EndHeader, []byte("aborted")}},
		`header antichain-end is ""`: {{SourceHeader, []byte("a")}, {SeqHeader, []byte("1")},
			{EndHeader, nil}},
		`header antichain-source without antichain-seq`:     {{SourceHeader, []byte("a")}},
		`header antichain-seq without antichain-source`:     {{SeqHeader, []byte("1")}},
		`header antichain-sources without antichain-source`: {{SourcesHeader, []byte("1")}},
		`header antichain-sources is "0"`: {{SourceHeader, []byte("a")}, {SeqHeader, []byte("1")},
			{SourcesHeader, []byte("0")}},
		`header antichain-sources is "two"`:                  {{SourcesHeader, []byte("two")}},
		`header antichain-sources is "65537"`:                {{SourcesHeader, []byte("65537")}},
		`header antichain-sources is "18446744073709551617"`: {{SourcesHeader, []byte("18446744073709551617")}},
		`header antichain-seq is "111111111111111111111111111`: {{SourceHeader, nil},
			{SeqHeader, []byte(strings.Repeat("1", 1000))}},
	} {
		r := Record{At: "t/0@7"}
		err := r.SetHeaders(headers)
		if err == nil || !strings.HasPrefix(err.Error(), "t/0@7: "+want) || len(err.Error()) > 200 {
			t.Errorf("%v: %v, not %s", headers, err, want)
		}
		if diff := cmp.Diff(headers, append(r.Headers(), r.Other...)); diff != "" {
			t.Error(diff)
		}
	}
}

// FuzzHeaders reads arbitrary headers of a record. Valid ones are encoded again unchanged.
func FuzzHeaders(f *testing.F) {
	f.Add("a", "1", "run,cut", "2")
	f.Add("", "0", "", "65537")
	f.Fuzz(func(t *testing.T, source, seq, end, sources string) {
		r := Record{At: "here"}
		err := r.SetHeaders([]Header{
			{SourceHeader, []byte(source)}, {SeqHeader, []byte(seq)}, {EndHeader, []byte(end)},
			{SourcesHeader, []byte(sources)},
		})
		if err != nil {
			return
		}
		if r.Seq == 0 || r.End == 0 || r.Sources < 1 || r.Sources > MaxSources {
			t.Errorf("%+v", r)
		}
		again := Record{At: "here"}
		if err := again.SetHeaders(r.Headers()); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(r, again); diff != "" {
			t.Error(diff)
		}
	})
}

// TestSources lets the records of some sources come in any order, twice or not, and go through a
// snapshot: each is ready once, in the order of its source.
func TestSources(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []*Record
		last := map[string]uint64{}
		for _, source := range []string{"a", "b", "c"} {
			last[source] = rapid.Uint64Range(1, 8).Draw(t, "records")
			for seq := uint64(1); seq <= last[source]; seq++ {
				r := &Record{Source: source, Seq: seq, Value: []byte(fmt.Sprint(source, seq)), At: "here"}
				if seq == last[source] && source != "c" {
					r.End = EndSource
				}
				for range rapid.IntRange(1, 2).Draw(t, "times") {
					again := *r
					all = append(all, &again)
				}
			}
		}
		var s Sources
		next, seen, came := map[string]uint64{}, map[string]bool{}, map[string]bool{}
		for i, r := range rapid.Permutation(all).Draw(t, "order") {
			if rapid.IntRange(0, 4).Draw(t, "moved") == 0 {
				w := snapshot.NewWriter()
				s.Snapshot(w)
				s = Sources{}
				a := snapshot.NewReader(w.Bytes())
				if s.Snapshot(a); a.End() != nil {
					t.Fatal(a.End())
				}
			}
			if s.Seen(r) != came[string(r.Value)] {
				t.Fatalf("%s has been there: %v", r.Value, s.Seen(r))
			}
			came[string(r.Value)] = true
			ready, err := s.Take(nil, r, int64(i))
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range ready {
				if next[r.Source]++; r.Seq != next[r.Source] || string(r.Value) != fmt.Sprint(r.Source, r.Seq) {
					t.Fatalf("%+v, after %d", r, next[r.Source]-1)
				}
			}
			seen[r.Source] = true
			ended := true
			for source := range seen {
				ended = ended && source != "c" && next[source] == last[source]
			}
			if s.Ended() != ended {
				t.Fatalf("ended: %v, of %v with %v", s.Ended(), last, next)
			}
		}
		if diff := cmp.Diff(last, next); diff != "" {
			t.Fatal(diff)
		}
		if want := len(last) * (len("a") + overhead); s.Bytes() != want || s.Missing(1<<60) != nil {
			t.Fatalf("%d bytes for %d sources: %v", s.Bytes(), len(last), s.Missing(1<<60))
		}
	})
}

// A repeated record has the same contents, whether it was read or waits. Old ones are not
// recognised, nor those read before a snapshot.
func TestDiffers(t *testing.T) {
	var s Sources
	take := func(seq uint64, end End, value string) error {
		_, err := s.Take(nil, &Record{Source: "a", Seq: seq, End: end, Value: []byte(value), At: "here"}, 0)
		return err
	}
	for seq := range uint64(remembered + 2) {
		if err := take(seq+1, 0, fmt.Sprint(seq+1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := take(40, EndCut, "40"); err != nil { // it waits
		t.Fatal(err)
	}
	for _, restored := range []bool{false, true} {
		for _, tt := range []struct {
			seq     uint64
			end     End
			value   string
			differs bool
		}{
			{18, 0, "18", false}, {18, 0, "other", true}, {18, EndSource, "18", true},
			{3, 0, "3", false}, {3, 0, "other", true}, {2, 0, "other", false},
			{40, EndCut, "40", false}, {40, EndCut, "other", true}, {40, EndSource, "40", true},
		} {
			err := take(tt.seq, tt.end, tt.value)
			differs := tt.differs && (tt.seq == 40 || !restored)
			if (err != nil) != differs || differs &&
				!strings.Contains(err.Error(),
					fmt.Sprintf("record %d of source \"a\" has come before, and said something else", tt.seq)) {
				t.Errorf("%+v: %v", tt, err)
			}
		}
		w := snapshot.NewWriter()
		s.Snapshot(w)
		s = Sources{}
		if r := snapshot.NewReader(w.Bytes()); true {
			s.Snapshot(r)
			if err := r.End(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestMissing(t *testing.T) {
	var s Sources
	take := func(seq uint64, end End, now int64) error {
		_, err := s.Take(nil, &Record{Source: "a", Seq: seq, End: end, At: fmt.Sprint("at ", seq)}, now)
		return err
	}
	for i, seq := range []uint64{1, 3, 4} {
		if err := take(seq, 0, int64(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Missing(1); err != nil {
		t.Error(err)
	}
	if err := s.Missing(2); err == nil ||
		!strings.HasPrefix(err.Error(), `at 3: record 2 of source "a" did not come; this is record 3`) {
		t.Error(err)
	}
	if err := take(3, 0, 9); err != nil { // it has been there
		t.Error(err)
	}
	if err := take(2, EndSource, 9); err == nil ||
		!strings.Contains(err.Error(), "record 2 of source \"a\" is its last one, but there is record") {
		t.Error(err)
	}
	if err := take(6, EndSource, 9); err != nil {
		t.Error(err)
	}
	if err := take(7, 0, 9); err == nil || !strings.Contains(err.Error(), "whose last one is 6") {
		t.Error(err)
	}
}

// TestWriter cuts traces, and reads what comes.
func TestWriter(t *testing.T) {
	for _, text := range []bool{false, true} {
		var sent []*Record
		h := &event.Header{Tasks: []string{"a"}}
		w, err := NewWriter("R", "s", h, Options{Text: text, Events: 2}, func(r *Record) error {
			sent = append(sent, r)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{-1, 0, MaxSources + 1} {
			if err := w.SetSources(n); err == nil {
				t.Errorf("%d sources", n)
			}
		}
		for n := range 5 {
			if n == 3 {
				if err := w.SetSources(7); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Write(&event.Event{Task: "a", Op: "x"}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.End(EndRun); err != nil {
			t.Fatal(err)
		}
		if err := w.Write(&event.Event{Task: "a"}); err == nil {
			t.Error("written behind the end")
		}
		events, says := 0, 0
		reader := event.NewPartReader(event.Limits{})
		for i, r := range sent {
			if r.Run != "R" || r.Source != "s" || r.Seq != uint64(i+1) ||
				(r.End == EndSource|EndRun) != (i == len(sent)-1) {
				t.Errorf("record %d: %+v", i, r)
			}
			h, err := reader.Open(r.Value, "r")
			if err != nil || (h != nil) != (i == 0) {
				t.Errorf("record %d: header %v, %v", i, h, err)
			}
			if r.Sources > 0 {
				says++
				if r.Sources != 7 || events != 2 {
					t.Errorf("%d sources, behind %d events", r.Sources, events)
				}
			}
			for e := new(event.Event); reader.Next(e) == nil; {
				events++
			}
		}
		if says != 1 {
			t.Errorf("%d records say how many sources there are", says)
		}
		if events != 5 || len(sent) != map[bool]int{true: 4, false: 5}[text] {
			t.Errorf("%d events in %d records", events, len(sent))
		}
	}
}

// TestSetHeadersOfNext has headers mean the same whatever source the record had before.
func TestSetHeadersOfNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SampledFrom([]string{SourceHeader, SeqHeader, EndHeader, SourcesHeader, "other"})
		value := rapid.SampledFrom([]string{"", "a", "b", "1", "2", "run,cut", strings.Repeat("a", maxSource+1)})
		var headers []Header
		for range rapid.IntRange(0, 4).Draw(t, "headers") {
			headers = append(headers, Header{key.Draw(t, "key"), []byte(value.Draw(t, "value"))})
		}
		want, got := Record{}, Record{Source: rapid.SampledFrom([]string{"a", "b", "1"}).Draw(t, "before")}
		wrong, err := want.SetHeaders(headers), got.SetHeaders(headers)
		if fmt.Sprint(wrong) != fmt.Sprint(err) || !reflect.DeepEqual(want, got) {
			t.Fatalf("%+v, %v, not %+v, %v", got, err, want, wrong)
		}
	})
}
