; What the preprocessor refuses because it would take too long or too much memory.
; The form is described in tests/assembler/annotated.h.

;=== endless_join
.reg a
#define AB A/**/B
#define J0 J/**/1
#define J1 J/**/2
#define J2 J/**/3
#define J3 J/**/4
#define J4 J/**/5
#define J5 J/**/6
#define J6 J/**/7
#define J7 J/**/8
#define J8 J/**/9
#define J9 J/**/10
#define J10 J/**/11
#define J11 J/**/12
#define J12 J/**/13
#define J13 J/**/14
#define J14 J/**/15
#define J15 J/**/16
#define J16 J/**/17
#define J17 J/**/18
#define J18 J/**/19
#define J19 J/**/20
#define J20 J/**/21
#define J21 J/**/22
#define J22 J/**/23
#define J23 J/**/24
#define J24 J/**/25
#define J25 J/**/26
#define J26 J/**/27
#define J27 J/**/28
#define J28 J/**/29
#define J29 J/**/30
#define J30 J/**/31
#define J31 J/**/32
#define J32 J/**/33
#define J33 J/**/34
#define J34 J/**/35
#define J35 J/**/36
#define J36 J/**/37
#define J37 J/**/38
#define J38 J/**/39
#define J39 J/**/40
#define J40 J/**/41
#define J41 J/**/42
#define J42 J/**/43
#define J43 J/**/44
#define J44 J/**/45
#define J45 J/**/46
#define J46 J/**/47
#define J47 J/**/48
#define J48 J/**/49
#define J49 J/**/50
#define J50 J/**/51
#define J51 J/**/52
#define J52 J/**/53
#define J53 J/**/54
#define J54 J/**/55
#define J55 J/**/56
#define J56 J/**/57
#define J57 J/**/58
#define J58 J/**/59
#define J59 J/**/60
#define J60 J/**/61
#define J61 J/**/62
#define J62 J/**/63
#define J63 J/**/64
#define J64 J/**/65
#define J65 J/**/66
#define J66 J/**/67
#define J67 J/**/68
#define J68 J/**/69
#define J69 J/**/70
#define J70 J/**/71
#define J71 J/**/72
#define J72 J/**/73
#define J73 J/**/74
#define J74 J/**/75
#define J75 J/**/76
#define J76 J/**/77
#define J77 J/**/78
#define J78 J/**/79
#define J79 J/**/80
#define J80 J/**/81
#define J81 J/**/82
#define J82 J/**/83
#define J83 J/**/84
#define J84 J/**/85
#define J85 J/**/86
#define J86 J/**/87
#define J87 J/**/88
#define J88 J/**/89
#define J89 J/**/90
#define J90 J/**/91
#define J91 J/**/92
#define J92 J/**/93
#define J93 J/**/94
#define J94 J/**/95
#define J95 J/**/96
#define J96 J/**/97
#define J97 J/**/98
#define J98 J/**/99
#define J99 J/**/100
#define J100 J/**/101
#define J101 J/**/102
#define J102 J/**/103
#define J103 J/**/104
#define J104 J/**/105
#define J105 J/**/106
#define J106 J/**/107
#define J107 J/**/108
#define J108 J/**/109
#define J109 J/**/110
#define J110 J/**/111
#define J111 J/**/112
#define J112 J/**/113
#define J113 J/**/114
#define J114 J/**/115
#define J115 J/**/116
#define J116 J/**/117
#define J117 J/**/118
#define J118 J/**/119
#define J119 J/**/120
#define J120 J/**/121
#define J121 J/**/122
#define J122 J/**/123
#define J123 J/**/124
#define J124 J/**/125
#define J125 J/**/126
#define J126 J/**/127
#define J127 J/**/128
#define J128 J/**/129
#define J129 J/**/130
#define J130 J/**/131
#define J131 J/**/132
#define J132 J/**/133
#define J133 J/**/134
#define J134 J/**/135
#define J135 J/**/136
#define J136 J/**/137
#define J137 J/**/138
#define J138 J/**/139
#define J139 J/**/140
#define J140 J/**/141
#define J141 J/**/142
#define J142 J/**/143
#define J143 J/**/144
#define J144 J/**/145
#define J145 J/**/146
#define J146 J/**/147
#define J147 J/**/148
#define J148 J/**/149
#define J149 J/**/150
#define J150 J/**/151
#define J151 J/**/152
#define J152 J/**/153
#define J153 J/**/154
#define J154 J/**/155
#define J155 J/**/156
#define J156 J/**/157
#define J157 J/**/158
#define J158 J/**/159
#define J159 J/**/160
#define J160 J/**/161
#define J161 J/**/162
#define J162 J/**/163
#define J163 J/**/164
#define J164 J/**/165
#define J165 J/**/166
#define J166 J/**/167
#define J167 J/**/168
#define J168 J/**/169
#define J169 J/**/170
#define J170 J/**/171
#define J171 J/**/172
#define J172 J/**/173
#define J173 J/**/174
#define J174 J/**/175
#define J175 J/**/176
#define J176 J/**/177
#define J177 J/**/178
#define J178 J/**/179
#define J179 J/**/180
#define J180 J/**/181
#define J181 J/**/182
#define J182 J/**/183
#define J183 J/**/184
#define J184 J/**/185
#define J185 J/**/186
#define J186 J/**/187
#define J187 J/**/188
#define J188 J/**/189
#define J189 J/**/190
#define J190 J/**/191
#define J191 J/**/192
#define J192 J/**/193
#define J193 J/**/194
#define J194 J/**/195
#define J195 J/**/196
#define J196 J/**/197
#define J197 J/**/198
#define J198 J/**/199
#define J199 J/**/200
#define J200 J/**/201
#define J201 J/**/202
#define J202 J/**/203
#define J203 J/**/204
#define J204 J/**/205
#define J205 J/**/206
#define J206 J/**/207
#define J207 J/**/208
#define J208 J/**/209
#define J209 J/**/210
#define J210 J/**/211
#define J211 J/**/212
#define J212 J/**/213
#define J213 J/**/214
#define J214 J/**/215
#define J215 J/**/216
#define J216 J/**/217
#define J217 J/**/218
#define J218 J/**/219
#define J219 J/**/220
#define J220 J/**/221
#define J221 J/**/222
#define J222 J/**/223
#define J223 J/**/224
#define J224 J/**/225
#define J225 J/**/226
#define J226 J/**/227
#define J227 J/**/228
#define J228 J/**/229
#define J229 J/**/230
#define J230 J/**/231
#define J231 J/**/232
#define J232 J/**/233
#define J233 J/**/234
#define J234 J/**/235
#define J235 J/**/236
#define J236 J/**/237
#define J237 J/**/238
#define J238 J/**/239
#define J239 J/**/240
#define J240 J/**/241
#define J241 J/**/242
#define J242 J/**/243
#define J243 J/**/244
#define J244 J/**/245
#define J245 J/**/246
#define J246 J/**/247
#define J247 J/**/248
#define J248 J/**/249
#define J249 J/**/250
#define J250 J/**/251
#define J251 J/**/252
#define J252 J/**/253
#define J253 J/**/254
#define J254 J/**/255
#define J255 J/**/256
#define J256 J/**/257
#define J257 J/**/258
#define J258 J/**/259
#define J259 J/**/260
#define J260 J/**/261
#define J261 J/**/262
#define J262 J/**/263
#define J263 J/**/264
#define J264 J/**/265
#define J265 J/**/266
#define J266 J/**/267
#define J267 J/**/268
#define J268 J/**/269
#define J269 J/**/270
#define J270 J/**/271
#define J271 J/**/272
#define J272 J/**/273
#define J273 J/**/274
#define J274 J/**/275
#define J275 J/**/276
#define J276 J/**/277
#define J277 J/**/278
#define J278 J/**/279
#define J279 J/**/280
#define J280 J/**/281
#define J281 J/**/282
#define J282 J/**/283
#define J283 J/**/284
#define J284 J/**/285
#define J285 J/**/286
#define J286 J/**/287
#define J287 J/**/288
#define J288 J/**/289
#define J289 J/**/290
#define J290 J/**/291
#define J291 J/**/292
#define J292 J/**/293
#define J293 J/**/294
#define J294 J/**/295
#define J295 J/**/296
#define J296 J/**/297
#define J297 J/**/298
#define J298 J/**/299
#define J299 J/**/300
immed[a, J0]
;~ 1-5 error: joining with empty comments never comes to an end here [pp-endless-join]
;~   help: a define whose name comes out of its own text is expanded again and again
ctx_arb[kill]

