package testevents

import (
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"testing"
)

// What a test prints is kept in memory once, and not copied again for each further line.
func TestRecordOfMuchOutput(t *testing.T) {
	const count = 2000
	line, err := json.Marshal(Event{Action: "output", Package: "p", Test: "TestA", Output: strings.Repeat("x", 1023) + "\n"})
	if err != nil {
		t.Fatal(err)
	}
	s := PassOn(io.Discard, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range count {
		for _, piece := range [][]byte{line[:500], line[500:], {'\n'}} {
			if _, err := s.Write(piece); err != nil {
				t.Fatal(err)
			}
		}
	}
	runtime.ReadMemStats(&after)
	if got := len(s.Record.Packages[0].Tests[0].Output); got != count<<10 {
		t.Errorf("%d bytes are kept of %d", got, count<<10)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 100*count<<10 {
		t.Errorf("%d bytes were used for the %d of the output", used, count<<10)
	}
}
