//go:build antichain_traced

package runtime

import (
	"internal/abi"
	"internal/goarch"
	"internal/runtime/atomic"
	"internal/runtime/exithook"
	"internal/runtime/syscall/linux"
	"internal/stringslite"
	"unsafe"
)

// The environment of a traced program.
const (
	antichainEnvRing  = "ANTICHAIN_RING"  // a ring that a consumer has made
	antichainEnvTrace = "ANTICHAIN_TRACE" // a file to write, or antichainTraceWait
)

// System calls that the runtime does not wrap.
const (
	antichainSysGetcwd     = 79*antichainAMD64 + 17*antichainARM64
	antichainSysReadlinkat = 267*antichainAMD64 + 78*antichainARM64
	antichainSysFtruncate  = 77*antichainAMD64 + 46*antichainARM64
	antichainSysFallocate  = 285*antichainAMD64 + 47*antichainARM64
	antichainSysStatx      = 332*antichainAMD64 + 291*antichainARM64
	antichainSysPrlimit    = 302*antichainAMD64 + 261*antichainARM64
	antichainSysGetppid    = 110*antichainAMD64 + 173*antichainARM64
	antichainSysMkdirat    = 258*antichainAMD64 + 34*antichainARM64
	antichainSysRenameat   = 264*antichainAMD64 + 38*antichainARM64
	antichainSysFchmod     = 91*antichainAMD64 + 52*antichainARM64
	antichainSysFlock      = 73*antichainAMD64 + 32*antichainARM64
	antichainSysSocket     = 41*antichainAMD64 + 198*antichainARM64
	antichainSysBind       = 49*antichainAMD64 + 200*antichainARM64
	antichainSysListen     = 50*antichainAMD64 + 201*antichainARM64
	antichainSysPpoll      = 271*antichainAMD64 + 73*antichainARM64

	antichainAMD64 = goarch.IsAmd64
	antichainARM64 = goarch.IsArm64

	antichainAtFdcwd      = ^uintptr(99) // AT_FDCWD, -100
	antichainAtEmptyPath  = 0x1000
	antichainOpenRDWR     = 2
	antichainOpenCreate   = 0x40
	antichainOpenExcl     = 0x80
	antichainOpenNoFollow = 0x20000*antichainAMD64 + 0x8000*antichainARM64
	antichainOpenCloexec  = 0x80000
	antichainLockEx       = 2
	antichainLockNb       = 4
	antichainUnix         = 1                   // AF_UNIX
	antichainSockFlags    = 1 | 0x80000 | 0x800 // SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK
	antichainMapShared    = 1
	antichainMadvDontFork = 10

	antichainPathMax = 4096
)

// init runs on the main goroutine before any code outside of the runtime: the program sees neither
// the variables nor a moment without tracing.
func init() {
	ring, file := antichainTakeEnv(antichainEnvRing), antichainTakeEnv(antichainEnvTrace)
	switch {
	case ring != "":
		antichainAttach(ring)
	case file == antichainTraceWait:
		antichainAwaitChecker()
	case file != "":
		antichainStartFile(file)
	}
}

// antichainTakeEnv returns the value of an environment variable and removes it, also from the block
// that C code sees: no child process inherits it.
func antichainTakeEnv(name string) string {
	value := ""
	kept := envs[:0]
	for _, e := range envs {
		if v, ok := antichainCutName(e, name); ok {
			value = v
			continue
		}
		kept = append(kept, e)
	}
	if len(kept) == len(envs) {
		return ""
	}
	envs = kept
	if argv == nil {
		return value // a library, whose environment is its host's
	}
	block := add(unsafe.Pointer(argv), uintptr(argc+1)*goarch.PtrSize)
	to := block
	for {
		p := *(**byte)(block)
		if p == nil {
			break
		}
		block = add(block, goarch.PtrSize)
		if _, ok := antichainCutName(gostringnocopy(p), name); !ok {
			*(*uintptr)(to) = uintptr(unsafe.Pointer(p))
			to = add(to, goarch.PtrSize)
		}
	}
	for ; uintptr(to) <= uintptr(block); to = add(to, goarch.PtrSize) {
		*(*uintptr)(to) = 0
	}
	return value
}

func antichainCutName(entry, name string) (value string, ok bool) {
	if len(entry) > len(name) && entry[len(name)] == '=' && stringslite.HasPrefix(entry, name) {
		return entry[len(name)+1:], true
	}
	return "", false
}

// antichainAttach maps the ring at path. The ring's maker sees from its header whether that worked;
// nothing is printed here, since the terminal is the program's.
func antichainAttach(path string) {
	fd := antichainOpen(path, antichainOpenRDWR|antichainOpenNoFollow|antichainOpenCloexec)
	if fd < 0 {
		return
	}
	var head [antichainOffCounts + 8]byte
	n, _ := linux.Pread(int(fd), head[:], 0)
	slots := *(*uint64)(unsafe.Pointer(&head[antichainOffSlots]))
	if n != len(head) ||
		*(*uint64)(unsafe.Pointer(&head[antichainOffMagic])) != antichainMagic ||
		*(*uint32)(unsafe.Pointer(&head[antichainOffVersion])) != antichainVersion ||
		*(*uint32)(unsafe.Pointer(&head[antichainOffMode])) != antichainModeWrap ||
		slots == 0 || slots&(slots-1) != 0 || slots > antichainMaxSlots {
		closefd(fd)
		return
	}
	size := uintptr(antichainHeaderSize + slots*antichainSlotSize +
		*(*uint64)(unsafe.Pointer(&head[antichainOffSchedule])) + *(*uint64)(unsafe.Pointer(&head[antichainOffCounts])))
	if _, _, fileSize := antichainStat(fd); uint64(size) != fileSize {
		closefd(fd)
		return
	}
	p, errno := mmap(nil, size, _PROT_READ|_PROT_WRITE, antichainMapShared, fd, 0)
	closefd(fd)
	if errno != 0 {
		return
	}
	antichainHeader = p
	antichainListenBeside(path) // before the checker can know that we have attached
	if !atomic.Cas(antichainWord32(antichainOffPID), 0, uint32(getpid())) {
		antichainHeader = nil
		munmap(p, size) // claimed by another process
		return
	}
	antichainParent = antichainGetppid()
	exithook.Add(exithook.Hook{F: antichainLeave, RunOnFailure: true})
	exithook.Add(exithook.Hook{F: antichainLeaveWell})
	antichainStart(p, size, slots-1, slots)
}

