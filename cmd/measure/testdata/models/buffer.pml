// The twin of buffer.gcl: the same states and transitions. An assignment to idle makes a step of what only leads to the next place.

#define at(i, place)   P[i-1]@place
#define with(i, place) C[n+i-1]@place

bit mutex = 1;
byte filled;
byte free = k;
hidden byte idle;

active [n] proctype P() {
make:	if
	:: idle = 0; goto made
	fi;

made:	if
	:: idle = 0; goto claim
	fi;

claim:	if
	:: d_step { free > 0; free-- }; goto lock
	fi;

lock:	if
	:: d_step { mutex == 1; mutex = 0 }; goto put
	fi;

put:	if
	:: mutex = 1; goto signal
	fi;

signal:	if
	:: filled++; goto make
	fi
}

active [n] proctype C() {
claim:	if
	:: d_step { filled > 0; filled-- }; goto lock
	fi;

lock:	if
	:: d_step { mutex == 1; mutex = 0 }; goto get
	fi;

get:	if
	:: mutex = 1; goto signal
	fi;

signal:	if
	:: free++; goto use
	fi;

use:	if
	:: idle = 0; goto used
	fi;

used:	if
	:: idle = 0; goto claim
	fi
}
