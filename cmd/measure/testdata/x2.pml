// The twin of examples/programs/x2.gcl: the same states and transitions. Numbers of processes are those of pids, and one more. k is
// how far the scan of a process at L4 is, which are places of their own there.

#define at(i, place) P[i-1]@place

#define nil     (n + 1)
#define free    (y == 0 || y == _pid + 1)
#define other   ((_pid + 1 + k) % n)

byte y = 0;
byte r[n] = nil;
byte t[n] = 0;
hidden byte swapped;

active [n] proctype P() {
	byte k = 0;

L0:	if
	:: k = k; goto L0
	:: t[_pid] = 1; goto L1
	fi;

L1:	if
	:: r[_pid] == nil && free; goto L2
	:: r[_pid] == nil && !free; goto L1
	:: r[_pid] != nil; goto L2
	fi;

L2:	if
	:: d_step { !free; swapped = y; y = r[_pid]; r[_pid] = swapped }; goto L1
	:: d_step { free; swapped = y; y = r[_pid]; r[_pid] = swapped }; goto L3
	fi;

L3:	if
	:: d_step { r[_pid] = nil; t[_pid] = 0 }; goto L4
	fi;

L4:	if
	:: d_step { t[other] == 1; y = other + 1; k = 0 }; goto L0
	:: d_step { t[other] == 0 && k < n - 1; k++ }; goto L4
	:: d_step { t[other] == 0 && k == n - 1; y = 0; k = 0 }; goto L0
	fi
}
