package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/segmentio/kafka-go/compress"
)

// errTooLarge says that a batch decompresses to more than the limit.
var errTooLarge = errors.New("it unfolds to too much")

// unfolder decompresses batches, up to a limit. It is for one goroutine at a time.
type unfolder struct {
	limit   int // of the bytes of a batch
	zstd    *zstd.Decoder
	scratch bytes.Buffer // the first piece of a batch
}

// unfold decompresses bytes into memory of its own.
func (u *unfolder) unfold(codec compress.Compression, b []byte) ([]byte, error) {
	switch codec {
	case compress.Zstd:
		return u.unfoldZstd(b)
	case compress.Snappy:
		return u.unfoldSnappy(b)
	case compress.Gzip, compress.Lz4:
		return u.read(codec.Codec().NewReader(bytes.NewReader(b)))
	}
	return nil, fmt.Errorf("compression %d is not known", codec)
}

// pieceBytes is the size of the pieces in which decompressed bytes are read.
const pieceBytes = 2 << 20

// read reads to the end. It collects a large batch in pieces first: memory that doubles as it is
// filled would need four times as much for a moment.
func (u *unfolder) read(r io.ReadCloser) ([]byte, error) {
	defer r.Close()
	u.scratch.Reset()
	if _, err := u.scratch.ReadFrom(io.LimitReader(r, pieceBytes)); err != nil {
		return nil, err
	}
	pieces := [][]byte{u.scratch.Bytes()}
	size := u.scratch.Len()
	for last := size < pieceBytes; !last && size <= u.limit; {
		piece := make([]byte, pieceBytes)
		n, err := io.ReadFull(r, piece)
		if last = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); err != nil && !last {
			return nil, err
		}
		pieces = append(pieces, piece[:n])
		size += n
	}
	if size > u.limit {
		return nil, errTooLarge
	}
	return bytes.Join(pieces, nil), nil
}

func (u *unfolder) unfoldZstd(b []byte) ([]byte, error) {
	if u.zstd == nil {
		var err error
		u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(uint64(u.limit)))
		if err != nil {
			return nil, err
		}
	}
	out, err := u.zstd.DecodeAll(b, nil)
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, zstd.ErrWindowSizeExceeded) || len(out) > u.limit {
		return nil, errTooLarge
	}
	return out, err
}

// xerial begins the snappy format of the Java library: blocks, each after its length. Others write
// one block.
var xerial = []byte{0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0}

// unfoldSnappy replaces compress.Snappy, which allocates the length that a block claims, up to 4
// GiB.
func (u *unfolder) unfoldSnappy(b []byte) ([]byte, error) {
	const header = 16 // with two versions
	if len(b) < header || !bytes.HasPrefix(b, xerial) {
		return u.unfoldBlock(nil, b)
	}
	out := make([]byte, 0, min(2*len(b), u.limit))
	for b = b[header:]; len(b) > 0; {
		if len(b) < 4 {
			return nil, io.ErrUnexpectedEOF
		}
		size := binary.BigEndian.Uint32(b)
		if b = b[4:]; uint64(size) > uint64(len(b)) {
			return nil, io.ErrUnexpectedEOF
		}
		var err error
		if out, err = u.unfoldBlock(out, b[:size]); err != nil {
			return nil, err
		}
		b = b[size:]
	}
	return out, nil
}

// unfoldBlock appends a block of snappy.
func (u *unfolder) unfoldBlock(out, block []byte) ([]byte, error) {
	n, err := s2.DecodedLen(block)
	if err != nil {
		return nil, err
	}
	if n > u.limit-len(out) {
		return nil, errTooLarge
	}
	// A byte decompresses to 64 at most, so a false length costs nothing.
	if n > 64*len(block) {
		return nil, s2.ErrCorrupt
	}
	at := len(out)
	out = append(out, make([]byte, n)...)
	if _, err := s2.Decode(out[at:], block); err != nil {
		return nil, err
	}
	return out, nil
}

func (u *unfolder) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}
