// Signals, local CSRs, FBI CSRs and input states of me1.

// Each unit and each event has its own bit. Which bits the IXP1200 used is not public; names follow isa.md 12.1, the
// numbers are ours. 10 to 15 are not assigned.
class Me1SignalName<string name, int value, string doc> : SignalName<me1, name, value, doc>;
def : Me1SignalName<"sram", 1, "a command to SRAM is done">;
def : Me1SignalName<"sdram", 2, "a command to SDRAM is done">;
def : Me1SignalName<"fbi", 3, "a command to the FBI is done: scratch, hash, csr, r_fifo_rd, t_fifo_wr">;
def : Me1SignalName<"pci", 4, "a DMA transfer is done">;
def : Me1SignalName<"inter_thread", 5, "another thread, or the control processor, wrote INTER_THD_SIG">;
def : Me1SignalName<"start_receive", 6, "a receive request is done: data is in the RFIFO, RCV_CNTL is filled">;
def : Me1SignalName<"auto_push", 7, "the FBI has pushed a CSR to transfer registers unasked">;
def : Me1SignalName<"seq_num1_change", 8, "ENQUEUE_SEQ1 has changed">;
def : Me1SignalName<"seq_num2_change", 9, "ENQUEUE_SEQ2 has changed">;

// Local CSRs are not listed in any public source of this part. Those that a program cannot do without have the offsets
// and fields of me2.
def : Csr<me1, 0x010, "ALU_OUT"> { let Holds = [StatePrevious]; let Private = 0; let Doc = "Result of the last ALU instruction, for debugging."; let Writable = 0; }
def : Csr<me1, 0x018, "CTX_ENABLES"> { let Holds = [StateContexts]; let Private = 0; let Doc = "Bits 11:8: context enables."; }
def : Csr<me1, 0x01c, "CC_ENABLE"> { let Holds = []; let Private = 0; let Doc = "Bit 13 must be 1, or no condition code is updated."; }
def : Csr<me1, 0x020, "CSR_CTX_POINTER"> { let Holds = []; let Private = 1; let Doc = "Context that the INDIRECT_ registers mean."; }
def : Csr<me1, 0x040, "INDIRECT_CTX_STS"> { let Holds = [StateContexts]; let Private = 0; let Doc = "PC and state of the context in CSR_CTX_POINTER."; }
def : Csr<me1, 0x044, "ACTIVE_CTX_STS"> { let Holds = []; let Private = 0; let Doc = "1:0 running context; 7:3 number of the engine; 18:8 PC; 31 a context is running."; let Writable = 0; }
def : Csr<me1, 0x048, "INDIRECT_CTX_SIG_EVENTS"> { let Holds = [StateSignals]; let Private = 0; let Doc = "Arrived events of the context in CSR_CTX_POINTER."; }
def : Csr<me1, 0x04c, "ACTIVE_CTX_SIG_EVENTS"> { let Holds = [StateSignals]; let Private = 0; let Doc = "Arrived events of the running context."; }
def : Csr<me1, 0x050, "INDIRECT_CTX_WAKEUP_EVENTS"> { let Holds = [StateSignals]; let Private = 0; let Doc = "Awaited events of the context in CSR_CTX_POINTER."; }
def : Csr<me1, 0x054, "ACTIVE_CTX_WAKEUP_EVENTS"> { let Holds = [StateSignals]; let Private = 0; let Doc = "Awaited events of the running context."; }

def : Csr<me1, 0x144, "PROFILE_COUNT"> { let Holds = [StateTime]; let Private = 0; let Doc = "Cycles, for measurements. Ours: the part shows no such register."; let Writable = 0; }

// CSRs of the FBI, for csr and fast_wr: offsets from open headers (isa.md 12.3).
class Fbi<string name, int offset> : CapCsr<me1, name, offset>;
def : Fbi<"THREAD_DONE_REG0", 0x008>;
def : Fbi<"THREAD_DONE_REG1", 0x00c>;
def : Fbi<"RCV_CNTL", 0x018>;
def : Fbi<"RCV_REQ", 0x01c>;
def : Fbi<"SOP_SEQ1", 0x020>;
def : Fbi<"SOP_SEQ2", 0x024>;
def : Fbi<"ENQUEUE_SEQ1", 0x028>;
def : Fbi<"ENQUEUE_SEQ2", 0x02c>;
def : Fbi<"REC_FASTPORT_CTL", 0x030>;
def : Fbi<"RCV_RDY_CNT", 0x0c0>;
def : Fbi<"RCV_RDY_LO", 0x0c4>;
def : Fbi<"RCV_RDY_HI", 0x0c8>;
def : Fbi<"XMIT_PTR", 0x0e0>;
def : Fbi<"XMIT_RDY_LO", 0x0e4>;
def : Fbi<"XMIT_RDY_HI", 0x0e8>;
def : Fbi<"RCV_RDY_CTL", 0x0f8>;
def : Fbi<"XMIT_RDY_CTL", 0x0fc>;
def : Fbi<"HASH_MULTIPLIER_64_LO", 0x140>;
def : Fbi<"HASH_MULTIPLIER_64_HI", 0x144>;
def : Fbi<"HASH_MULTIPLIER_48_LO", 0x148>;
def : Fbi<"HASH_MULTIPLIER_48_HI", 0x14c>;
def : Fbi<"RDYBUS_TEMPLATE_CTL", 0x180>;
def : Fbi<"RDYBUS_TEMPLATE_PROG1", 0x184>;
def : Fbi<"RDYBUS_TEMPLATE_PROG2", 0x188>;
def : Fbi<"RDYBUS_TEMPLATE_PROG3", 0x18c>;
def : Fbi<"RDYBUS_SYNCH_COUNT_DEFAULT", 0x190>;
def : Fbi<"FLOWCTL_MASK", 0x194>;
def : Fbi<"SEND_CMD", 0x198>;
def : Fbi<"RFIFO_ADDR", 0x19c>;
def : Fbi<"FP_READY_WAIT", 0x1a4>;
def : Fbi<"GET_CMD", 0x1b0>;
def : Fbi<"INTER_THD_SIG", 0x1c0>;
def : Fbi<"SELF_DESTRUCT", 0x1d4>;
def : Fbi<"IREG", 0x1e0>;

// Names and numbers are ours: none are public.
def : InputState<me1, "REC_REQ_AVAIL", 0>;
def : InputState<me1, "PUSH_PROTECT", 1>;