;=== expansion_too_deep
.reg a
#define F(x) x
immed[a, F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))]
;~ 210 error: defines are nested too deeply here [pp-expansion-too-deep]
ctx_arb[kill]

;=== expression_too_deep
#if ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
;~ 205 error: this expression is nested too deeply [pp-expression-too-deep]
#endif
ctx_arb[kill]

;=== line_too_long
.reg a
#define D0 1 + 1 + 1 + 1
#define D1 D0 + D0
#define D2 D1 + D1
#define D3 D2 + D2
#define D4 D3 + D3
#define D5 D4 + D4
#define D6 D5 + D5
#define D7 D6 + D6
#define D8 D7 + D7
#define D9 D8 + D8
#define D10 D9 + D9
#define D11 D10 + D10
#define D12 D11 + D11
#define D13 D12 + D12
#define D14 D13 + D13
#define D15 D14 + D14
#define D16 D15 + D15
#define D17 D16 + D16
#define D18 D17 + D17
#define D19 D18 + D18
#define D20 D19 + D19
#define D21 D20 + D20
#define D22 D21 + D21
#define D23 D22 + D22
#define D24 D23 + D23
immed[a, (D24)]
;~ 1-5 error: the expansion of this line has more than 65536 parts [pp-line-too-long]
;~   help: look for defines that contain each other several times
ctx_arb[kill]

