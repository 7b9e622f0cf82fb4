// Mutual exclusion in which nobody ever waits, which there is not: both can come to try, and then each can go on although the other one has.

N1 & N2
& AG !(C1 & C2)
& AG (N1 -> EX_1 (T1 & !N1)) & AG (N2 -> EX_2 (T2 & !N2))
// who tries can always move on
& AG (T1 -> EX_1 C1) & AG (T2 -> EX_2 C2)
// no process moves another one
& AG (N1 -> AX_2 N1) & AG (T1 -> AX_2 T1) & AG (C1 -> AX_2 C1)
& AG (N2 -> AX_1 N2) & AG (T2 -> AX_1 T2) & AG (C2 -> AX_1 C2)
