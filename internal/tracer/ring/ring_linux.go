package ring

import (
	"crypto/rand"
	"errors"
	"math"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const noFollow = unix.O_NOFOLLOW

func randomName() string { return "ring-" + rand.Text() }

// allocate gives f its size, and room on the device if the file system can promise
// any: without, a full disk would show as a fault in the program.
func allocate(f *os.File, size int64) error {
	err := unix.Fallocate(int(f.Fd()), 0, 0, size)
	if err == unix.EOPNOTSUPP || err == unix.ENOSYS {
		err = f.Truncate(size)
	}
	return err
}

func mapFile(f *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

// mapMemory returns memory that is real as far as it has been touched.
func mapMemory(size int) ([]byte, error) {
	return unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE)
}

func unmap(mem []byte) error { return unix.Munmap(mem) }

// releaseMemory lets the system have memory of mapMemory, of whole pages, until it is written to again. Without that it stays real.
func releaseMemory(mem []byte) { unix.Madvise(mem, unix.MADV_DONTNEED) }

// diskFile is a file without a name.
type diskFile struct{ *os.File }

// openSpill makes one in the first of dirs that is on a disk: a file system in memory is
// no place for what does not fit into memory.
func openSpill(dirs []string) (spillFile, error) {
	for _, dir := range dirs {
		var st unix.Statfs_t
		if unix.Statfs(dir, &st) != nil || st.Type == unix.TMPFS_MAGIC || st.Type == unix.RAMFS_MAGIC {
			continue
		}
		f, err := os.CreateTemp(dir, "antichain-*") // mode 0600
		if err != nil {
			continue
		}
		if err := os.Remove(f.Name()); err != nil {
			f.Close()
			continue
		}
		return diskFile{f}, nil
	}
	return nil, errNoDisk
}

var (
	errNoDisk   = errors.New("no directory on a disk")
	errDiskFull = errors.New("the disk is filling up")
)

// grow leaves at least as much free as the file then takes.
func (f diskFile) grow(size, n int64) error {
	var st unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &st); err != nil {
		return err
	}
	if free := int64(st.Bavail) * st.Bsize; free-n < size+n {
		return errDiskFull
	}
	return allocate(f.File, size+n)
}

// Operations of futexes that processes share, in linux/futex.h.
const (
	futexWait = 0
	futexWake = 1
)

// sleepFutex sleeps until somebody wakes the futex, if it has that value, at most that long.
func sleepFutex(futex *uint32, value uint32, most time.Duration) {
	t := unix.NsecToTimespec(int64(most))
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(futex)), futexWait, uintptr(value), uintptr(unsafe.Pointer(&t)), 0, 0)
}

// wakeFutex wakes all who sleep there.
func wakeFutex(futex *uint32) {
	_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(futex)), futexWake, math.MaxInt32, 0, 0, 0)
}

// nap is time.Sleep for less than a millisecond, which that takes at least.
func nap(d time.Duration) {
	t := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&t, nil) // cut short by a signal it is as good
}
