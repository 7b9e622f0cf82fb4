package goroot

import "github.com/antichain-go/antichain/internal/tracer/instrument/frontend"

// Channel operations are recorded once each, under the lock of the channel. The race detector's
// annotations, in contrast, are several for each operation and do not distinguish a send from a
// receive.
var channels = capability{
	name: frontend.Channels, gives: "operations on channels",
	order: true, properties: ofChannels,
	patches: []patch{
		{
			name: "make", file: "runtime/chan.go", in: "makechan",
			reason: "a new channel may lie where an old one was",
			diff: `
				  lockInit(&$c.lock, lockRankHchan)
				  ...
				+ antichainMakeChan($c)
				  return $c
			`,
		},
		{
			name: "close", file: "runtime/chan.go", in: "closechan(c)",
			reason: "close is one record",
			diff: `
				  if raceenabled {
				  	...
				- 	racerelease($c.raceaddr())
				+ 	antichainChan(antichainKindClose, $c, 0, antichainOpNone)
				  }
				  $c.closed = 1
			`,
		},
		{
			name: "close of nil", file: "runtime/chan.go", in: "closechan(c)",
			reason: "says what it is about to fail for",
			diff: `
				  if $c == nil {
				+ 	antichainMisuse(nil, antichainMisuseCloseNil)
				  	panic(plainError("close of nil channel"))
			`,
		},
		{
			name: "close of closed", file: "runtime/chan.go", in: "closechan(c)",
			reason: "says what it is about to fail for",
			diff: `
				  if $c.closed != 0 {
				+ 	antichainMisuse(unsafe.Pointer($c), antichainMisuseCloseClosed)
				  	unlock(&$c.lock)
				  	panic(plainError("close of closed channel"))
			`,
		},
		closeWakes("receivers", "recvq", "antichainChanFor(antichainKindRecvClosed, $c, 0, $sg)"),
		closeWakes("senders", "sendq", "antichainSendFails($c, $sg)"),
		{
			name: "send woken by close", file: "runtime/chan.go", in: "chansend(c, ep, block, callerpc)",
			reason: "says what it is about to fail for",
			diff: `
				  if $c.closed == 0 {
				  	throw("chansend: spurious wakeup")
				  }
				+ antichainMisuse(unsafe.Pointer($c), antichainMisuseSendClosed)
				  panic(plainError("send on closed channel"))
			`,
		},
		{
			name: "send on closed", file: "runtime/chan.go", in: "chansend(c, ep, block, callerpc)",
			reason: "the panic shows that the close came before",
			diff: `
				  if $c.closed != 0 {
				+ 	antichainChan(antichainKindRecvClosed, $c, 0, antichainOpSend)
				+ 	antichainMisuse(unsafe.Pointer($c), antichainMisuseSendClosed)
				  	unlock(&$c.lock)
				  	panic(plainError("send on closed channel"))
			`,
		},
		{
			name: "buffered send", file: "runtime/chan.go", in: "chansend(c, ep, block, callerpc)",
			reason: "one record",
			diff: `
				  if raceenabled {
				- 	racenotify($c, $c.sendx, nil)
				+ 	antichainChan(antichainKindSend, $c, $c.sendx, antichainOpNone|antichainElement($c, $ep))
				  }
			`,
		},
		{
			name: "send to a waiting receiver, buffered", file: "runtime/chan.go", in: "send(c, sg, ep, unlockf, skip)",
			reason: "a send and a receive through the slot that the value would have taken",
			diff: `
				- racenotify($c, $c.recvx, nil)
				- racenotify($c, $c.recvx, $sg)
				+ antichainChan(antichainKindSend, $c, $c.recvx, antichainSkipOp($skip)|antichainElement($c, $ep))
				+ antichainChanFor(antichainKindRecv, $c, $c.recvx, $sg)
				  $c.recvx++
			`,
		},
		{
			name: "receive from closed, without lock", file: "runtime/chan.go", in: "chanrecv(c, ep, block)",
			reason: "one record",
			diff: `
				  if empty($c) {
				  	if raceenabled {
				- 		raceacquire($c.raceaddr())
				+ 		antichainChan(antichainKindRecvClosed, $c, 0, antichainOpNone)
				  	}
			`,
		},
		{
			name: "receive from closed", file: "runtime/chan.go", in: "chanrecv(c, ep, block)",
			reason: "one record",
			diff: `
				  if $c.qcount == 0 {
				  	if raceenabled {
				- 		raceacquire($c.raceaddr())
				+ 		antichainChan(antichainKindRecvClosed, $c, 0, antichainOpNone)
				  	}
			`,
		},
		{
			name: "buffered receive", file: "runtime/chan.go", in: "chanrecv(c, ep, block)",
			reason: "one record",
			diff: `
				  if raceenabled {
				- 	racenotify($c, $c.recvx, nil)
				+ 	antichainChan(antichainKindRecv, $c, $c.recvx, antichainOpNone)
				  }
			`,
		},
		{
			name: "receive from a waiting sender, buffered", file: "runtime/chan.go",
			in:     "recv(c, sg, ep, unlockf, skip)",
			reason: "the receive takes what the slot holds, then the sender fills it",
			diff: `
				- racenotify($c, $c.recvx, nil)
				- racenotify($c, $c.recvx, $sg)
				+ antichainChan(antichainKindRecv, $c, $c.recvx, antichainSkipOp($skip))
				+ antichainChanFor(antichainKindSend, $c, $c.recvx, $sg)
			`,
		},
		{
			name: "timer drain", file: "runtime/chan.go", in: "timerchandrain(c)",
			reason: "Stop and Reset take out what the timer has sent",
			diff: `
				  for $c.qcount > 0 {
				+ 	antichainChan(antichainKindRecv, $c, $c.recvx, antichainOpNone)
				  	...
				  	typedmemclr($c.elemtype, chanbuf($c, $c.recvx))
			`,
		},
		{
			name: "select, buffered receive", file: "runtime/select.go", in: "selectgo",
			reason: "one record",
			diff: `
				- racenotify($c, $c.recvx, nil)
				+ antichainChan(antichainKindRecv, $c, $c.recvx, antichainOpSelect)
			`,
		},
		{
			name: "select, buffered send", file: "runtime/select.go", in: "selectgo",
			reason: "one record",
			diff: `
				- racenotify($c, $c.sendx, nil)
				+ antichainChan(antichainKindSend, $c, $c.sendx, antichainOpSelect|antichainElement($c, $cas.elem))
				  raceReadObjectPC($c.elemtype, $cas.elem, ...)
			`,
		},
		{
			name: "select, receive from closed", file: "runtime/select.go", in: "selectgo",
			reason: "one record",
			diff: `
				  if raceenabled {
				- 	raceacquire($c.raceaddr())
				+ 	antichainChan(antichainKindRecvClosed, $c, 0, antichainOpSelect)
				  }
				  goto retc
			`,
		},
		{
			name: "select, send on closed", file: "runtime/select.go", in: "selectgo",
			reason: "the panic shows that the close came before",
			diff: `
				  $c = $cas.c
				  ...
				  if $casi < $nsends {
				  	if !$success {
				  		goto sclose
				  	}
				  } else {
				  	$received = $success
				  }
				  ...
				+ antichainChan(antichainKindRecvClosed, $c, 0, antichainOpSend)
				+ antichainMisuse(unsafe.Pointer($c), antichainMisuseSendClosed)
				  selunlock($scases, $lockorder)
				  panic(plainError("send on closed channel"))
			`,
		},
		{
			name: "full, without lock", file: "runtime/chan.go", in: "chansend(c, ep, block, callerpc)",
			reason: "the record of a channel that is full is written under its lock",
			diff: `
				- if !$block && $c.closed == 0 && full($c) {
				+ if !$block && ($c.dataqsiz == 0 || antichainOn == antichainOff) && $c.closed == 0 && full($c) {
			`,
		},
		{
			name: "full", file: "runtime/chan.go", in: "chansend(c, ep, block, callerpc)",
			reason: "the elements in it came before",
			diff: `
				  if !$block {
				+ 	antichainTried($c, antichainOpSend)
				  	unlock(&$c.lock)
				  	return false
				  }
			`,
		},
		{
			name: "empty, without lock", file: "runtime/chan.go", in: "chanrecv(c, ep, block)",
			reason: "see full, without lock",
			diff: `
				- if !$block && empty($c) {
				+ if !$block && ($c.dataqsiz == 0 || antichainOn == antichainOff) && empty($c) {
			`,
		},
		{
			name: "empty", file: "runtime/chan.go", in: "chanrecv(c, ep, block)",
			reason: "all that was sent has been received",
			diff: `
				  if !$block {
				+ 	antichainTried($c, antichainOpRecv)
				  	unlock(&$c.lock)
				  	return false, false
				  }
			`,
		},
		{
			name: "select, default", file: "runtime/select.go", in: "selectgo(_, _, _, nsends, _, block)",
			reason: "see full, and empty",
			diff: `
				  if !$block {
				+ 	antichainTriedCases($scases, $nsends)
				  	selunlock($scases, $lockorder)
				  	$casi = -1
				  	goto retc
				  }
			`,
		},
		{
			name: "len", file: "runtime/chan.go", in: "chanlen",
			reason: "see full, and empty",
			diff: `
				- return int($c.qcount)
				+ return antichainLen($c)
			`,
		},
		{
			name: "reflect.Select", file: "runtime/select.go", in: "reflect_rselect",
			reason: "program counters of the cases, for the race detector",
			diff: `
				- if raceenabled {
				+ if false {
				  	$pcs := make([]uintptr, $nsends+$nrecvs)
			`,
		},
	},
}

