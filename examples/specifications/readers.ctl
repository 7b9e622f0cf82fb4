// Two readers (processes 1 and 2) and a writer (process 3): readers may read together, the writer writes alone, nobody starves.

N1 & N2 & N3
// who excludes whom
& AG !(C1 & C3) & AG !(C2 & C3)
// readers do not wait for each other while the writer does nothing
& AG (T1 & C2 & N3 -> EX_1 C1) & AG (T2 & C1 & N3 -> EX_2 C2)
// nobody starves
& AG (T1 -> AF C1)
& AG (T2 -> AF C2)
& AG (T3 -> AF C3)
// regions: noncritical, trying, critical, in this order
& AG (N1 & !T1 & !C1 | !N1 & T1 & !C1 | !N1 & !T1 & C1)
& AG (N1 -> EX_1 true & AX_1 T1) & AG (T1 -> AX_1 C1) & AG (C1 -> EX_1 true & AX_1 N1)
& AG (N2 & !T2 & !C2 | !N2 & T2 & !C2 | !N2 & !T2 & C2)
& AG (N2 -> EX_2 true & AX_2 T2) & AG (T2 -> AX_2 C2) & AG (C2 -> EX_2 true & AX_2 N2)
& AG (N3 & !T3 & !C3 | !N3 & T3 & !C3 | !N3 & !T3 & C3)
& AG (N3 -> EX_3 true & AX_3 T3) & AG (T3 -> AX_3 C3) & AG (C3 -> EX_3 true & AX_3 N3)
// no process moves another one
& AG (N1 -> AX_2 N1) & AG (T1 -> AX_2 T1) & AG (C1 -> AX_2 C1)
& AG (N1 -> AX_3 N1) & AG (T1 -> AX_3 T1) & AG (C1 -> AX_3 C1)
& AG (N2 -> AX_1 N2) & AG (T2 -> AX_1 T2) & AG (C2 -> AX_1 C2)
& AG (N2 -> AX_3 N2) & AG (T2 -> AX_3 T2) & AG (C2 -> AX_3 C2)
& AG (N3 -> AX_1 N3) & AG (T3 -> AX_1 T3) & AG (C3 -> AX_1 C3)
& AG (N3 -> AX_2 N3) & AG (T3 -> AX_2 T3) & AG (C3 -> AX_2 C3)
