package event

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

func newBlockEncoder() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
}

// blockDecoder decompresses blocks.
type blockDecoder struct {
	limit  uint64 // of the bytes of a block
	remedy string // for a larger one
	zstd   *zstd.Decoder
	raw    []byte // backs the block
}

// check checks what a block says of itself.
func (d *blockDecoder) check(events, size uint64) error {
	if size > d.limit {
		return &lineError{reason: fmt.Sprintf("block of %d bytes, more than %d", size, d.limit), remedy: d.remedy}
	}
	if events == 0 || events > size {
		return lineErrorf("block of %d bytes with %d events", size, events)
	}
	return nil
}

// decode returns the content of a block, which is valid until the next call.
func (d *blockDecoder) decode(packed []byte, size uint64) (_ []byte, err error) {
	if raw, ok := storedFrame(packed); ok {
		d.raw = append(d.raw[:0], raw...)
	} else {
		if d.zstd == nil {
			if d.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
				zstd.WithDecoderMaxMemory(d.limit)); err != nil {
				return nil, err
			}
		}
		if d.raw, err = d.zstd.DecodeAll(packed, d.raw[:0]); err != nil {
			return nil, lineErrorf("damaged block: %v", err)
		}
	}
	if uint64(len(d.raw)) != size {
		return nil, lineErrorf("damaged block: %d bytes instead of %d", len(d.raw), size)
	}
	return d.raw, nil
}
