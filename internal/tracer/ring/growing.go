package ring

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"unsafe"
)

// GrowingFile reads a file that a program still writes without a consumer (EnvTrace), and asks that
// program.
type GrowingFile struct {
	*FileReader
	head []byte // the mapping of the header, which the program shares
}

// OpenGrowingFile opens such a file. Next returns io.EOF at the end that More has found.
func OpenGrowingFile(name string) (*GrowingFile, error) {
	f, err := os.OpenFile(name, os.O_RDWR|noFollow, 0)
	if err != nil {
		return nil, err
	}
	r, err := newFileReader(f, name)
	if err != nil {
		return nil, err
	}
	r.grows = true
	head, err := mapFile(f, HeaderSize)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
	}
	return &GrowingFile{r, head}, nil
}

// More finds the records that the program has written meanwhile. A record that it had begun to
// write, and those behind that one, come later.
func (r *GrowingFile) More() error {
	if err := r.measure(atomic.LoadUint64((*uint64)(unsafe.Pointer(&r.head[OffProd])))); err != nil {
		return err
	}
	r.lost = atomic.LoadUint64((*uint64)(unsafe.Pointer(&r.head[OffLost])))
	if _, err := r.f.Seek(HeaderSize+int64(r.cursor.next)*SlotSize, io.SeekStart); err != nil {
		return err
	}
	r.in.Reset(r.f) // what it has read ahead may have been written since
	r.loaded = r.cursor.next
	return nil
}

// LookNow is Ring.LookNow.
func (r *GrowingFile) LookNow() bool { return lookNow(r.look()) }

// Looks is Ring.Looks.
func (r *GrowingFile) Looks() bool { return looks(r.look()) }

func (r *GrowingFile) look() *uint32 { return (*uint32)(unsafe.Pointer(&r.head[OffLook])) }

// Close closes the file. The program goes on writing it.
func (r *GrowingFile) Close() error { return errors.Join(unmap(r.head), r.FileReader.Close()) }
