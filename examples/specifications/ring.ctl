// A token in a ring of three processes: who has it works, and then hands it on.

H1 & !W1 & !W2 & !W3
// one process has the token, and nobody works without it
& AG (H1 & !H2 & !H3 | !H1 & H2 & !H3 | !H1 & !H2 & H3)
& AG (W1 -> H1)
& AG (H1 & !W1 -> EX_1 true & AX_1 (W1 & H1)) & AG (W1 -> EX_1 true & AX_1 (H2 & !W2 & !W1))
& AG (!H1 -> AX_1 false)
& AG (W2 -> H2)
& AG (H2 & !W2 -> EX_2 true & AX_2 (W2 & H2)) & AG (W2 -> EX_2 true & AX_2 (H3 & !W3 & !W2))
& AG (!H2 -> AX_2 false)
& AG (W3 -> H3)
& AG (H3 & !W3 -> EX_3 true & AX_3 (W3 & H3)) & AG (W3 -> EX_3 true & AX_3 (H1 & !W1 & !W3))
& AG (!H3 -> AX_3 false)
// each works again and again
& AG AF W1
& AG AF W2
& AG AF W3
