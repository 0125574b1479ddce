// How entries of the label table are read. MPLS_TABLE_SPLIT: one longword a label, the address of its entry, which is read whole.
// MPLS_TABLE_WHOLE: one table, all longwords of an entry at once. Neither: one table, longwords 2 and 3 when they are needed.
#ifndef WEFT_MPLS_SETTINGS_UC
#define WEFT_MPLS_SETTINGS_UC

#ifndef MPLS_TABLE_SPLIT
#define MPLS_TABLE_SPLIT 0
#endif
#ifndef MPLS_TABLE_WHOLE
#define MPLS_TABLE_WHOLE 0
#endif

#endif
