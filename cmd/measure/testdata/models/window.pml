// The twin of window.gcl: the same states and transitions.

#define ahead          ((a1 - 1 - base + k) % k)
#define shift(x, y, z) x = y; y = z; z = 0

byte d1, d2, d3, a1, a2, a3;
byte due;
byte base, sent, known;
byte next;

active proctype Sender() {
go:	if
	:: d_step { sent == known && sent < n && d3 == 0; sent++; known++; due++ }; goto sending
	:: d_step { sent < known && d3 == 0; sent++ }; goto sending
	:: d_step { a1 > 0 && ahead <= known; known = known - ahead; sent = 0; base = a1 - 1; shift(a1, a2, a3) }; goto go
	:: d_step { a1 > 0 && ahead > known; shift(a1, a2, a3) }; goto go
	:: d_step { sent > 0; sent = 0 }; goto go
	fi;

sending:	if
	:: d_step { d1 == 0; d1 = (base + sent - 1) % k + 1 }; goto go
	:: d_step { d1 > 0 && d2 == 0; d2 = (base + sent - 1) % k + 1 }; goto go
	:: d_step { d2 > 0; d3 = (base + sent - 1) % k + 1 }; goto go
	fi
}

active proctype Receiver() {
go:	if
	:: d_step { d1 > 0 && d1 - 1 == next && due > 0; next = (next + 1) % k; due--; shift(d1, d2, d3) }; goto go
	:: d1 > 0 && d1 - 1 == next && due == 0; goto wrong
	:: d_step { d1 > 0 && d1 - 1 != next; shift(d1, d2, d3) }; goto go
	:: d_step { a1 == 0; a1 = next + 1 }; goto go
	:: d_step { a1 > 0 && a2 == 0; a2 = next + 1 }; goto go
	:: d_step { a2 > 0 && a3 == 0; a3 = next + 1 }; goto go
	fi;

wrong:	if
	:: false; goto wrong
	fi
}

active proctype Loss() {
go:	if
	:: d_step { d1 > 0; shift(d1, d2, d3) }; goto go
	:: d_step { a1 > 0; shift(a1, a2, a3) }; goto go
	fi
}
