package kafkaservice

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// A dead letter has the headers of its record, as they came if they are wrong, as far as there is
// room, and why it is one and where it was.
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
		{[]record.Header{header("antichain-source", "a"), header("antichain-seq", "1"), header("k\xff", "\x00")},
			[]string{"antichain-source=a", "antichain-seq=1", "k\xff=\x00"}},
		{[]record.Header{header("antichain-source", "a"), header("antichain-seq", "zero"), header("k", "v")},
			[]string{"antichain-source=a", "antichain-seq=zero", "k=v"}},
		{[]record.Header{header("antichain-seq", "1")}, []string{"antichain-seq=1"}},
		{[]record.Header{header(reasonHeader, "old"), header(atHeader, "old"), header(sizeHeader, "old"),
			header("k", "v")}, []string{"k=v"}},
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
