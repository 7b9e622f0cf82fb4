// The twin of lamport.gcl: the same states and transitions. k is how far a process has come with reading b.

#define at(i, place) P[i-1]@place
#define me           (_pid + 1)

byte x, y;
bit b[n];

active [n] proctype P() {
	byte k;

start:	if
	:: b[_pid] = 1; goto first
	fi;

first:	if
	:: x = me; goto test
	fi;

test:	if
	:: d_step { y != 0; b[_pid] = 0 }; goto again
	:: y == 0; goto second
	fi;

again:	if
	:: y == 0; goto start
	fi;

second:	if
	:: y = me; goto check
	fi;

check:	if
	:: x == me; goto crit
	:: d_step { x != me; b[_pid] = 0 }; goto slow
	fi;

slow:	if
	:: d_step { k < n && b[k] == 0; k++ }; goto slow
	:: d_step { k == n && y == me; k = 0 }; goto crit
	:: d_step { k == n && y != me; k = 0 }; goto again
	fi;

crit:	if
	:: y = 0; goto leave
	fi;

leave:	if
	:: b[_pid] = 0; goto start
	fi
}
