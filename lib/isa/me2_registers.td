// Local CSRs, input states and CAP CSRs of me2 (isa.md 3.7, 8, 10.10). Latencies in instructions: write to effect, read
// to data, write to use in an operand; -1 where none is published.

def : Csr<me2, 0x000, "USTORE_ADDRESS">;
def : Csr<me2, 0x004, "USTORE_DATA_LOWER">;
def : Csr<me2, 0x008, "USTORE_DATA_UPPER">;
def : Csr<me2, 0x00c, "USTORE_ERROR_STATUS">;
def : Csr<me2, 0x010, "ALU_OUT">;
def : Csr<me2, 0x014, "CTX_ARB_CNTL", 4, 3>;
def : Csr<me2, 0x018, "CTX_ENABLES", 4, 3, 8>;
def : Csr<me2, 0x01c, "CC_ENABLE", 4, 3, 1>;
def : Csr<me2, 0x020, "CSR_CTX_POINTER", 3, 2, 3>;
def : Csr<me2, 0x030, "REGISTER_ERROR_STATUS">;
def : Csr<me2, 0x040, "INDIRECT_CTX_STS", 4, 3>;
def : Csr<me2, 0x044, "ACTIVE_CTX_STS", 4, 3>;
def : Csr<me2, 0x048, "INDIRECT_CTX_SIG_EVENTS", 4, 3>;
def : Csr<me2, 0x04c, "ACTIVE_CTX_SIG_EVENTS", 4, 3>;
def : Csr<me2, 0x050, "INDIRECT_CTX_WAKEUP_EVENTS", 4, 3>;
def : Csr<me2, 0x054, "ACTIVE_CTX_WAKEUP_EVENTS", 4, 3>;
def : Csr<me2, 0x058, "INDIRECT_CTX_FUTURE_COUNT", 4, 3>;
def : Csr<me2, 0x05c, "ACTIVE_CTX_FUTURE_COUNT", 4, 3>;
def : Csr<me2, 0x060, "INDIRECT_LM_ADDR_0", 3, 3, 3>;
def : Csr<me2, 0x064, "ACTIVE_LM_ADDR_0", 3, 2, 3>;
def : Csr<me2, 0x068, "INDIRECT_LM_ADDR_1", 3, 3, 3>;
def : Csr<me2, 0x06c, "ACTIVE_LM_ADDR_1", 3, 2, 3>;
def : Csr<me2, 0x070, "BYTE_INDEX", 3, 2, 3>;
def : Csr<me2, 0x074, "T_INDEX", 3, 2, 3>;
def : Csr<me2, 0x078, "INDIRECT_FUTURE_COUNT_SIGNAL", 4, 3>;
def : Csr<me2, 0x07c, "ACTIVE_FUTURE_COUNT_SIGNAL", 4, 3>;
def : Csr<me2, 0x080, "NN_PUT", 3, 2, 0>;
def : Csr<me2, 0x084, "NN_GET", 3, 2, 3>;
def : Csr<me2, 0x0c0, "TIMESTAMP_LOW", 4, 3>;
def : Csr<me2, 0x0c4, "TIMESTAMP_HIGH", 4, 3>;
def : Csr<me2, 0x0e0, "INDIRECT_LM_ADDR_0_BYTE_INDEX", 3, 3, 3>;
def : Csr<me2, 0x0e4, "ACTIVE_LM_ADDR_0_BYTE_INDEX", 3, 2, 3>;
def : Csr<me2, 0x0e8, "INDIRECT_LM_ADDR_1_BYTE_INDEX", 3, 3, 3>;
def : Csr<me2, 0x0ec, "ACTIVE_LM_ADDR_1_BYTE_INDEX", 3, 2, 3>;
def : Csr<me2, 0x0f4, "T_INDEX_BYTE_INDEX", 3, 2, 3>;
def : Csr<me2, 0x100, "NEXT_NEIGHBOR_SIGNAL", 3, 2, 12>;
def : Csr<me2, 0x104, "PREV_NEIGHBOR_SIGNAL", 3, 2, 12>;
def : Csr<me2, 0x108, "SAME_ME_SIGNAL", 3, 2, 8>;
def : Csr<me2, 0x140, "CRC_REMAINDER", 3, 2, 0>;
def : Csr<me2, 0x144, "PROFILE_COUNT", 3, 2, 3>;
def : Csr<me2, 0x148, "PSEUDO_RANDOM_NUMBER", 3, 2, 3>;
def : Csr<me2, 0x150, "SIGNATURE_ENABLE">;
def : Csr<me2, 0x160, "MISC_CONTROL", 3, 2>;
def : Csr<me2, 0x180, "LOCAL_CSR_STATUS">;

def : InputState<me2, "NN_EMPTY", 0>;
def : InputState<me2, "NN_FULL", 1>;
foreach ring = 0-11 in
  def : InputState<me2, "SCR_RING" # ring # "_STATUS", !add(ring, 2)>;
def : InputState<me2, "FCI_NOT_EMPTY", 14>;
def : InputState<me2, "FCI_FULL", 15>;

def : CapCsr<me2, "XSCALE_INT_A", 0x4b20>;
