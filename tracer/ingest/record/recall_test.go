package record

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// TestRecallSources: recalled sources recognise the records that were read, and that one says
// something else now. Damaged texts are no sources, or other ones, and nothing worse.
func TestRecallSources(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all Sources
		var read []*Record
		for i := range rapid.IntRange(0, 3).Draw(t, "sources") {
			for seq := range rapid.Uint64Range(0, 40).Draw(t, "records") {
				r := &Record{Source: fmt.Sprint("source ", i), Seq: seq + 1, Value: fmt.Append(nil, seq)}
				if _, err := all.Take(nil, r, 0); err != nil {
					t.Fatal(err)
				}
				read = append(read, r)
			}
		}
		text := string(all.AppendRead(nil))
		recalled, ok := RecallSources(text)
		if !ok {
			t.Fatal("damaged")
		}
		for _, r := range read {
			if !recalled.Seen(r) || recalled.Differs(r) != nil {
				t.Fatalf("record %d of %s is not recognised", r.Seq, r.Source)
			}
			other := *r
			other.Value = []byte("other")
			if recalled.Differs(&other) == nil != (all.Differs(&other) == nil) {
				t.Fatalf("record %d of %s says something else", r.Seq, r.Source)
			}
			other.Seq = 1000
			if recalled.Seen(&other) {
				t.Fatal("a later record is taken for a repeated one")
			}
		}
		if _, ok := RecallSources(text[:len(text)-1]); ok {
			t.Fatal("nothing is damaged")
		}
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		RecallSources(text[:at] + string(rune(rapid.Byte().Draw(t, "byte"))) + text[at+1:])
	})
}
