package kafkaservice

import (
	"strings"
	"testing"

	"github.com/rs/zerolog"
)

// A run in two partitions is warned of, but not one that goes on in another partition after it was
// over.
func TestPartitionTracker(t *testing.T) {
	var log strings.Builder
	tracker := partitionTracker{log: zerolog.New(&log), byRun: map[string]int32{}}
	tracker.track("r", 1, true)
	tracker.track("r", 1, true)
	tracker.track("other", 2, true)
	tracker.track("r", 1, false)
	tracker.track("r", 2, true)
	tracker.track("r", 1, false) // not the first partition any more
	if log.Len() > 0 {
		t.Errorf("logged %s", log.String())
	}
	tracker.track("r", 1, true)
	if !strings.Contains(log.String(), `"run":"r","partitions":[2,1],"message":"a run in two partitions`) {
		t.Errorf("logged %q", log.String())
	}
}
