//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"internal/runtime/exithook"
	"internal/runtime/syscall/linux"
	"unsafe"
)

// Append mode: the trace goes to a file that is read after the program. The mapping is as large as
// the trace may ever get, the file grows under it. It grows with fallocate, because a full disk
// would otherwise show as SIGBUS in the middle of a hook. It is opened anew each time: the program
// could close a descriptor that is kept open, and its number would then belong to a file of the
// program.

var antichainFile struct {
	append bool

	path     [antichainPathMax]byte // absolute
	pathLen  int
	dev, ino uint64 // of the file, which path must still name
	sizeMax  uint64 // RLIMIT_FSIZE: exceeding it is a fatal signal

	growing  uint32 // lock of the fields below
	fileSize uint64
	slotsMax uint64 // room in the mapping
}

const (
	antichainGrowMin = 1 << 20 // bytes
	antichainGrowMax = 1 << 26
)

// antichainStartFile creates the file at path and starts tracing into it. The program runs in any
// case; a failure is reported once.
func antichainStartFile(path string) {
	if reason := antichainCreateFile(path); reason != "" {
		print("antichain: not traced: ", path, ": ", reason, "\n")
	}
}

func antichainCreateFile(path string) (reason string) {
	f := &antichainFile
	if !antichainAbsolute(path) {
		return "the path is too long"
	}
	fd := antichainOpen(path, antichainOpenRDWR|antichainOpenCreate|antichainOpenExcl|antichainOpenNoFollow|antichainOpenCloexec)
	if fd < 0 {
		return "cannot create the file; one that exists is not overwritten"
	}
	f.dev, f.ino, _ = antichainStat(fd)
	var limit [2]uint64
	_, _, errno := linux.Syscall6(antichainSysPrlimit, 0, 1 /* RLIMIT_FSIZE */, 0, uintptr(unsafe.Pointer(&limit)), 0, 0)
	if f.sizeMax = limit[0]; errno != 0 {
		f.sizeMax = ^uint64(0)
	}
	const first = antichainHeaderSize + antichainGrowMin
	if !antichainAllocate(fd, first) {
		closefd(fd)
		return "no room on the device"
	}
	// Address space may be limited; take the largest possible part.
	var p unsafe.Pointer
	slots, size := uint64(antichainMaxSlots), uintptr(0)
	for ; ; slots /= 2 {
		var e int
		size = uintptr(antichainHeaderSize + slots*antichainSlotSize)
		if p, e = mmap(nil, size, _PROT_READ|_PROT_WRITE, antichainMapShared, fd, 0); e == 0 {
			break
		}
		if slots <= antichainGrowMin/antichainSlotSize {
			closefd(fd)
			return "cannot map the file"
		}
	}
	closefd(fd)
	f.append, f.fileSize, f.slotsMax = true, first, slots

	antichainHeader = p
	*antichainWord32(antichainOffVersion) = antichainVersion
	*antichainWord32(antichainOffMode) = antichainModeAppend
	*antichainWord64(antichainOffSlots) = slots
	// the reader is unknown
	*antichainWord32(antichainOffFlags) = antichainFlagOn | antichainFlagOperations | antichainFlagMemory | antichainFlagAtomics
	*antichainWord32(antichainOffPID) = uint32(getpid())
	atomic.Store64(antichainWord64(antichainOffMagic), antichainMagic)
	exithook.Add(exithook.Hook{F: antichainExit, RunOnFailure: true})
	antichainStart(p, size, ^uint64(0), antichainGrowMin/antichainSlotSize)
	return ""
}

// antichainAbsolute keeps path, which a change of directory may invalidate.
func antichainAbsolute(path string) bool {
	f := &antichainFile
	n := 0
	if path[0] != '/' {
		r, _, errno := linux.Syscall6(antichainSysGetcwd, uintptr(unsafe.Pointer(&f.path)), uintptr(len(f.path)), 0, 0, 0, 0)
		if errno != 0 {
			return false
		}
		n = int(r) // includes the final zero, which the separator replaces
		f.path[n-1] = '/'
	}
	if n+len(path) >= len(f.path) {
		return false
	}
	f.pathLen = n + copy(f.path[n:], path)
	return true
}

