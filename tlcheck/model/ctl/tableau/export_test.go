package tableau

// Satisfy is Sat with so many blocks at first.
var Satisfy = satisfy