// antichainStart begins to write into the mapping at p.
func antichainStart(p unsafe.Pointer, size uintptr, mask, limit uint64) {
	madvise(p, size, antichainMadvDontFork) // a child of C code that forks must not write here
	antichainHeader = p
	antichainSlots = add(p, antichainHeaderSize)
	antichainMask = mask
	antichainLimit = limit
	antichainFindText()
	*antichainWord64(antichainOffText) = uint64(firstmoduledata.text)
	if antichainHasGoroutines {
		*antichainWord32(antichainOffCan) = antichainFlagOperations
	}
	if antichainMemory {
		*antichainWord32(antichainOffCan) |= antichainFlagMemory
	}
	*antichainWord32(antichainOffArch) = antichainArchAMD64*antichainAMD64 + antichainArchARM64*antichainARM64
	var exe [antichainExeMax]byte
	self := [...]byte{15: 0}
	copy(self[:], "/proc/self/exe")
	n, _, errno := linux.Syscall6(antichainSysReadlinkat, antichainAtFdcwd,
		uintptr(unsafe.Pointer(&self)), uintptr(unsafe.Pointer(&exe)), uintptr(len(exe)), 0, 0)
	if errno == 0 && n < uintptr(len(exe)) {
		antichainSetText(antichainOffExe, string(exe[:n]), antichainExeMax)
	}
	antichainStartMemory()
	antichainStartLate()
	antichainTracings++
	atomic.Store(&antichainOn, antichainWriting)
	if antichainHasSteering {
		antichainStartSchedule()
	}
	antichainStartSteps()
	antichainStartLook()
}

// antichainStartSchedule begins to keep, steer or perturb the schedule, if that is wanted.
func antichainStartSchedule() {
	antichainKeep()
	if seed := *antichainWord64(antichainOffSeed); seed != 0 {
		antichainSteer(seed)
	} else if antichainOperations() {
		antichainPerturbFrom(*antichainWord64(antichainOffYields))
	}
	antichainGated = antichainScheduled || antichainSeed != 0 || antichainPerturbing
}

// antichainFindText finds the range of package runtime in the program text: the
// linker lays packages out one after the other.
func antichainFindText() {
	const gap = 64 // functions of other names (linknamed, assembly) between ours
	tab, md := firstmoduledata.ftab, &firstmoduledata
	name := func(i int) string {
		return funcname(funcInfo{(*_func)(unsafe.Pointer(&md.pclntable[tab[i].funcoff])), md})
	}
	start := findfunc(abi.FuncPCABIInternal(schedinit))
	if !start.valid() {
		return
	}
	mid := 0
	for i := range len(tab) - 1 {
		if md.textAddr(tab[i].entryoff) == start.entry() {
			mid = i
		}
	}
	lo, hi := mid, mid
	for i := mid; i >= 0 && lo-i < gap; i-- {
		if stringslite.HasPrefix(name(i), "runtime.") {
			lo = i
		}
	}
	for i := mid; i < len(tab)-1 && i-hi < gap; i++ {
		if stringslite.HasPrefix(name(i), "runtime.") {
			hi = i
		}
	}
	antichainTextLo = md.textAddr(tab[lo].entryoff)
	antichainTextHi = md.textAddr(tab[hi+1].entryoff)
}

// antichainSetText writes a text of at most limit bytes into the header.
func antichainSetText(off uintptr, text string, limit int) {
	if len(text) > limit {
		text = text[:limit]
	}
	memmove(add(antichainHeader, off+antichainIdentityPad), unsafe.Pointer(unsafe.StringData(text)), uintptr(len(text)))
	atomic.Store(antichainWord32(off), uint32(len(text)))
}

// antichainOpen returns a negative number on failure.
func antichainOpen(path string, flags int32) int32 {
	var buf [antichainPathMax]byte // the system wants a final zero
	if len(path) >= len(buf) {
		return -1
	}
	copy(buf[:], path)
	return open(&buf[0], flags, 0o600)
}

func antichainGetppid() uintptr {
	pid, _, _ := linux.Syscall6(antichainSysGetppid, 0, 0, 0, 0, 0, 0)
	return pid
}

// antichainStat returns the identity of an open file, and its size.
func antichainStat(fd int32) (dev, ino, size uint64) {
	var empty byte
	var st [256]byte // struct statx
	_, _, errno := linux.Syscall6(antichainSysStatx, uintptr(fd), uintptr(unsafe.Pointer(&empty)),
		antichainAtEmptyPath, 0x7ff, uintptr(unsafe.Pointer(&st)), 0)
	if errno != 0 {
		return 0, 0, 0
	}
	return *(*uint64)(unsafe.Pointer(&st[136])), // stx_dev_major, stx_dev_minor
		*(*uint64)(unsafe.Pointer(&st[32])), // stx_ino
		*(*uint64)(unsafe.Pointer(&st[40])) // stx_size
}