// antichainAllocate makes the file behind fd size bytes long.
func antichainAllocate(fd int32, size uint64) bool {
	if size > antichainFile.sizeMax {
		return false
	}
	_, _, errno := linux.Syscall6(antichainSysFallocate, uintptr(fd), 0, 0, uintptr(size), 0, 0)
	if errno == 95 || errno == 38 { // EOPNOTSUPP, ENOSYS: a file system without reservations
		_, _, errno = linux.Syscall6(antichainSysFtruncate, uintptr(fd), uintptr(size), 0, 0, 0, 0)
	}
	return errno == 0
}

// antichainReopen opens the file again, unless its path leads to another one by now.
func antichainReopen() int32 {
	f := &antichainFile
	fd := open(&f.path[0], antichainOpenRDWR|antichainOpenNoFollow|antichainOpenCloexec, 0)
	if fd < 0 {
		return -1
	}
	if dev, ino, _ := antichainStat(fd); dev != f.dev || ino != f.ino {
		closefd(fd)
		return -1
	}
	return fd
}

// Messages when the file cannot grow.
const (
	antichainLargestText = "antichain: the trace has its largest size; the program continues untraced\n"
	antichainMovedText   = "antichain: the trace file is not where it was; the program continues untraced\n"
	antichainFullText    = "antichain: the trace file cannot grow, the device is full or a limit of size is reached; the program continues untraced\n"
)

// antichainGrow makes the indexes below end available. If that fails, tracing ends, and the program
// reports it.
//
//go:nosplit
func antichainGrow(end uint64) bool {
	ok := false
	systemstack(func() { ok = antichainGrowTo(end) })
	return ok
}

func antichainGrowTo(end uint64) bool {
	f := &antichainFile
	for !atomic.Cas(&f.growing, 0, 1) {
		osyield()
	}
	for antichainOn == antichainWriting && end > antichainLimit {
		size := f.fileSize + min(f.fileSize&^(antichainGrowMin-1), antichainGrowMax)
		slots := (size - antichainHeaderSize) / antichainSlotSize
		if failure := antichainGrowFile(size, slots); failure != "" {
			antichainOn = antichainDropping
			antichainSay(failure)
			break
		}
		f.fileSize = size
		atomic.Store64(&antichainLimit, slots)
	}
	ok := antichainOn == antichainWriting
	if !ok {
		antichainDrop()
	}
	atomic.Store(&f.growing, 0)
	return ok
}

// antichainGrowFile makes the file larger, or returns a message.
func antichainGrowFile(size, slots uint64) (failure string) {
	if slots > antichainFile.slotsMax {
		return antichainLargestText
	}
	fd := antichainReopen()
	if fd < 0 {
		return antichainMovedText
	}
	ok := antichainAllocate(fd, size)
	closefd(fd)
	if !ok {
		return antichainFullText
	}
	return ""
}

// antichainExit cuts the file to the length of the trace. The bit in the production counter makes
// every later reservation fail, which keeps goroutines that still run from writing behind the new
// end of the file.
func antichainExit() {
	if antichainOn == antichainOff {
		return
	}
	written := atomic.Xadd64(antichainWord64(antichainOffProd), antichainClosedBit) - antichainClosedBit
	if written >= antichainClosedBit {
		return // it ran before
	}
	atomic.Store64(antichainWord64(antichainOffFinal), written)
	if fd := antichainReopen(); fd >= 0 {
		size := antichainHeaderSize + min(written, antichainLimit)*antichainSlotSize
		linux.Syscall6(antichainSysFtruncate, uintptr(fd), uintptr(size), 0, 0, 0, 0)
		closefd(fd)
	}
}
