// The twin of elevator.gcl: the same states and transitions. where is what is called at there.

#define at(i, place) P[i-1]@place

byte where, load;
bit open;
bit up = 1;

active [n] proctype P() {
	byte floor, goal;

idle:	if
	:: goal = (goal + 1) % k; goto idle
	:: goal != floor; goto call
	fi;

call:	if
	:: d_step { open == 1 && where == floor && load < 2; load++; floor = 0 }; goto ride
	fi;

ride:	if
	:: d_step { open == 1 && where == goal; load--; floor = goal }; goto idle
	fi
}

active proctype Cabin() {
go:	if
	:: d_step { open == 0; open = 1 }; goto go
	:: d_step { open == 1 && where < k - 1 && up == 1; open = 0; where++ }; goto go
	:: d_step { open == 1 && where > 0 && up == 0; open = 0; where-- }; goto go
	:: d_step { open == 0 && where < k - 1 && up == 1; where++ }; goto go
	:: d_step { open == 0 && where > 0 && up == 0; where-- }; goto go
	:: d_step { where == k - 1 && up == 1; up = 0 }; goto go
	:: d_step { where == 0 && up == 0; up = 1 }; goto go
	fi
}
