// What a firewall's program chooses before it includes the blocks.
#ifndef WEFT_FIREWALL_SETTINGS_UC
#define WEFT_FIREWALL_SETTINGS_UC

#ifndef FILTERS
#define FILTERS 1                       // microengines that filter: 1, 2 or 3
#endif
#if ((FILTERS < 1) || (FILTERS > 3))
#error "FILTERS must be 1, 2 or 3"
#endif

#endif
