package event

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
)

// A block of one or two events is not compressible. It is stored in an uncompressed frame of zstd
// (RFC 8878, §3.1.1):
//
//	magic number                      28 b5 2f fd
//	descriptor: a checksum, no size   04
//	window of 1 KiB                   00
//	last block, stored, and its size  24 bits
//	content
//	checksum                          the lowest 32 bits of XXH64
//
// Decoding such a frame here takes a tenth of the time of a general decoder, which is made for
// larger ones.

const (
	storedStart = "\x28\xb5\x2f\xfd\x04\x00"
	storedMost  = 1 << 10
)

// storedFrame returns the content of such a frame, false if it has another form, or is damaged.
func storedFrame(frame []byte) (content []byte, ok bool) {
	const head = len(storedStart) + 3
	if len(frame) < head+4 || string(frame[:len(storedStart)]) != storedStart {
		return nil, false
	}
	block := uint32(frame[6]) | uint32(frame[7])<<8 | uint32(frame[8])<<16
	const last, kinds, stored = 1, 6, 0
	size := int(block >> 3)
	if block&last == 0 || block&kinds != stored || size == 0 || size > storedMost || len(frame) != head+size+4 {
		return nil, false
	}
	content = frame[head : head+size]
	return content, uint32(xxhash.Sum64(content)) == binary.LittleEndian.Uint32(frame[head+size:])
}
