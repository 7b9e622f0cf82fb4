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

// allocate gives f its size, and room on the device if the file system can promise any: otherwise a
// full disk would cause a fault in the program.
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

// mapMemory returns memory that becomes real when it is touched.
func mapMemory(size int) ([]byte, error) {
	return unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE)
}

func unmap(mem []byte) error { return unix.Munmap(mem) }

// releaseMemory gives the pages of mapMemory back to the system until they are written again.
// Otherwise they stay real.
func releaseMemory(mem []byte) { unix.Madvise(mem, unix.MADV_DONTNEED) }

// diskFile is a file without a name.
type diskFile struct{ *os.File }

// openSpill makes one in the first of dirs that is on a disk: records that exceed the memory do not
// belong on a file system in memory.
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

// grow fails unless as much as the whole file stays free.
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

// sleepFutex sleeps until the futex is woken, if it has that value, at most that long.
func sleepFutex(futex *uint32, value uint32, most time.Duration) {
	t := unix.NsecToTimespec(int64(most))
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(futex)), futexWait, uintptr(value),
		uintptr(unsafe.Pointer(&t)), 0, 0)
}

// wakeFutex wakes all its sleepers.
func wakeFutex(futex *uint32) {
	_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(futex)), futexWake, math.MaxInt32, 0, 0, 0)
}

// nap is time.Sleep for less than a millisecond, the minimum of time.Sleep.
func nap(d time.Duration) {
	t := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&t, nil) // a shorter nap, after a signal, does no harm
}
