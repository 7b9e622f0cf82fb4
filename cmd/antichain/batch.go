package main

// aboutBatch is the help on --batch that is the same for all verbs with this flag. The keys of
// questions and answers follow.
const aboutBatch = `With --batch antichain reads questions from standard input, one JSON object a line, and prints the
answers in the same order, one JSON object a line. An answer has the "id" of its question, if there is
one. A line that cannot be read is answered by an object with "error", and a question for which a
budget runs out by one with "unknown".`