// closeWakes are the waiting receivers or senders of a channel that is closed.
func closeWakes(who, queue, hook string) patch {
	return patch{
		name: "close wakes " + who, file: "runtime/chan.go", in: "closechan(c)",
		reason: "those whom close wakes learn of the close",
		diff: `
			  $sg := $c.` + queue + `.dequeue()
			  ...
			  if raceenabled {
			- 	raceacquireg($gp, $c.raceaddr())
			+ 	` + hook + `
			  }
		`,
	}
}

var jointTransfers = capability{
	name: frontend.JointTransfers, gives: "unbuffered transfers as one joint action",
	order: true, properties: ofChannels,
	patches: []patch{
		{
			name: "send to a waiting receiver, unbuffered", file: "runtime/chan.go",
			in:     "send(c, sg, ep, unlockf, skip)",
			reason: "a transfer is one joint action of both goroutines",
			diff: `
				  if $c.dataqsiz == 0 {
				- 	racesync($c, $sg)
				+ 	antichainHandoff($c, $sg, true, antichainSkipOp($skip))
				  } else {
			`,
		},
		{
			name: "receive from a waiting sender, unbuffered", file: "runtime/chan.go",
			in:     "recv(c, sg, ep, unlockf, skip)",
			reason: "a transfer is one joint action of both goroutines",
			diff: `
				  if $c.dataqsiz == 0 {
				  	if raceenabled {
				- 		racesync($c, $sg)
				+ 		antichainHandoff($c, $sg, false, antichainSkipOp($skip))
				  	}
			`,
		},
	},
}
