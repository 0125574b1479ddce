// States of boards, and what observers have seen, as bytes in a file: for recordings (weft/workbench/recording.h).
//
// Only the same build reads them: stored_layout() is another number when any record has another form.
#pragma once

#include "weft/base/binary.h"
#include "weft/emulator/board.h"

namespace weft::emulator {

class Coverage;
class History;
class PacketTracker;
class Profile;
class Statistics;

uint64_t stored_layout();

/// Where two states differ, the first places: "units[0].chip.ports[1].arriving_damaged". None when they are equal.
std::vector<Difference> differences(const BoardState& a, const BoardState& b, size_t max = 12);

/// States that share memory pages, control stores and frames with those written before it, into the same writer, take
/// little room. All of them must live until the last one is written.
void put_state(ByteWriter& out, const BoardState& state);
/// In the order of writing, for a board of the same description. False: cut off or damaged. Then ask fits().
bool get_state(ByteReader& in, BoardState& state);
/// Whether a board can go on from the state: all indexes, lengths and pointers in it are of things that such a board
/// has (src/serialization/validation.h). `built`: the state of a new board of the description.
bool fits(const BoardState& state, const BoardDescription& description, const BoardState& built);

// Everything that an observer keeps. Reading fills one that was made for the same programs and limits, or that has
// counted since, so that it goes on as the one that was written. Machine::tell_counts() must have been called. False:
// cut off, damaged, or nothing that an observer of such a machine can have kept; then it is of no use any more.
void put_observer(ByteWriter& out, const Coverage& observer);
void put_observer(ByteWriter& out, const History& observer);
void put_observer(ByteWriter& out, const PacketTracker& observer);
void put_observer(ByteWriter& out, const Profile& observer);
void put_observer(ByteWriter& out, const Statistics& observer);
bool get_observer(ByteReader& in, Coverage& observer);
bool get_observer(ByteReader& in, History& observer);
bool get_observer(ByteReader& in, PacketTracker& observer);
bool get_observer(ByteReader& in, Profile& observer);
bool get_observer(ByteReader& in, Statistics& observer);
/// Source files that packet records name have other names now.
void rename_places(PacketTracker& tracker, const std::map<std::string, std::string>& names);

}  // namespace weft::emulator
