// The twin of leader.gcl: the same states and transitions.

#define at(i, place) P[i-1]@place
#define me           (_pid + 1)
#define mine         got[_pid]
#define next         got[(_pid + 1) % n]

byte got[n];

active [n] proctype P() {
	byte hold;

asleep:	if
	:: d_step { next == 0; next = me }; goto awake
	:: mine > 0; goto relay
	fi;

awake:	if
	:: d_step { mine > 0 && mine < me; mine = 0 }; goto awake
	:: d_step { mine > me; hold = mine; mine = 0 }; goto pass
	:: d_step { mine == me; mine = 0 }; goto leader
	fi;

pass:	if
	:: d_step { next == 0; next = hold; hold = 0 }; goto awake
	fi;

relay:	if
	:: d_step { mine > 0; hold = mine; mine = 0 }; goto forward
	fi;

forward:	if
	:: d_step { next == 0; next = hold; hold = 0 }; goto relay
	fi;

leader:	if
	:: false; goto leader
	fi
}
