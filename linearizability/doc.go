// Package linearizability decides whether operations on shared objects can be explained by a
// sequential model of the objects (Herlihy and Wing 1990).
//
//	verdict := linearizability.Check(ctx, linearizability.Register(nil), operations).Verdict
//
// A history has, for each operation, the moments of its call and of its return. It is linearizable
// if each operation can be given a moment between the two, with which the operations, one after the
// other, have the results that a sequential [Model] gives them. An operation that has not returned
// may take effect at any moment after its call, or never.
//
// [Check] decides one history. [CheckOrders] decides all histories that a partial order of calls
// and returns allows.
//
// The search for an order of the operations follows Wing and Gong (1993) and Lowe (2017): it places
// an operation only when some return makes it necessary, and never goes on twice from the same
// state with the same operations placed. A history is linearizable if that of each object is
// (Herlihy and Wing 1990, theorem 1), and so is that of each independent part of an object, such as
// a key of a map.
package linearizability