;=== macro_recursion
#macro twice(n)
twice(n)
;~ 1-5 error: macros call each other 128 deep [pp-macro-too-deep]
;~   note 2:1-5: in expansion of macro 'twice' with arguments 1
;~   note: and 126 more of the same: it calls itself
;~   note 4:1-5: in expansion of macro 'twice' with arguments 1
;~   help: a macro that calls itself needs an #if that ends it
#endm
twice(1)
ctx_arb[kill]

;=== macro_recursion_two
#macro first(n)
second(n)
#endm
#macro second(n)
first((n + 1))
;~ 1-5 error: macros call each other 128 deep [pp-macro-too-deep]
;~   note 2:1-6: in expansion of macro 'second' with arguments (((((((((((((((((((((((((((((((((((((((((((((((((((((((((...
;~   note 5:1-5: in expansion of macro 'first' with arguments (((((((((((((((((((((((((((((((((((((((((((((((((((((((((...
;~   note: and 125 more of the same: it calls itself
;~   note 7:1-5: in expansion of macro 'first' with arguments 1
;~   help: a macro that calls itself needs an #if that ends it
#endm
first(1)
ctx_arb[kill]

;=== text_too_long
#define_eval T 'aaaaaaaaaaaaaaaa'
#repeat 40
#define_eval T 'T T'
;~ 16-20 error: this text grows beyond 65536 characters [pp-text-too-long]
;~   note 2:2-7: in the loop '#repeat', pass 12
#endloop
ctx_arb[kill]

;=== too_many_errors
#repeat 200
#error "again"
;~ 2-6 error: again [pp-error]
;~   note 1:2-7: in the loop '#repeat', pass 1
;~ 2-6 error: again [pp-error]
;~   note 1:2-7: in the loop '#repeat', pass 2
;~ 2-6 error: again [pp-error]
;~   note 1:2-7: in the loop '#repeat', pass 3
;~ 2-6 error: again [pp-error]
;~   note 1:2-7: in the loop '#repeat', pass 4
;~ 2-6 error: again [pp-error]
;~   note 1:2-7: in the loop '#repeat', pass 5
;~ 2-6 error: again [pp-error]
;~   note 1:2-7: in the loop '#repeat', pass 6
;~ 2-6 error: again [pp-error]
;~   note 1:2-7: in the loop '#repeat', pass 7
;~ 2-6 error: again [pp-error]
;~   note 1:2-7: in the loop '#repeat', pass 8
;~ 2-6 error: again [pp-error]
;~   note 1:2-7: in the loop '#repeat', pass 9
;~ 2-6 error: again [pp-error]
;~   note 1:2-7: in the loop '#repeat', pass 10
;~   note: the same is said here 90 more times, left out
;~ 1 error: too many errors; preprocessing ends here [pp-too-many-errors]
#endloop
ctx_arb[kill]

;=== too_many_lines
#repeat 1100
#repeat 1000
nop
;~ 1-3 error: the expanded program has more than 400000 lines [pp-too-many-lines]
;~   note 2:2-7: in the loop '#repeat', pass 1
;~   note 1:2-7: in the loop '#repeat', pass 401
#endloop
#endloop
ctx_arb[kill]

;=== too_many_macro_calls
#macro nothing
#endm
#repeat 60000
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
;~ 1-7 error: preprocessing does not come to an end [pp-too-much-work]
;~   note 3:2-7: in the loop '#repeat', pass 22346
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
nothing
#endloop
ctx_arb[kill]

;=== too_much_work
#repeat 60000
#repeat 60000
#define_eval X 1
;~ 1 error: preprocessing does not come to an end [pp-too-much-work]
;~   help: look for loops inside loops and macros that call each other
#endloop
#endloop
ctx_arb[kill]
