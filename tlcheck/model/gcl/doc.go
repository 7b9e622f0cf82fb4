// Package gcl reads and runs finite-state programs: parallel processes over bounded integer
// variables. A program is a transition system (package kripke). The language has two notations,
// those of Gunter and Peled, "Temporal Debugging for Concurrent Systems", 2002, and of Sherman and
// Pnueli, "Model Checking for Linear Temporal Logic", 1990. Keywords may be in capitals, as in the
// latter.
//
//	file, err := gcl.Parse("peterson.gcl", source)
//	program, err := gcl.New(file, nil)
//	graph, err := kripke.Explore(ctx, program)
//
// The grammar of programs:
//
//	file      = { parameter | variables | process ["||"] }
//	parameter = "param" NAME "=" expr ";"
//	variables = "declare" names ":" "[" expr ".." expr "]" ";" { names ":" … ";" }
//	          | "initially" name "=" expr ";" { name "=" expr ";" }
//	          | "output" names ";"
//	process   = [each] "process" name {variables} (statement | {command} "end") ["." | ";"]
//	each      = "for" NAME "in" expr ".." expr
//	name      = NAME ["[" expr "]"]
//
// # Variables
//
// A variable has a range of integers. If a process leaves the range, that is an error of the
// program, reported with the state. A variable starts with the value after "initially", otherwise
// with the number of its range that is nearest to 0. All processes can read and write the variables
// that a process declares. An output can only be written, and is no part of the state.
//
// # Structured statements
//
//	statement = "begin" statement {";" statement} "end" | "while" expr "do" statement
//	          | "if" expr "then" statement ["else" statement] | "wait" expr
//	          | "{" step {";" step} "}" | step | nothing
//	step      = name ":=" expr | name ":=:" name | "skip" | "goto" name
//
// An assignment, a test of a while or an if, and the end of a wait are one step each; braces make
// one step of several. There is no goto between structured statements. "wait turn=1" waits WHILE
// turn is 1, as in figure 3 of Gunter and Peled. x :=: y exchanges both.
//
// Each process has a flow graph, whose nodes are its statements. They are numbered when they end,
// inner ones before outer ones: m1, m2, … in the first process, n1, n2, … in the next one. A
// process is at the node that it executed last, and initially at m0.
//
// # Commands
//
//	command     = [each] name ":" alternative { ["|"] alternative }
//	alternative = ["if" expr] ( step ";" | "{" step {";" step} "}" ) | step ";" {step ";"}
//
// A process at a label L chooses among the alternatives of L whose conditions are true, and waits
// while there is none. An alternative is one step. It ends with a goto, or continues at the next
// label. "if" begins an alternative also without a bar. An alternative whose condition is false for
// all values of the variables is omitted, which lets the last of many commands differ.
//
// # Expressions
//
// From weakest to strongest: or (| || ∨), and (& && ^ ∧), not (! ~ ¬), comparisons (= == /= != ≠ <
// <= ≤ > >= ≥), + and -, * / %, minus. Divisors are positive constants. Quotients are rounded down,
// so remainders are never negative. No number may exceed 2^31, which is checked before the program
// runs. Comments extend from // to the end of the line.
//
// # Many processes
//
// "for i in 1..n" in front of a process, or of a command, makes one for each i. A name with an
// index, as P[i] or t[i+1], is that name with the number appended: for i=1 these are P1 and t2. An
// index is a constant: it consists of numbers, parameters and the variables of "for". The caller
// can set parameters.
package gcl
