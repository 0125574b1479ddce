// What the views of CSRs, of CAM and signals, and of queues and rings show: values of an Inspector as rows.
#pragma once

#include "file_names.h"
#include "state_tree.h"

namespace weft::ide {

// Each question runs where the machine is.
using StateRows = std::vector<StateRow>;

QStringList csr_columns();
StateRows csr_rows(const Inspector& machine, ContextId id);
QStringList engine_columns();
/// CAM, signals, local-memory pointers.
StateRows engine_rows(const Inspector& machine, ContextId id);
QStringList queue_columns();
StateRows queue_rows(const Inspector& machine, unsigned chip, const FileNames& names = {});

}  // namespace weft::ide
