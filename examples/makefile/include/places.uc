// Where the two programs meet: eight longwords in scratch memory.
#ifndef PLACES_UC
#define PLACES_UC
#define COUNT 8
#ifndef FIRST
#define FIRST 0
#endif
#endif
