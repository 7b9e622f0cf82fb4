// Mutual exclusion without starvation, as in section 6 of Clarke and Emerson, "Design and Synthesis of Synchronization Skeletons
// Using Branching Time Temporal Logic", for two processes: each is in its noncritical section, tries, or is in its critical section.

// 1. the start state
NCS1 & NCS2
// 2. mutual exclusion
& AG !(CS1 & CS2)
// 3. absence of starvation
& AG (TRY1 -> AF CS1)
& AG (TRY2 -> AF CS2)
// 4. each process is always in exactly one region
& AG (NCS1 | TRY1 | CS1)
& AG (NCS1 -> !(TRY1 | CS1)) & AG (TRY1 -> !(NCS1 | CS1)) & AG (CS1 -> !(NCS1 | TRY1))
& AG (NCS2 | TRY2 | CS2)
& AG (NCS2 -> !(TRY2 | CS2)) & AG (TRY2 -> !(NCS2 | CS2)) & AG (CS2 -> !(NCS2 | TRY2))
// 5. it is always possible to try
& AG (NCS1 -> EX_1 TRY1)
& AG (NCS2 -> EX_2 TRY2)
// 6. who tries moves into the critical section, if anywhere
& AG (TRY1 & EX_1 true -> AX_1 CS1)
& AG (TRY2 & EX_2 true -> AX_2 CS2)
// 7. it is always possible to leave the critical section
& AG (CS1 -> EX_1 NCS1)
& AG (CS2 -> EX_2 NCS2)
// 8. no process moves another one
& AG (NCS1 -> AX_2 NCS1) & AG (TRY1 -> AX_2 TRY1) & AG (CS1 -> AX_2 CS1)
& AG (NCS2 -> AX_1 NCS2) & AG (TRY2 -> AX_1 TRY2) & AG (CS2 -> AX_1 CS2)
// 9. some process can always move
& AG EX true
