package event

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

// TestStoredFrame compares with the decoder of zstd: what is taken apart is what that makes of it,
// also of frames that are damaged or put together by chance, and small blocks are.
func TestStoredFrame(t *testing.T) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 100, 250} {
		content := make([]byte, n)
		for i := range content {
			content[i] = byte(random.Uint32())
		}
		if got, ok := storedFrame(w.EncodeAll(content, nil)); !ok || !bytes.Equal(got, content) {
			t.Fatalf("%d bytes that cannot be made shorter: %x, %v, not %x", n, got, ok, content)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SliceOfN(rapid.Byte(), 0, 1100).Draw(t, "content")
		frame := w.EncodeAll(content, nil)
		if rapid.Bool().Draw(t, "damaged") && len(frame) > 0 {
			frame = frame[:rapid.IntRange(0, len(frame)).Draw(t, "length")]
			for range rapid.IntRange(0, 2).Draw(t, "changes") {
				if len(frame) > 0 {
					frame[rapid.IntRange(0, min(len(frame)-1, 12)).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t,
						"bit")
				}
			}
			frame = append(frame, rapid.SliceOfN(rapid.Byte(), 0, 2).Draw(t, "more")...)
		}
		got, ok := storedFrame(frame)
		if !ok {
			return
		}
		if want, err := r.DecodeAll(frame, nil); err != nil || !bytes.Equal(want, got) {
			t.Fatalf("%x: %x, not %x, %v", frame, got, want, err)
		}
	})
}
