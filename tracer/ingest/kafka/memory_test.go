package kafka

import "testing"

// TestMemoryOfQueues: all partitions together have half of the memory for records that wait, no
// partition more than without a limit, and each enough to go on.
func TestMemoryOfQueues(t *testing.T) {
	for _, tt := range []struct {
		memory, partitions int
		room, portion      int
	}{
		{0, 48, queueBytes, 50 << 20},
		{64 << 20, 1, queueBytes, 4 << 20},
		{64 << 20, 16, 2 << 20, 4 << 20},
		{64 << 20, 0, queueBytes, 4 << 20},
		{1 << 20, 1000, leastQueueBytes, 1 << 20},
		{4 << 30, 12, queueBytes, 50 << 20},
	} {
		c := GroupConfig{Memory: tt.memory}
		if room, portion := c.queueRoom(tt.partitions), c.portion(); room != tt.room || portion != tt.portion {
			t.Errorf("%d bytes and %d partitions: %d and %d, not %d and %d", tt.memory, tt.partitions, room, portion,
				tt.room, tt.portion)
		}
	}
}
