// Package ndjson reads logs of JSON objects, one a line, and of cells that commas separate, by a
// mapping that is written for the log.
//
//	{"svc":"web","msg":"order","id":"o1","state":{"stock":7}}
//	{"svc":"db","msg":"order received","id":"o1"}
//
// Read makes runs of them, and ReadCSV of cells:
//
//	mapping, err := ndjson.ParseMapping("mapping.json", text)
//	runs, err := ndjson.Read(file, "shop.log", mapping, ndjson.Options{})
//	err = runs[0].Next(&e) // until io.EOF
//
// # Mapping
//
// A mapping is a JSON object, as this one for the log above:
//
//	{
//	  "task":    "svc",
//	  "event":   "msg",
//	  "send":    {"key": "id", "if": {"msg": "order"}},
//	  "receive": {"key": "id", "if": {"msg": "order received"}},
//	  "set":     {"state.stock": "stock"}
//	}
//
// A field is named by its path, with dots between the names of an object and of its fields. A name
// may itself have dots, as "service.name": the longest existing one is taken. All but "task" can be
// left out:
//
//	task       the field with the name of the task, a string or a number; tasks are initial
//	event      the field that describes the event: its op, and its variable event
//	enter      an object: with this value of event the task enters a function of this name, as in
//	exit       {"begin": "handle"}; {path} in a name stands for the field's value:
//	           {"begin": "{func}"}
//	send       the field with the key of a message that the line sends, or of one that it receives;
//	receive    a list has several. With {"key": path, "if": condition} only where the condition
//	           holds. A list of paths makes one key of several fields
//	repeated   what it means that a key is sent again: "error", the default; "in order": the n-th
//	           line that receives it comes after the n-th one that sends it; "first": each one
//	           that receives it comes after the first one that sends it
//	clock      the field with the vector clock of the line, an object of tasks and numbers, or a
//	           string with one
//	unmatched  "accept" allows the receipt of messages that no line sends, which otherwise is an
//	           error; a receive then comes after nothing, and the trace has a caveat
//	set        an object of paths and names of variables, which the task has from then on, as
//	           {"state.stock": "stock"}. "*": "*" in it takes all fields under their own names
//	run        the field with the run of a line, if the log has several
//	if         a condition; other lines are left out
//	at         the field with the position in the source, as file.go:12; default: that in the log
//	operation  the field with the kind of an operation; see Operations below
//	object     the field with the lock, channel, WaitGroup or variable of an operation, a string or
//	           a number
//	other      the field with the task that an operation starts or joins
//	count      the field with the amount of an add or done; default 1
//	capacity   the field with the capacity of a channel, in one of its lines at least, or the number
//	           that all channels have; -1 is no bound
//
// A condition is an object of paths and the values that they must have, all of them; a list has
// alternative values. Any other name is an error.
//
// # Operations
//
// Lines can also describe how tasks synchronise, which built-in properties need:
//
//	"operation": {"field": "op", "kinds": {"acquired": "lock", "released": "unlock", "*": "none"},
//	              "if": {"level": "debug"}},
//	"object":    "on"
//
// The path alone, "operation": "op", is for a log whose words are those of the kinds. "*" is any
// other word, which otherwise is an error. A line without the field has no operation. The kinds
// are:
//
//	lock unlock rlock runlock   of a lock, also for reading; a task may lock again what it holds,
//	                            also for reading while it holds it for writing: it remains a reader
//	                            after the unlock
//	send receive close          of a channel; a receive may find it closed
//	add done wait               of the counter of a WaitGroup
//	start join                  of another task; end is the last line of a task, which a join does
//	                            not require
//	read write                  of a variable
//	locking rlocking sending    the task is about to do so, and may have to wait: at the end of the
//	receiving waiting           log it does, if the log shows an obstacle; for a reader, that
//	                            includes an earlier locking
//	none                        no operation
//
// A mapping that has a word for a kind promises that the log has all such operations, or that there
// are none if the word never occurs. The properties that can be judged follow from that. deadlock
// needs lock and unlock; rlock and runlock belong together. closed, waitgroup and unlock need the
// capacity and all kinds from lock to join: a missing kind might have ordered two operations. race
// needs read and write as well, and stuck those that begin to wait.
//
// Operations happened in the order of the lines, whatever their tasks. They order each other but no
// events. Unlike in the format of package std, start and join concern operations alone: every task
// of the log is initial.
//
// An impossible operation is an error with the line: a lock that another task holds is locked, a
// free one is unlocked, an empty channel is received from, a full one is sent on, a counter is
// negative or not zero when a wait is over, a task operates before its start or after its end. A
// send on a closed channel, a second close, and the unlock of another task's lock are no such
// errors: the log may report them. Send and receive on a channel without a buffer happen at the
// later one of the two lines, the longest waiting ones first; neither task may operate before.
//
// # Order
//
// The lines of a task stand in the order in which they happened. The lines of different tasks may
// stand in any order, since their clocks differ: only messages order them. A receive comes after
// the send of the same key, which can be in any line of the run; there is one send of a key, and
// any number of receives. A key that is repeated is sent by one task, and, unless its first send
// counts, received by one. "in order" is right if messages with one key do not overtake each other
// and none arrives twice; they may get lost.
//
// A line with a vector clock comes after the lines that this counts: those of another task whose
// own entry is at most the clock's entry for that task; of several with the same own entry only the
// first. Events without a line, and lines without a clock, do not matter. No entry gets smaller
// from a line of a task to the next.
//
// Since all tasks of a run are initial, the whole log is read before the
// first event is delivered, and then in an order in which causes come first.
//
// Errors are: a line that is no object, or has no task or no run; two sends of one key; a receive
// without a send; and a receive that comes before its send in every order.
package ndjson
