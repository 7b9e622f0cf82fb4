package goroot

// chanPatches make one record of each channel operation, where the race detector's
// annotations are several and do not tell a send from a receive. All are written
// under the lock of the channel.
var chanPatches = []patch{
	{
		name: "make", file: "runtime/chan.go",
		reason: "a new channel may lie where an old one was",
		old:    "\treturn c\n}\n\n// chanbuf(c, i) is pointer to the i'th slot in the buffer.\n",
		new:    "\tantichainMakeChan(c)\n\treturn c\n}\n\n// chanbuf(c, i) is pointer to the i'th slot in the buffer.\n",
	},
	{
		name: "send, begin", file: "runtime/chan.go",
		reason: "no memory access for the race detector, but a place to stop at",
		old:    "\tif raceenabled {\n\t\tracereadpc(c.raceaddr(), callerpc, abi.FuncPCABIInternal(chansend))\n\t}\n",
		new:    "\tantichainPoint()\n",
	},
	{
		name: "receive, begin", file: "runtime/chan.go",
		reason: "a place to stop at",
		old:    "\tif debugChan {\n\t\tprint(\"chanrecv: chan=\", c, \"\\n\")\n\t}\n",
		new:    "\tantichainPoint()\n",
	},
	{
		name: "select, begin", file: "runtime/select.go",
		reason: "a place to stop at",
		old:    "\tif debugSelect {\n\t\tprint(\"select: cas0=\", cas0, \"\\n\")\n\t}\n",
		new:    "\tantichainPoint()\n",
	},
	{
		name: "close, begin", file: "runtime/chan.go",
		reason: "close is one record",
		old:    "\tif raceenabled {\n\t\tcallerpc := sys.GetCallerPC()\n\t\tracewritepc(c.raceaddr(), callerpc, abi.FuncPCABIInternal(closechan))\n\t\tracerelease(c.raceaddr())\n\t}\n",
		new:    "\tantichainChan(antichainKindClose, c, 0, antichainOpNone)\n",
	},
	{
		name: "imports", file: "runtime/chan.go",
		reason: "no longer used",
		old:    "\t\"internal/abi\"\n",
	},
	{
		name: "send on closed", file: "runtime/chan.go",
		reason: "the panic shows that the close came before",
		old:    "\tif c.closed != 0 {\n\t\tunlock(&c.lock)\n\t\tpanic(plainError(\"send on closed channel\"))\n",
		new:    "\tif c.closed != 0 {\n\t\tantichainChan(antichainKindRecvClosed, c, 0, antichainOpNone)\n\t\tunlock(&c.lock)\n\t\tpanic(plainError(\"send on closed channel\"))\n",
	},
	{
		name: "buffered send", file: "runtime/chan.go",
		reason: "one record",
		old:    "\t\tif raceenabled {\n\t\t\tracenotify(c, c.sendx, nil)\n\t\t}\n\t\ttypedmemmove(c.elemtype, qp, ep)\n",
		new:    "\t\tantichainChan(antichainKindSend, c, c.sendx, antichainOpNone)\n\t\ttypedmemmove(c.elemtype, qp, ep)\n",
	},
	{
		name: "send to a waiting receiver, unbuffered", file: "runtime/chan.go",
		reason: "a transfer is one joint action of both goroutines",
		old:    "\t\tif c.dataqsiz == 0 {\n\t\t\tracesync(c, sg)\n\t\t} else {\n\t\t\t// Pretend",
		new:    "\t\tif c.dataqsiz == 0 {\n\t\t\tantichainHandoff(c, sg, true, antichainSkipOp(skip))\n\t\t} else {\n\t\t\t// Pretend",
	},
	{
		name: "send to a waiting receiver, buffered", file: "runtime/chan.go",
		reason: "a send and a receive through the slot that the value would have taken",
		old:    "\t\t\tracenotify(c, c.recvx, nil)\n\t\t\tracenotify(c, c.recvx, sg)\n\t\t\tc.recvx++",
		new:    "\t\t\tantichainChan(antichainKindSend, c, c.recvx, antichainSkipOp(skip))\n\t\t\tantichainChanFor(antichainKindRecv, c, c.recvx, sg)\n\t\t\tc.recvx++",
	},
	{
		name: "close wakes", file: "runtime/chan.go",
		reason: "receivers and senders that close wakes learn of the close",
		old:    "\t\tif raceenabled {\n\t\t\traceacquireg(gp, c.raceaddr())\n\t\t}\n",
		new:    "\t\tantichainChanFor(antichainKindRecvClosed, c, 0, sg)\n",
		count:  2,
	},
	{
		name: "receive from closed, without lock", file: "runtime/chan.go",
		reason: "one record",
		old:    "\t\t\tif raceenabled {\n\t\t\t\traceacquire(c.raceaddr())\n\t\t\t}\n\t\t\tif ep != nil {\n",
		new:    "\t\t\tantichainChan(antichainKindRecvClosed, c, 0, antichainOpNone)\n\t\t\tif ep != nil {\n",
	},
	{
		name: "receive from closed", file: "runtime/chan.go",
		reason: "one record",
		old:    "\t\t\tif raceenabled {\n\t\t\t\traceacquire(c.raceaddr())\n\t\t\t}\n\t\t\tunlock(&c.lock)\n",
		new:    "\t\t\tantichainChan(antichainKindRecvClosed, c, 0, antichainOpNone)\n\t\t\tunlock(&c.lock)\n",
	},
	{
		name: "buffered receive", file: "runtime/chan.go",
		reason: "one record",
		old:    "\t\tif raceenabled {\n\t\t\tracenotify(c, c.recvx, nil)\n\t\t}\n\t\tif ep != nil {",
		new:    "\t\tantichainChan(antichainKindRecv, c, c.recvx, antichainOpNone)\n\t\tif ep != nil {",
	},
	{
		name: "receive from a waiting sender, unbuffered", file: "runtime/chan.go",
		reason: "a transfer is one joint action of both goroutines",
		old:    "\t\tif raceenabled {\n\t\t\tracesync(c, sg)\n\t\t}\n\t\tif ep != nil {\n\t\t\t// copy data from sender",
		new:    "\t\tantichainHandoff(c, sg, false, antichainSkipOp(skip))\n\t\tif ep != nil {\n\t\t\t// copy data from sender",
	},
	{
		name: "receive from a waiting sender, buffered", file: "runtime/chan.go",
		reason: "the receive takes what the slot holds, then the sender fills it",
		old:    "\t\tif raceenabled {\n\t\t\tracenotify(c, c.recvx, nil)\n\t\t\tracenotify(c, c.recvx, sg)\n\t\t}\n\t\t// copy data from queue",
		new:    "\t\tantichainChan(antichainKindRecv, c, c.recvx, antichainSkipOp(skip))\n\t\tantichainChanFor(antichainKindSend, c, c.recvx, sg)\n\t\t// copy data from queue",
	},
	{
		name: "select, send case", file: "runtime/select.go",
		reason: "a memory access for the race detector",
		old:    "\t\t\tif raceenabled {\n\t\t\t\tracereadpc(c.raceaddr(), casePC(casi), chansendpc)\n\t\t\t}\n",
	},
	{
		name: "select, buffered receive", file: "runtime/select.go",
		reason: "one record",
		old:    "\t\tracenotify(c, c.recvx, nil)\n",
		new:    "\t\tantichainChan(antichainKindRecv, c, c.recvx, antichainOpSelect)\n",
	},
	{
		name: "select, buffered send", file: "runtime/select.go",
		reason: "one record",
		old:    "\t\tracenotify(c, c.sendx, nil)\n",
		new:    "\t\tantichainChan(antichainKindSend, c, c.sendx, antichainOpSelect)\n",
	},
	{
		name: "select, receive from closed", file: "runtime/select.go",
		reason: "one record",
		old:    "\tif raceenabled {\n\t\traceacquire(c.raceaddr())\n\t}\n\tgoto retc",
		new:    "\tantichainChan(antichainKindRecvClosed, c, 0, antichainOpSelect)\n\tgoto retc",
	},
	{
		name: "select, send on closed", file: "runtime/select.go",
		reason: "the panic shows that the close came before",
		old:    "\t// send on closed channel\n\tselunlock(scases, lockorder)\n",
		new:    "\t// send on closed channel\n\tantichainChan(antichainKindRecvClosed, c, 0, antichainOpSelect)\n\tselunlock(scases, lockorder)\n",
	},
	{
		name: "reflect.Select", file: "runtime/select.go",
		reason: "program counters of the cases, for the race detector",
		old:    "\tif raceenabled {\n\t\tpcs := make([]uintptr, nsends+nrecvs)\n\t\tfor i := range pcs {\n\t\t\tselectsetpc(&pcs[i])\n\t\t}\n\t\tpc0 = &pcs[0]\n\t}\n",
	},
}
