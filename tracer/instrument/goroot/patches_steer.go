package goroot

// steerPatches let the hooks decide which goroutine runs, if a schedule is to be steered.
var steerPatches = []patch{
	{
		name: "pick", file: "runtime/proc.go",
		reason: "the goroutine of the highest priority runs",
		old:    "\t// local runq\n\tif gp, inheritTime := runqget(pp); gp != nil {\n",
		new:    "\tif gp := antichainPick(pp); gp != nil {\n\t\treturn gp, false, false\n\t}\n\n\t// local runq\n\tif gp, inheritTime := runqget(pp); gp != nil {\n",
	},
	{
		name: "pick, fairness", file: "runtime/proc.go",
		reason: "see pick",
		old:    "\tif pp.schedtick%61 == 0 && !sched.runq.empty() {\n",
		new:    "\tif antichainSeed == 0 && pp.schedtick%61 == 0 && !sched.runq.empty() {\n",
	},
	{
		name: "yield", file: "runtime/proc.go",
		reason: "who yields waits for others",
		old:    "func Gosched() {\n",
		new:    "func Gosched() {\n\tantichainGosched()\n",
	},
	{
		name: "preempted", file: "runtime/proc.go",
		reason: "see yield",
		old:    "func gopreempt_m(gp *g) {\n",
		new:    "func gopreempt_m(gp *g) {\n\tantichainPreempted(gp)\n",
	},
	{
		name: "system calls", file: "runtime/proc.go",
		reason: "another goroutine runs at the same time only if a system call waits",
		old:    "\t\tif runqempty(pp) && sched.nmspinning.Load()+sched.npidle.Load() > 0 && pd.syscallwhen+10*1000*1000 > now {\n",
		new:    "\t\tif antichainHolds(now-pd.syscallwhen) || runqempty(pp) && sched.nmspinning.Load()+sched.npidle.Load() > 0 && pd.syscallwhen+10*1000*1000 > now {\n",
	},
	{
		name: "go, turn", file: "runtime/proc.go",
		reason: "the new goroutine may run first",
		old:    "\t\trunqput(pp, newg, true)\n\n\t\tif mainStarted {\n\t\t\twakep()\n\t\t}\n\t})\n",
		new:    "\t\trunqput(pp, newg, true)\n\n\t\tif mainStarted {\n\t\t\twakep()\n\t\t}\n\t})\n\tantichainTurn()\n",
	},
	{
		name: "processors", file: "runtime/debug.go",
		reason: "there is one, but the program gets as many goroutines as ever",
		old:    "func GOMAXPROCS(n int) int {\n",
		new:    "func GOMAXPROCS(n int) int {\n\tif antichainSeed != 0 {\n\t\treturn antichainProcs(n)\n\t}\n",
	},
	{
		name: "random numbers", file: "runtime/rand.go",
		reason: "a seed repeats what the program draws",
		old:    "func rand() uint64 {\n",
		new:    "func rand() uint64 {\n\tif x, ok := antichainRand(); ok {\n\t\treturn x\n\t}\n",
	},
	{
		name: "select, order of cases", file: "runtime/select.go",
		reason: "a seed repeats it",
		old:    "cheaprandn(uint32(norder + 1))",
		new:    "antichainRandn(uint32(norder + 1))",
	},
	{
		name: "close, turn", file: "runtime/chan.go",
		reason: "others may come before",
		old:    "func closechan(c *hchan) {\n",
		new:    "func closechan(c *hchan) {\n\tantichainTurn()\n",
	},
	{
		name: "cond signal, turn", file: "runtime/sema.go",
		reason: "others may come before",
		old:    "func notifyListNotifyOne(l *notifyList) {\n",
		new:    "func notifyListNotifyOne(l *notifyList) {\n\tantichainTurn()\n",
	},
	{
		name: "cond broadcast, turn", file: "runtime/sema.go",
		reason: "others may come before",
		old:    "func notifyListNotifyAll(l *notifyList) {\n",
		new:    "func notifyListNotifyAll(l *notifyList) {\n\tantichainTurn()\n",
	},
	{
		name: "mutex starvation", file: "internal/sync/mutex.go",
		reason: "how long somebody has waited would decide about the schedule",
		old:    "starving = starving || runtime_nanotime()-waitStartTime > starvationThresholdNs",
		new:    "starving = starving || !race.Steered() && runtime_nanotime()-waitStartTime > starvationThresholdNs",
	},
	turn("internal/sync/mutex.go", "func (m *Mutex) Lock() {"),
	turn("internal/sync/mutex.go", "func (m *Mutex) TryLock() bool {"),
	turn("internal/sync/mutex.go", "func (m *Mutex) Unlock() {"),
	turn("sync/rwmutex.go", "func (rw *RWMutex) RLock() {"),
	turn("sync/rwmutex.go", "func (rw *RWMutex) RUnlock() {"),
	turn("sync/rwmutex.go", "func (rw *RWMutex) Lock() {"),
	turn("sync/rwmutex.go", "func (rw *RWMutex) Unlock() {"),
	turn("sync/rwmutex.go", "func (rw *RWMutex) TryLock() bool {"),
	turn("sync/rwmutex.go", "func (rw *RWMutex) TryRLock() bool {"),
}

// turn lets others come before an operation of package sync.
func turn(file, decl string) patch {
	return patch{
		name: "turn, " + decl, file: file,
		reason: "others may come before",
		old:    "\n" + decl + "\n",
		new:    "\n" + decl + "\n\trace.Turn()\n",
	}
}
