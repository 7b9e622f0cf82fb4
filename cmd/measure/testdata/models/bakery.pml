// The twin of bakery.gcl: the same states and transitions.

#define at(i, place) P[i-1]@place
#define other        (k / 2)
#define number1      number[0]

bit choosing[n];
byte number[n];

active [n] proctype P() {
	byte top, k;

idle:	if
	:: choosing[_pid] = 1; goto scan
	fi;

scan:	if
	:: d_step { k < n && number[k] > top; top = number[k]; k++ }; goto scan
	:: d_step { k < n && number[k] <= top; k++ }; goto scan
	:: d_step { k == n && top < most; number[_pid] = top + 1; top = 0; choosing[_pid] = 0; k = 0 }; goto turn
	:: d_step { k == n && top == most; top = 0; choosing[_pid] = 0; k = 0 }; goto idle
	fi;

turn:	if
	:: d_step { k < 2 * n - 1 && k % 2 == 0 && choosing[other] == 0; k++ }; goto turn
	:: d_step { k < 2 * n - 1 && k % 2 == 1 && (number[other] == 0 || number[other] > number[_pid] || (number[other] == number[_pid] && other >= _pid)); k++ }; goto turn
	:: d_step { k == 2 * n - 1 && (number[other] == 0 || number[other] > number[_pid] || (number[other] == number[_pid] && other >= _pid)); k = 0 }; goto crit
	fi;

crit:	if
	:: number[_pid] = 0; goto idle
	fi
}
