// The twin of examples/programs/x1.gcl: the same states and transitions. An assignment of the same value is there to be idle, since
// SPIN takes no step that does nothing; a jump must not lead to a d_step itself.

#define at(i, place) P[i-1]@place

byte y = 1;
hidden byte other;

active [n] proctype P() {
	byte t = 0;

L0:	if
	:: t = t; goto L0
	:: t = 0; goto L1
	fi;

L1:	if
	:: t == 0; goto L2
	:: t == 1; goto L3
	fi;

L2:	if
	:: d_step { other = y; y = t; t = other }; goto L1
	fi;

L3:	if
	:: d_step { other = y; y = t; t = other }; goto L0
	fi
}
