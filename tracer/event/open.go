package event

import (
	"bufio"
	"compress/gzip"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Open returns a reader of a trace in either form, with default limits. It decompresses a trace
// that was compressed as a whole with gzip or zstd. The name is used in positions.
func Open(r io.Reader, name string) (Reader, error) {
	return OpenLimited(r, name, Limits{})
}

// OpenStream is Open for an input that may stay open after the end of a trace: a connection, or a
// file that is still being written. A binary trace ends at its end marker, without waiting for
// more.
func OpenStream(r io.Reader, name string) (Reader, error) {
	t, err := Open(r, name)
	if b, ok := t.(*BinaryReader); ok {
		b.stream = true
	}
	return t, err
}

// OpenLimited is Open with other limits.
func OpenLimited(r io.Reader, name string, limits Limits) (Reader, error) {
	limits = limits.withDefaults()
	in := bufio.NewReaderSize(r, 1<<16)
	plain, err := uncompress(in)
	if err != nil {
		return nil, ReadError(name, err)
	}
	if plain != nil {
		in = bufio.NewReaderSize(&limitedReader{r: plain, limit: limits.Total}, 1<<16)
	}
	// startsWith reads a byte at a time, because the source may send more only after its reader has
	// received these.
	if startsWith(in, BinaryMagic) {
		return newBinaryReader(in, name, limits), nil
	}
	return newTextReader(in, name, limits), nil
}

// Uncompressed returns the contents of r, decompressed up to limit bytes if r was compressed as a
// whole with gzip or zstd. Errors of the reader other than io.EOF are an [*Error] with the
// position.
func Uncompressed(r io.Reader, name string, limit int64) (io.Reader, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	plain, err := uncompress(in)
	switch {
	case err != nil:
		return nil, ReadError(name, err)
	case plain == nil:
		return &namedReader{in, name}, nil
	}
	return &namedReader{&limitedReader{r: plain, limit: limit}, name}, nil
}

// namedReader adds the name of its input to errors.
type namedReader struct {
	r    io.Reader
	name string
}

func (n *namedReader) Read(p []byte) (int, error) {
	k, err := n.r.Read(p)
	if err != nil && err != io.EOF {
		err = ReadError(n.name, err)
	}
	return k, err
}

// startsWith reports whether the input begins with magic. It reads no more bytes than it needs.
func startsWith(in *bufio.Reader, magic string) bool {
	for n := 1; n <= len(magic); n++ {
		b, err := in.Peek(n)
		if err != nil || b[n-1] != magic[n-1] {
			return false
		}
	}
	return true
}

// maxWindow bounds the memory in which a compressed text trace is uncompressed.
const maxWindow = 64 << 20

// uncompress returns the decompressed contents of in, nil if in is not compressed.
func uncompress(in *bufio.Reader) (io.Reader, error) {
	switch {
	case startsWith(in, "\x28\xb5\x2f\xfd"):
		return zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
	case startsWith(in, "\x1f\x8b"):
		return gzip.NewReader(in)
	}
	return nil, nil
}

// limitedReader returns an error once it has read more than limit bytes.
type limitedReader struct {
	r           io.Reader
	seen, limit int64
}

func (t *limitedReader) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if t.seen += int64(n); t.seen > t.limit {
		return 0, errTotal(t.limit)
	}
	return n, err
}
