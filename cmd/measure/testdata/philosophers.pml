// The twin of examples/programs/philosophers.gcl: the same states and transitions. A jump must not lead to a d_step itself.

#define at(i, place) P[i-1]@place
#define left f[_pid]
#define right f[(_pid + 1) % n]

bit f[n];

active [n] proctype P() {
think:	if
	:: d_step { left == 0; left = 1 }; goto one
	fi;

one:	if
	:: d_step { right == 0; right = 1 }; goto eat
	fi;

eat:	if
	:: left = 0; goto put
	fi;

put:	if
	:: right = 0; goto think
	fi
}
