package goroot

import "github.com/antichain-go/antichain/internal/tracer/instrument/frontend"

// The operations that a goroutine waits for at channels, and the cases of a select statement.
var channelWaits = capability{
	name: frontend.ChannelWaits, gives: "waits at channels, and the cases of select statements",
	needs: []*capability{&goroutines, &channels}, properties: ofChannels,
	patches: []patch{
		{
			name: "send to nil", file: "runtime/chan.go", in: "chansend",
			reason: "waits for ever",
			diff: `
				+ antichainBlock(nil, antichainOpSend)
				  gopark(nil, nil, waitReasonChanSendNilChan,
			`,
		},
		{
			name: "receive from nil", file: "runtime/chan.go", in: "chanrecv",
			reason: "waits for ever",
			diff: `
				+ antichainBlock(nil, antichainOpRecv)
				  gopark(nil, nil, waitReasonChanReceiveNilChan,
			`,
		},
		{
			name: "try, no send, without lock", file: "runtime/chan.go", in: "chansend(c, ep, block, callerpc)",
			reason: tries,
			diff: `
				  if !$block && $c.closed == 0 && full($c) {
				+ 	antichainTry($c, true, antichainSelectDefault)
				  	return false
				  }
			`,
		},
		{
			name: "try, send on closed", file: "runtime/chan.go", in: "chansend(c, ep, block, callerpc)",
			reason: tries,
			diff: `
				  if $c.closed != 0 {
				+ 	if !$block {
				+ 		antichainTry($c, true, antichainSelectTried)
				+ 	}
				  	unlock(&$c.lock)
				  	panic(plainError("send on closed channel"))
			`,
		},
		{
			name: "try, send to a waiting receiver", file: "runtime/chan.go", in: "chansend(c, ep, block, callerpc)",
			reason: tries,
			diff: `
				  if $sg := $c.recvq.dequeue(); $sg != nil {
				+ 	if !$block {
				+ 		antichainTry($c, true, antichainSelectTried)
				+ 	}
				  	send($c, $sg, $ep,
			`,
		},
		{
			name: "try, buffered send", file: "runtime/chan.go", in: "chansend(c, ep, block, callerpc)",
			reason: tries,
			diff: `
				  if $c.qcount < $c.dataqsiz {
				+ 	if !$block {
				+ 		antichainTry($c, true, antichainSelectTried)
				+ 	}
				  	$qp := chanbuf($c, $c.sendx)
			`,
		},
		{
			name: "no send", file: "runtime/chan.go", in: "chansend(c, ep, block, callerpc)",
			reason: tries + "; and waits",
			diff: `
				  if !$block {
				+ 	antichainTry($c, true, antichainSelectDefault)
				  	unlock(&$c.lock)
				  	return false
				  }
				+ antichainBlock(unsafe.Pointer($c), antichainOpSend)
			`,
		},
		{
			name: "try, no receive, without lock", file: "runtime/chan.go", in: "chanrecv(c, ep, block)",
			reason: tries,
			diff: `
				  if !$block && empty($c) {
				  	if atomic.Load(&$c.closed) == 0 {
				+ 		antichainTry($c, false, antichainSelectDefault)
				  		return
				  	}
			`,
		},
		{
			name: "try, receive from closed, without lock", file: "runtime/chan.go", in: "chanrecv(c, ep, block)",
			reason: tries,
			diff: `
				  if empty($c) {
				+ 	antichainTry($c, false, antichainSelectTried)
				  	if raceenabled {
			`,
		},
		{
			name: "try, receive from closed", file: "runtime/chan.go", in: "chanrecv(c, ep, block)",
			reason: tries,
			diff: `
				  if $c.qcount == 0 {
				+ 	if !$block {
				+ 		antichainTry($c, false, antichainSelectTried)
				+ 	}
				  	if raceenabled {
			`,
		},
		{
			name: "try, receive from a waiting sender", file: "runtime/chan.go", in: "chanrecv(c, ep, block)",
			reason: tries,
			diff: `
				  if $sg := $c.sendq.dequeue(); $sg != nil {
				+ 	if !$block {
				+ 		antichainTry($c, false, antichainSelectTried)
				+ 	}
				  	recv($c, $sg, $ep,
			`,
		},
		{
			name: "try, buffered receive", file: "runtime/chan.go", in: "chanrecv(c, ep, block)",
			reason: tries,
			diff: `
				  if $c.qcount > 0 {
				+ 	if !$block {
				+ 		antichainTry($c, false, antichainSelectTried)
				+ 	}
				  	$qp := chanbuf($c, $c.recvx)
			`,
		},
		{
			name: "no receive", file: "runtime/chan.go", in: "chanrecv(c, ep, block)",
			reason: tries + "; and waits",
			diff: `
				  if !$block {
				+ 	antichainTry($c, false, antichainSelectDefault)
				  	unlock(&$c.lock)
				  	return false, false
				  }
				+ antichainBlock(unsafe.Pointer($c), antichainOpRecv)
			`,
		},
		{
			name: "select without cases", file: "runtime/select.go", in: "block",
			reason: "waits for ever",
			diff: `
				+ antichainBlockSelect(nil, 0)
				  gopark(nil, nil, waitReasonSelectNoCases,
			`,
		},
		{
			name: "select decides", file: "runtime/select.go", in: "selectgo(_, _, _, nsends, _, block)",
			reason: "what there was to choose from",
			diff: `
				+ antichainDecision := uintptr(antichainSelectCase)
				+ if !$block {
				+ 	antichainDecision = antichainSelectTried
				+ }
				  for _, $casei := range $pollorder {
				  	$casi = int($casei)
				  	$cas = &$scases[$casi]
				  	$c = $cas.c
				  	if $casi >= $nsends {
				  		$sg = $c.sendq.dequeue()
				  		if $sg != nil {
				+ 			antichainSelect($scases, $nsends, antichainDecision)
				  			goto recv
				  		}
				  		if $c.qcount > 0 {
				+ 			antichainSelect($scases, $nsends, antichainDecision)
				  			goto bufrecv
				  		}
				  		if $c.closed != 0 {
				+ 			antichainSelect($scases, $nsends, antichainDecision)
				  			goto rclose
				  		}
				  	} else {
				  		...
				  		if $c.closed != 0 {
				+ 			antichainSelect($scases, $nsends, antichainDecision)
				  			goto sclose
				  		}
				  		$sg = $c.recvq.dequeue()
				  		if $sg != nil {
				+ 			antichainSelect($scases, $nsends, antichainDecision)
				  			goto send
				  		}
				  		if $c.qcount < $c.dataqsiz {
				+ 			antichainSelect($scases, $nsends, antichainDecision)
				  			goto bufsend
				  		}
				  	}
				  }
			`,
		},
		{
			name: "select waits", file: "runtime/select.go", in: "selectgo(_, _, _, nsends, _, block)",
			reason: "see select decides; and waits",
			diff: `
				  if !$block {
				+ 	antichainSelect($scases, $nsends, antichainSelectDefault)
				  	selunlock($scases, $lockorder)
				  	$casi = -1
				  	goto retc
				  }
				+ antichainBlockSelect($scases, $nsends)
			`,
		},
		noinline("reflect/value.go", "Select"),
	},
}

const tries = "a select statement with one case and a default"
