#include "include_inner.h"
