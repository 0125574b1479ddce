// Local CSRs, input states and CAP CSRs of me2 (isa.md 3.7, 8, 10.10). Latencies in instructions: write to effect, read
// to data, write to use in an operand; -1 where none is published.

def : Csr<me2, 0x000, "USTORE_ADDRESS"> { let Holds = []; let Private = 0; let Doc = "Host: address of the control store; bit 31 enables access. Increments after a write of USTORE_DATA_UPPER."; }
def : Csr<me2, 0x004, "USTORE_DATA_LOWER"> { let Holds = []; let Private = 0; let Doc = "Host: bits 31:0 of a word."; }
def : Csr<me2, 0x008, "USTORE_DATA_UPPER"> { let Holds = []; let Private = 0; let Doc = "Host: bits 39:32 and the two parity bits."; }
def : Csr<me2, 0x00c, "USTORE_ERROR_STATUS"> { let Holds = []; let Private = 0; let Doc = "Host: parity error of the control store."; }
def : Csr<me2, 0x010, "ALU_OUT"> { let Holds = [StatePrevious]; let Private = 0; let Doc = "Result of the last ALU instruction, for debugging."; let Writable = 0; }
def : Csr<me2, 0x014, "CTX_ARB_CNTL", 4, 3> { let Holds = [StateContexts]; let Private = 0; let Doc = "Arbiter state."; }
def : Csr<me2, 0x018, "CTX_ENABLES", 4, 3, 8> { let Holds = [StateContexts]; let Private = 0; let Doc = "31 four contexts; 30 pseudo-random number each cycle; 29 parity error; 28 parity checking; 27 breakpoint; 25 register parity error; 20 neighbor mode self; 19:18 NN-empty threshold; 17, 16 LM_ADDR_1, _0 global; 15:8 context enables."; }
def : Csr<me2, 0x01c, "CC_ENABLE", 4, 3, 1> { let Holds = []; let Private = 0; let Doc = "Bit 13 must be 1, or no condition code is updated."; }
def : Csr<me2, 0x020, "CSR_CTX_POINTER", 3, 2, 3> { let Holds = []; let Private = 1; let Doc = "Context that the INDIRECT_ registers mean."; }
def : Csr<me2, 0x030, "REGISTER_ERROR_STATUS"> { let Holds = []; let Private = 0; let Doc = "Register parity error."; }
def : Csr<me2, 0x040, "INDIRECT_CTX_STS", 4, 3> { let Holds = [StateContexts]; let Private = 0; let Doc = "PC and state of the context in CSR_CTX_POINTER."; }
def : Csr<me2, 0x044, "ACTIVE_CTX_STS", 4, 3> { let Holds = []; let Private = 0; let Doc = "2:0 running context; 7:3 number of the engine; 24:8 PC; 31 a context is running."; let Writable = 0; }
def : Csr<me2, 0x048, "INDIRECT_CTX_SIG_EVENTS", 4, 3> { let Holds = [StateSignals]; let Private = 0; let Doc = "Arrived signals of the context in CSR_CTX_POINTER."; }
def : Csr<me2, 0x04c, "ACTIVE_CTX_SIG_EVENTS", 4, 3> { let Holds = [StateSignals]; let Private = 0; let Doc = "Arrived signals of the running context."; }
def : Csr<me2, 0x050, "INDIRECT_CTX_WAKEUP_EVENTS", 4, 3> { let Holds = [StateSignals]; let Private = 0; let Doc = "Awaited signals of the context in CSR_CTX_POINTER."; }
def : Csr<me2, 0x054, "ACTIVE_CTX_WAKEUP_EVENTS", 4, 3> { let Holds = [StateSignals]; let Private = 0; let Doc = "Awaited signals of the running context; bit 16 = any."; }
def : Csr<me2, 0x058, "INDIRECT_CTX_FUTURE_COUNT", 4, 3> { let Holds = []; let Private = 0; let Doc = "Timestamp at which the context in CSR_CTX_POINTER gets a signal."; }
def : Csr<me2, 0x05c, "ACTIVE_CTX_FUTURE_COUNT", 4, 3> { let Holds = []; let Private = 0; let Doc = "Low half of the timestamp at which FUTURE_COUNT_SIGNAL is raised."; }
def : Csr<me2, 0x060, "INDIRECT_LM_ADDR_0", 3, 3, 3> { let Holds = [StateLmAddr0]; let Private = 0; let Doc = "Local-memory pointer 0 of the context in CSR_CTX_POINTER."; }
def : Csr<me2, 0x064, "ACTIVE_LM_ADDR_0", 3, 2, 3> { let Holds = [StateLmAddr0]; let Private = 1; let Doc = "Local-memory pointer 0: byte address, bits 1:0 read as 0."; }
def : Csr<me2, 0x068, "INDIRECT_LM_ADDR_1", 3, 3, 3> { let Holds = [StateLmAddr1]; let Private = 0; let Doc = "Local-memory pointer 1 of the context in CSR_CTX_POINTER."; }
def : Csr<me2, 0x06c, "ACTIVE_LM_ADDR_1", 3, 2, 3> { let Holds = [StateLmAddr1]; let Private = 1; let Doc = "Local-memory pointer 1: byte address, bits 1:0 read as 0."; }
def : Csr<me2, 0x070, "BYTE_INDEX", 3, 2, 3> { let Holds = [StateByteIndex]; let Private = 1; let Doc = "Bits 1:0: byte position of byte_align."; }
def : Csr<me2, 0x074, "T_INDEX", 3, 2, 3> { let Holds = [StateTIndex]; let Private = 1; let Doc = "Transfer-register index, bits 8:2 = physical number."; }
def : Csr<me2, 0x078, "INDIRECT_FUTURE_COUNT_SIGNAL", 4, 3> { let Holds = []; let Private = 0; let Doc = "Signal of the future count of the context in CSR_CTX_POINTER."; }
def : Csr<me2, 0x07c, "ACTIVE_FUTURE_COUNT_SIGNAL", 4, 3> { let Holds = []; let Private = 1; let Doc = "Signal that the future count raises."; }
def : Csr<me2, 0x080, "NN_PUT", 3, 2, 0> { let Holds = [StateNnPut]; let Private = 0; let Doc = "Put pointer of the next-neighbor ring."; }
def : Csr<me2, 0x084, "NN_GET", 3, 2, 3> { let Holds = [StateNnGet]; let Private = 0; let Doc = "Get pointer of the next-neighbor ring."; }
def : Csr<me2, 0x0c0, "TIMESTAMP_LOW", 4, 3> { let Holds = [StateTime]; let Private = 0; let Doc = "Low half of the timestamp, one tick in 16 cycles."; }
def : Csr<me2, 0x0c4, "TIMESTAMP_HIGH", 4, 3> { let Holds = [StateTime]; let Private = 0; let Doc = "High half of the timestamp."; }
def : Csr<me2, 0x0e0, "INDIRECT_LM_ADDR_0_BYTE_INDEX", 3, 3, 3> { let Holds = [StateLmAddr0, StateByteIndex]; let Private = 0; let Doc = "INDIRECT_LM_ADDR_0 and BYTE_INDEX in one."; }
def : Csr<me2, 0x0e4, "ACTIVE_LM_ADDR_0_BYTE_INDEX", 3, 2, 3> { let Holds = [StateLmAddr0, StateByteIndex]; let Private = 1; let Doc = "LM_ADDR_0 and, in bits 1:0, BYTE_INDEX in one."; }
def : Csr<me2, 0x0e8, "INDIRECT_LM_ADDR_1_BYTE_INDEX", 3, 3, 3> { let Holds = [StateLmAddr1, StateByteIndex]; let Private = 0; let Doc = "INDIRECT_LM_ADDR_1 and BYTE_INDEX in one."; }
def : Csr<me2, 0x0ec, "ACTIVE_LM_ADDR_1_BYTE_INDEX", 3, 2, 3> { let Holds = [StateLmAddr1, StateByteIndex]; let Private = 1; let Doc = "LM_ADDR_1 and, in bits 1:0, BYTE_INDEX in one."; }
def : Csr<me2, 0x0f4, "T_INDEX_BYTE_INDEX", 3, 2, 3> { let Holds = [StateTIndex, StateByteIndex]; let Private = 1; let Doc = "T_INDEX and, in bits 1:0, BYTE_INDEX in one."; }
def : Csr<me2, 0x100, "NEXT_NEIGHBOR_SIGNAL", 3, 2, 12> { let Holds = [StateSignalNext]; let Private = 0; let Doc = "A write raises a signal in the next engine."; }
def : Csr<me2, 0x104, "PREV_NEIGHBOR_SIGNAL", 3, 2, 12> { let Holds = [StateSignalPrevious]; let Private = 0; let Doc = "A write raises a signal in the previous engine."; }
def : Csr<me2, 0x108, "SAME_ME_SIGNAL", 3, 2, 8> { let Holds = [StateSignalSame]; let Private = 1; let Doc = "A write raises a signal: 2:0 context, 6:3 signal, 7 the next context instead."; }
def : Csr<me2, 0x140, "CRC_REMAINDER", 3, 2, 0> { let Holds = [StateCrcRemainder]; let Private = 1; let Doc = "State of the CRC unit, right-aligned."; }
def : Csr<me2, 0x144, "PROFILE_COUNT", 3, 2, 3> { let Holds = [StateTime]; let Private = 0; let Doc = "Counts cycles."; }
def : Csr<me2, 0x148, "PSEUDO_RANDOM_NUMBER", 3, 2, 3> { let Holds = [StateRandom]; let Private = 0; let Doc = "A pseudo-random number."; }
def : Csr<me2, 0x150, "SIGNATURE_ENABLE"> { let Holds = []; let Private = 0; let Doc = "Test logic."; }
def : Csr<me2, 0x160, "MISC_CONTROL", 3, 2> { let Holds = []; let Private = 0; let Doc = "Test logic."; }
def : Csr<me2, 0x180, "LOCAL_CSR_STATUS"> { let Holds = []; let Private = 0; let Doc = "Host: bit 0 = access lost arbitration, repeat it."; let Writable = 0; }

