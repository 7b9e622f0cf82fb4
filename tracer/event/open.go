package event

import (
	"bufio"
	"compress/gzip"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Open returns a reader of a trace in either form, with default limits. A trace that
// was compressed as a whole with gzip or zstd is uncompressed on the way. The name is
// used in positions.
func Open(r io.Reader, name string) (Reader, error) {
	return OpenLimited(r, name, Limits{})
}

// OpenStream is Open for what may stay open behind the end of a trace: a connection, or a file that
// is still written to. A binary trace ends at its end marker, and what may follow is not waited
// for.
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
		in = bufio.NewReaderSize(&totalReader{r: plain, limit: limits.Total}, 1<<16)
	}
	// A byte at a time, because more may not come before somebody has read these.
	if startsWith(in, BinaryMagic) {
		return newBinaryReader(in, name, limits), nil
	}
	return newTextReader(in, name, limits), nil
}

// Uncompressed returns what stands in r, or, if that was compressed as a whole with gzip or zstd,
// what it unfolds to, which may be limit bytes. Other errors of the reader than io.EOF are an
// [*Error] that names the position.
func Uncompressed(r io.Reader, name string, limit int64) (io.Reader, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	plain, err := uncompress(in)
	switch {
	case err != nil:
		return nil, ReadError(name, err)
	case plain == nil:
		return &namedReader{in, name}, nil
	}
	return &namedReader{&totalReader{r: plain, limit: limit}, name}, nil
}

// namedReader says in its errors what it read.
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

// startsWith looks at as many bytes as it takes to know.
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

// uncompress returns what is compressed in in, nil if nothing is.
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

// totalReader ends with an error when more than limit bytes have come.
type totalReader struct {
	r           io.Reader
	seen, limit int64
}

func (t *totalReader) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if t.seen += int64(n); t.seen > t.limit {
		return 0, errTotal(t.limit)
	}
	return n, err
}
