// The twin of kanban.gcl: the same states and transitions. Numbers of cells are those of pids, and one more.

#define kan1 kan[0]
#define kan2 kan[1]
#define kan3 kan[2]
#define kan4 kan[3]
#define m2 m[1]
#define m3 m[2]
#define m4 m[3]
#define out1 out[0]
#define out2 out[1]
#define out3 out[2]
#define out4 out[3]
#define i _pid

byte kan[4] = n;
byte m[4], back[4], out[4];

active [4] proctype Cell() {
go:	if
	:: d_step { m[i] > 0; m[i] = m[i] - 1; back[i] = back[i] + 1 }; goto go
	:: d_step { back[i] > 0; back[i] = back[i] - 1; m[i] = m[i] + 1 }; goto go
	:: d_step { m[i] > 0; m[i] = m[i] - 1; out[i] = out[i] + 1 }; goto go
	:: d_step { i == 0 && kan1 > 0; kan1--; m[i] = m[i] + 1 }; goto go
	:: d_step { i == 1 && out1 > 0 && kan2 > 0 && kan3 > 0; out1--; kan2--; kan3--; kan1++; m2++; m3++ }; goto go
	:: d_step { i == 2 && out2 > 0 && out3 > 0 && kan4 > 0; out2--; out3--; kan4--; kan2++; kan3++; m4++ }; goto go
	:: d_step { i == 3 && out4 > 0; out4--; kan4++ }; goto go
	fi
}
