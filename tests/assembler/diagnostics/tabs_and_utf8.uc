.reg a	; größer
	alu[a, --,	B, größe]	; Straße
	alu[a, --,	B, zzz]
ctx_arb[kill]
