// What a router's program chooses before it includes the blocks.
#ifndef WEFT_SETTINGS_UC
#define WEFT_SETTINGS_UC

#ifndef PORTS
#define PORTS 4
#endif
#ifndef FORWARDERS
#define FORWARDERS 1                // forwarding microengines: 1, 2 or 4
#endif
#if ((FORWARDERS != 1) && (FORWARDERS != 2) && (FORWARDERS != 4))
#error "FORWARDERS must be 1, 2 or 4: the input port picks the ring by its low bits"
#endif
#if ((PORTS < 1) || (PORTS > 4))
#error "PORTS must be 1 to 4"
#endif

#endif
