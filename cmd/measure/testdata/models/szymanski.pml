// The twin of szymanski.gcl: the same states and transitions. k is how far a process has come with reading flags.

#define at(i, place) P[i-1]@place
#define last         (k == n - 1)

byte flag[n];

active [n] proctype P() {
	byte k;

idle:	if
	:: flag[_pid] = 1; goto door
	fi;

door:	if
	:: d_step { !last && flag[k] < 3; k++ }; goto door
	:: d_step { last && flag[k] < 3; k = 0 }; goto enter
	fi;

enter:	if
	:: flag[_pid] = 3; goto look
	fi;

look:	if
	:: d_step { k < n && flag[k] != 1; k++ }; goto look
	:: d_step { k < n && flag[k] == 1; flag[_pid] = 2; k = 0 }; goto room
	:: d_step { k == n; k = 0 }; goto close
	fi;

room:	if
	:: d_step { flag[k] != 4; k = (k + 1) % n }; goto room
	:: d_step { flag[k] == 4; k = 0 }; goto close
	fi;

close:	if
	:: flag[_pid] = 4; goto before
	fi;

before:	if
	:: d_step { !last && (k >= _pid || flag[k] < 2); k++ }; goto before
	:: d_step { last && (k >= _pid || flag[k] < 2); k = 0 }; goto crit
	fi;

crit:	if
	:: k = 0; goto after
	fi;

after:	if
	:: d_step { !last && (k <= _pid || flag[k] < 2 || flag[k] > 3); k++ }; goto after
	:: d_step { last && (k <= _pid || flag[k] < 2 || flag[k] > 3); k = 0 }; goto leave
	fi;

leave:	if
	:: flag[_pid] = 0; goto idle
	fi
}
