// The twin of filter.gcl: the same states and transitions. go is the place of several there, told apart by l, one less than the level, and k.

#define at(i, place) P[i-1]@place
#define me           (_pid + 1)
#define passed       (k - 2 == _pid || level[k-2] < l + 1 || turn[l] != me)

byte level[n];
byte turn[n];

active [n] proctype P() {
	byte l, k;

go:	if
	:: d_step { k == 0; level[_pid] = l + 1; k = 1 }; goto go
	:: d_step { k == 1; turn[l] = me; k = 2 }; goto go
	:: d_step { k > 1 && k <= n && passed; k++ }; goto go
	:: d_step { k == n + 1 && l < n - 2 && passed; k = 0; l++ }; goto go
	:: d_step { k == n + 1 && l == n - 2 && passed; k = 0; l = 0 }; goto crit
	fi;

crit:	if
	:: level[_pid] = 0; goto go
	fi
}
