// Package ndjson reads logs of JSON objects, one a line, as a mapping says that is written for the log.
//
//	{"svc":"web","msg":"order","id":"o1","state":{"stock":7}}
//	{"svc":"db","msg":"order received","id":"o1"}
//
// Read makes runs of them:
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
// A field is named by its path, with dots between the names of an object and of what is in it. Where a name has dots
// itself, as "service.name", the longest one that is there is taken. All but "task" can be left out:
//
//	task       the field with the name of the task, a string or a number; tasks are initial
//	event      the field that says what happened: the op of the event, and its variable event
//	enter      an object: with this value of event the task enters a function of this name, as in
//	exit       {"begin": "handle"}; {path} in a name stands for the field's value: {"begin": "{func}"}
//	send       the field with the key of a message that the line sends, or of one that it receives;
//	receive    a list has several. With {"key": path, "if": condition} only where the condition holds
//	unmatched  "accept" if messages may be received that no line sends, which else is an error; a receive
//	           then comes after nothing, and the trace has a caveat
//	set        an object of paths and names of variables, which the task has from then on, as
//	           {"state.stock": "stock"}. "*": "*" in it takes all fields under their own names
//	run        the field that says which run a line belongs to, if the log has several
//	if         a condition; other lines are left out
//	at         the field with the position in the source, as file.go:12; else it is that in the log
//	operation  the field with the kind of an operation; see Operations below
//	object     the field with the lock, channel, WaitGroup or variable of an operation, a string or a number
//	other      the field with the task that an operation starts or joins
//	count      the field with how much an add or done counts; else it is 1
//	capacity   the field with the capacity of a channel, in one of its lines at least, or the number that all
//	           channels have; -1 is no bound
//
// A condition is an object of paths and the values that they must have, all of them; a list is of values of which one
// suffices. What has another name is a mistake.
//
// # Operations
//
// Lines can also say what tasks do to synchronise, which is what built-in properties are about:
//
//	"operation": {"field": "op", "kinds": {"acquired": "lock", "released": "unlock", "*": "none"}, "if": {"level": "debug"}},
//	"object":    "on"
//
// The path alone, "operation": "op", is for a log that has the words of the kinds. "*" is any other word, which else is an
// error. A line without the field has no operation. The kinds are:
//
//	lock unlock rlock runlock   of a lock, also for reading; a task may lock again what it holds, also for reading what
//	                            it holds for writing: it goes on as a reader after the unlock
//	send receive close          of a channel; a receive may find it closed
//	add done wait               of the counter of a WaitGroup
//	start join                  of another task; end is the last line of a task, which a join needs not have
//	read write                  of a variable
//	locking rlocking sending    the task is about to do so, and may have to wait: at the end of the log it does, if the
//	receiving waiting           log says that something is in the way; of who is to read, also an earlier locking
//	none                        no operation
//
// Who gives a kind a word says that the log has all such operations, also that there are none if the word never occurs. The
// properties that can be judged follow from that. deadlock needs lock and unlock; rlock and runlock belong together. closed, waitgroup
// and unlock need the capacity and all kinds from lock to join: what is missing might have ordered two operations. race needs read
// and write as well, and stuck those that begin to wait.
//
// Operations happened in the order of the lines, whatever their tasks. They order each other but no events. Unlike
// in the format of package std, start and join concern operations alone: every task of the log is initial.
//
// What cannot have happened is an error with the line: a lock that somebody else holds is locked, one that nobody holds is
// unlocked, an empty channel is received from, a full one is sent on, a counter is negative or not zero when a wait is over, a task
// operates before its start or after its end. A send on a closed channel and a second close are told as what they are, and so is
// the unlock of what another task has locked. Send and receive on a channel without a buffer happen at the later one of the
// two lines, those that wait longest first; neither task may go on before.
//
// # Order
//
// The lines of a task stand in the order in which they happened. The lines of different tasks may stand in any
// order, since their clocks differ: only messages order them. A receive comes after the send of the same key, which can be in
// any line of the run; there is one send of a key, and any number of receives. Since all tasks of a run are
// initial, the whole log is read before the first event is delivered, and then in an order in which causes come first.
//
// Errors are: a line that is no object, or has no task or no run; two sends of one key; a receive without a
// send; and a receive that comes before its send in every order.
package ndjson
