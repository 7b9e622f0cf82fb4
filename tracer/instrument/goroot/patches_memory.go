package goroot

// memoryPatches let the hooks know when memory is used for something new, if they are told of
// accesses at all.
var memoryPatches = []patch{
	{
		name: "memory, malloc", file: "runtime/malloc.go",
		reason: "what was done to an object that is gone does not concern the next one in its place",
		old:    "\tif false {\n\t\tracemalloc(x, size-asanRZ)\n",
		new:    "\tif antichainMemory {\n\t\tracemalloc(x, size-asanRZ)\n",
	},
	{
		name: "memory, tiny objects", file: "runtime/malloc.go",
		reason: "two objects in eight bytes would be taken for one",
		old:    "\tif !false && (size < c.tinyoffset",
		new:    "\tif !antichainMemory && (size < c.tinyoffset",
	},
	{
		name: "memory, specialised malloc", file: "runtime/malloc.go",
		reason: "does not come by the place of the first patch",
		old:    " && !asanenabled && !false && !msanenabled",
		new:    " && !asanenabled && !antichainMemory && !msanenabled",
	},
	{
		name: "memory, send", file: "runtime/chan.go",
		reason: "the race detector has it that a send reads the channel, which close writes",
		old:    "\tif c.bubble != nil && getg().bubble != c.bubble {\n\t\tfatal(\"send on synctest channel from outside bubble\")\n",
		new:    "\tif antichainMemory {\n\t\tracereadpc(c.raceaddr(), callerpc, 0)\n\t}\n\tif c.bubble != nil && getg().bubble != c.bubble {\n\t\tfatal(\"send on synctest channel from outside bubble\")\n",
	},
	{
		name: "memory, close", file: "runtime/chan.go",
		reason: "see memory, send",
		old:    "\tantichainChan(antichainKindClose, c, 0, antichainOpNone)\n",
		new:    "\tif antichainMemory {\n\t\tracewritepc(c.raceaddr(), sys.GetCallerPC(), 0)\n\t}\n\tantichainChan(antichainKindClose, c, 0, antichainOpNone)\n",
	},
	{
		name: "memory, select, send", file: "runtime/select.go",
		reason: "see memory, send",
		old:    "\t\t\tif c.closed != 0 {\n\t\t\t\tantichainSelect(scases, nsends, decision)\n\t\t\t\tgoto sclose\n",
		new:    "\t\t\tif antichainMemory {\n\t\t\t\tracereadpc(c.raceaddr(), casePC(casi), 0)\n\t\t\t}\n\t\t\tif c.closed != 0 {\n\t\t\t\tantichainSelect(scases, nsends, decision)\n\t\t\t\tgoto sclose\n",
	},
	{
		name: "memory, system calls that read", file: "syscall/syscall_unix.go",
		reason: "the kernel writes to memory",
		old:    "\tif false {\n\t\tif n > 0 {\n\t\t\trace.WriteRange(unsafe.Pointer(&p[0]), n)\n\t\t}\n",
		new:    "\tif race.Memory && n > 0 {\n\t\trace.WriteRange(unsafe.Pointer(&p[0]), n)\n\t}\n\tif false {\n",
		count:  2,
	},
	{
		name: "memory, system calls that write", file: "syscall/syscall_unix.go",
		reason: "the kernel reads memory",
		old:    "\tif false && n > 0 {\n\t\trace.ReadRange(",
		new:    "\tif race.Memory && n > 0 {\n\t\trace.ReadRange(",
		count:  2,
	},
}
