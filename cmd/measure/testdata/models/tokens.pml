// The twin of tokens.gcl: the same states and transitions.

#define x1 x[0]
#define x2 x[1]
#define x3 x[2]
#define x4 x[3]
#define x5 x[4]
#define x6 x[5]
#define x7 x[6]
#define x8 x[7]
#define x9 x[8]

byte x[n];
byte ready;

active [n] proctype P() {
choose:	if
	:: d_step { x[_pid] < k - 1; x[_pid] = x[_pid] + 1 }; goto choose
	:: ready = ready + 1; goto held
	fi;

held:	if
	:: ready == n; goto go
	fi;

go:	if
	:: d_step { _pid == 0 && x[0] == x[n-1]; x[0] = (x[0] + 1) % k }; goto go
	:: d_step { _pid > 0 && x[_pid] != x[_pid-1]; x[_pid] = x[_pid-1] }; goto go
	fi
}
