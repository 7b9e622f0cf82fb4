// The twin of examples/programs/peterson.gcl: the same states and transitions. An assignment of the same value is there to be
// idle, since SPIN takes no step that does nothing.

#define at(i, place) P##i[i-1]@place

byte t = 1, y1 = 0, y2 = 0;

active proctype P1() {
L0:	if
	:: y1 = y1; goto L0
	:: y1 = 1; goto L1
	fi;

L1:	t = 1;

L2:	if
	:: y2 == 0 || t == 0; goto L3
	:: y2 == 1 && t == 1; goto L2
	fi;

L3:	y1 = 0; goto L0
}

active proctype P2() {
M0:	if
	:: y2 = y2; goto M0
	:: y2 = 1; goto M1
	fi;

M1:	t = 0;

M2:	if
	:: y1 == 0 || t == 1; goto M3
	:: y1 == 1 && t == 0; goto M2
	fi;

M3:	y2 = 0; goto M0
}