def : InputState<me2, "NN_EMPTY", 0>;
def : InputState<me2, "NN_FULL", 1>;
foreach ring = 0-11 in
  def : InputState<me2, "SCR_RING" # ring # "_STATUS", !add(ring, 2)>;
def : InputState<me2, "FCI_NOT_EMPTY", 14>;
def : InputState<me2, "FCI_FULL", 15>;

// XSCALE_INT_A is public (isa.md 10.10); the other numbers are chosen by us.
def : CapCsr<me2, "XSCALE_INT_A", 0x4b20>;
def : CapCsr<me2, "XSCALE_INT_B", 0x4b24>;
def : CapCsr<me2, "INTERTHREAD_SIG", 0x4b28>;
foreach ring = 0-15 in {
  def : CapCsr<me2, "SCRATCH_RING_BASE_" # ring, !add(0x4800, !mul(ring, 16))>;
  def : CapCsr<me2, "SCRATCH_RING_HEAD_" # ring, !add(0x4804, !mul(ring, 16))>;
  def : CapCsr<me2, "SCRATCH_RING_TAIL_" # ring, !add(0x4808, !mul(ring, 16))>;
}
def : CapCsr<me2, "HASH_MULTIPLIER_48_1", 0x4900>;
def : CapCsr<me2, "HASH_MULTIPLIER_48_2", 0x4904>;
def : CapCsr<me2, "HASH_MULTIPLIER_64_1", 0x4908>;
def : CapCsr<me2, "HASH_MULTIPLIER_64_2", 0x490c>;
def : CapCsr<me2, "HASH_MULTIPLIER_128_1", 0x4910>;
def : CapCsr<me2, "HASH_MULTIPLIER_128_2", 0x4914>;
def : CapCsr<me2, "HASH_MULTIPLIER_128_3", 0x4918>;
def : CapCsr<me2, "HASH_MULTIPLIER_128_4", 0x491c>;
