package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// TestShort has verdicts of which each part that a run decides about is too long for a record.
func TestShort(t *testing.T) {
	long := strings.Repeat("\x01<é", maxVerdict)
	for _, v := range []*verdict{
		{Error: &long, Object: &report.Object{Verdict: verdictError}},
		{Object: &report.Object{Covered: long, Caveat: long}},
		{Event: &report.Ref{Task: long, K: 7}, Object: &report.Object{Witness: &report.Witness{
			TIVA: map[string]string{"t": long}, Slice: map[string]int64{long: 1}, Schedule: []report.Ref{{Task: long, K: 7}},
		}}},
	} {
		line := v.short().line()
		if len(line) > maxVerdict || !strings.Contains(string(line), `"left_out":"the `) || !strings.Contains(string(line), `\u0001<é`) {
			t.Errorf("%d bytes: %.200s", len(line), line)
		}
	}
	if beginningOf("text") != "text" {
		t.Error("a short text is changed")
	}
}

// A dead letter has the headers of its record, as they came if they are wrong, as far as there is room, and why it is one and where it was.
func TestLetterHeaders(t *testing.T) {
	header := func(key, value string) record.Header { return record.Header{Key: key, Value: []byte(value)} }
	many := []record.Header{}
	for range 100 {
		many = append(many, header("x", strings.Repeat("x", 2*maxWord)))
	}
	for _, test := range []struct {
		headers []record.Header
		want    []string
	}{
		{[]record.Header{header("antichain-source", "a"), header("antichain-seq", "1"), header("k\xff", "\x00")}, []string{"antichain-source=a", "antichain-seq=1", "k\xff=\x00"}},
		{[]record.Header{header("antichain-source", "a"), header("antichain-seq", "zero"), header("k", "v")}, []string{"antichain-source=a", "antichain-seq=zero", "k=v"}},
		{[]record.Header{header("antichain-seq", "1")}, []string{"antichain-seq=1"}},
		{[]record.Header{header(reasonHeader, "old"), header(atHeader, "old"), header(sizeHeader, "old"), header("k", "v")}, []string{"k=v"}},
		{many, []string{"x=" + strings.Repeat("x", maxWord)}},
	} {
		rec := &record.Record{At: "runs/0@7"}
		_ = rec.SetHeaders(test.headers)
		all, size := []string{}, 0
		for _, h := range letterHeaders(rec, errors.New("why")) {
			all = append(all, h.Key+"="+string(h.Value))
			size += len(h.Key) + len(h.Value)
		}
		for _, want := range append(test.want, "antichain-reason=why", "antichain-at=runs/0@7") {
			if !slices.Contains(all, want) {
				t.Errorf("%q lacks %q", all, want)
			}
		}
		if slices.ContainsFunc(all, func(h string) bool { return strings.HasSuffix(h, "=old") }) {
			t.Errorf("%q", all)
		}
		if size > maxForeign+maxWord {
			t.Errorf("%d bytes of headers", size)
		}
	}
}
