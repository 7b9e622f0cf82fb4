// Command testdata holds small programs that show what the built-in properties find, and what they
// do not mind. Its argument is the name of one.
//
// A comment "// want PROPERTY "REGEXP"" says that a report on that property names the operation in
// this line, and matches; "// want none" above a function that there is no report.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// programs are the functions by their names.
var programs = map[string]func(){
	"abba": abba, "abbaNow": abbaNow, "threeLocks": threeLocks, "sameOrder": sameOrder, "gate": gate,
	"inTurn": inTurn, "startedAfter": startedAfter, "oneTask": oneTask, "tryLock": tryLock,
	"readerWriter": readerWriter, "readersOnly": readersOnly, "writerBetween": writerBetween,
	"sendUnderLock": sendUnderLock, "waitUnderLock": waitUnderLock, "joinUnderLock": joinUnderLock,
	"fillUnderLock": fillUnderLock, "roomUnderLock": roomUnderLock, "sendBeside": sendBeside, "sendOnClosedUnderLock": sendOnClosedUnderLock, "trySendOnClosedUnderLock": trySendOnClosedUnderLock, "channelLocks": channelLocks,
	"onceUnderLock": onceUnderLock, "onceBefore": onceBefore,

	"noReceiver": noReceiver, "timeout": timeout, "timeoutBuffered": timeoutBuffered, "timeoutWaits": timeoutWaits, "timeoutDrains": timeoutDrains, "timeoutExits": timeoutExits, "timeoutAgain": timeoutAgain, "timeoutElsewhere": timeoutElsewhere,
	"bothInTurn": bothInTurn, "bothSeen": bothSeen, "bothCounted": bothCounted, "firstOfBoth": firstOfBoth, "feedCloses": feedCloses, "feedStops": feedStops,
	"workerExits": workerExits, "eachOther": eachOther,
	"rateLocked": rateLocked, "rateUnlocked": rateUnlocked, "unlockedLate": unlockedLate, "unlockedInTime": unlockedInTime,
	"doubleLock": doubleLock, "lockedCopy": lockedCopy, "readTwice": readTwice, "neverUnlocked": neverUnlocked, "sometimesUnlocked": sometimesUnlocked, "failsLocked": failsLocked,
	"flushedTooLate": flushedTooLate, "flushedInTime": flushedInTime,
	"signalTooEarly": signalTooEarly, "signalKept": signalKept, "signalAgain": signalAgain,
	"neverSignalled": neverSignalled, "lostSignal": lostSignal, "missedSignal": missedSignal, "queue": queue, "nilChannel": nilChannel,
	"emptySelect": emptySelect, "manyCases": manyCases, "serving": serving, "neverClosed": neverClosed, "halfRead": halfRead, "neverDone": neverDone, "allAsleep": allAsleep,
	"cancelled": cancelled, "forSignals": forSignals, "ticking": ticking, "polling": polling, "pollingContext": pollingContext, "pollingTwice": pollingTwice, "pollingFor": pollingFor, "pollingUntil": pollingUntil, "pollingDeadline": pollingDeadline, "pollingCalls": pollingCalls, "reading": reading,
	"senderSleeps": senderSleeps, "pipeline": pipeline,

	"lateSend": lateSend, "lateHandoff": lateHandoff, "lateSelect": lateSelect, "sendOnClosed": sendOnClosed,
	"closeTwice": closeTwice, "closeNil": closeNil, "closeBySender": closeBySender,
	"closeAfterWait": closeAfterWait, "closeOnce": closeOnce, "closeUnderLock": closeUnderLock,
	"closeUnlessClosed": closeUnlessClosed, "closeUnlessClosedInTurn": closeUnlessClosedInTurn,
	"closeUnlessSet": closeUnlessSet, "closeUnlessSetInTurn": closeUnlessSetInTurn, "closeByWinner": closeByWinner,
	"closeByOne": closeByOne, "closeByBoth": closeByBoth,

	"addInside": addInside, "negative": negative, "negativeInOtherOrder": negativeInOtherOrder,
	"addBefore": addBefore, "addByWorker": addByWorker, "reused": reused, "waitGroupGo": waitGroupGo,

	"permitKept": permitKept, "permitWaited": permitWaited, "permitPassedOn": permitPassedOn, "latest": latest,
	"freeList":    freeList,
	"unlockTwice": unlockTwice, "readUnlockTwice": readUnlockTwice, "unlockElsewhere": unlockElsewhere,
	"handedOver": handedOver, "keptOnReturn": keptOnReturn, "keptForAnother": keptForAnother,

	"mapIsNil": mapIsNil, "calledBack": calledBack, "recovered": recovered, "panicsLater": panicsLater,

	"byValue": byValue, "waitGroupByValue": waitGroupByValue, "copyLocked": copyLocked, "rangeOver": rangeOver,
	"appended": appended, "sent": sent, "onceAgain": onceAgain, "fields": fields, "beforeUse": beforeUse,
	"reset": reset, "counters": counters, "reusedMemory": reusedMemory,

	"counter": counter, "sharedMap": sharedMap, "setValues": setValues, "pushBack": pushBack, "buffer": buffer, "marshal": marshal, "ownBuffers": ownBuffers, "pushBackUnderLock": pushBackUnderLock, "readTooEarly": readTooEarly, "halfAtomic": halfAtomic,
	"outsideTheLock": outsideTheLock, "publishedUnderLock": publishedUnderLock, "counterUnderLock": counterUnderLock, "ownElements": ownElements, "emptyValues": emptyValues, "readAfterwards": readAfterwards, "allAtomic": allAtomic,

	"unfinished": unfinished, "finishedByChance": finishedByChance, "waitedFor": waitedFor, "notNamed": notNamed,
}

// pace is how many times as long pauses are.
var pace time.Duration = 1

func main() {
	if len(os.Args) == 3 {
		if n, err := strconv.Atoi(os.Args[2]); err == nil {
			pace = time.Duration(n)
		}
	}
	if len(os.Args) > 1 && programs[os.Args[1]] != nil {
		programs[os.Args[1]]()
		return
	}
	fmt.Fprintln(os.Stderr, "usage: testdata PROGRAM [PACE]")
	os.Exit(2)
}

// pause is a time.Sleep, and printed as one, in which other goroutines do what they are to do before. On a busy machine they may not: it says
// so if it was much too long, or another goroutine can run still. Nothing of that orders anything.
func pause(d time.Duration) {
	d *= pace
	begin := time.Now()
	time.Sleep(d)
	over := time.Since(begin) - d
	all := make([]byte, 1<<16)
	stacks := string(all[:runtime.Stack(all, true)])
	if over > d/2 || strings.Count(stacks, " [running") > 1 || strings.Contains(stacks, " [runnable") {
		println("late")
	}
}
