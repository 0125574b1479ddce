// The router's control program: packets that the engines hand over go to the packet service, commands and what is
// learnt of neighbours to the tables. Only one of them works at a time: the service waits while a neighbour is written.
#include <deque>
#include <set>

#include "ipv4.h"
#include "mpls/layout.h"
#include "packet_service.h"
#include "tables_view.h"
#include "weft/control/layout.h"

namespace weft::control {

namespace {

constexpr size_t kLearntMost = 1024;  ///< stations; each takes a next hop and maybe nodes of a trie

class Ipv4Program : public ControlProgram {
 public:
  Ipv4Program(const ControlOptions& options, const PacketServiceOptions& service, const RouterConfig& config,
              TableCommands tables)
      : per_interrupt_(options.cycles_per_interrupt),
        kilohertz_(options.control_kilohertz),
        martians_(config.martians),
        mpls_(config.mpls.used),
        tcs_(config.mpls.tc_of_dscp),
        dscps_(config.mpls.dscp_of_tc),
        service_(service),
        tables_(std::move(tables)),
        links_(links_of(tables_.tables().interfaces())) {}

  std::unique_ptr<ControlProgram> clone() const override { return std::make_unique<Ipv4Program>(*this); }
  std::string name() const override { return mpls_ ? "mpls" : "ipv4"; }

  Reaction on(const Event& event) override { return with_timer(react(event), event.nanoseconds); }

  Result<bool> check_command(const std::string& command) const override { return tables_.check(command); }
  std::vector<ControlCount> counts() const override { return service_.counts(); }
  uint64_t packets() const override { return service_.packets(); }
  uint64_t kept() const override { return service_.kept(); }
  std::vector<uint32_t> kept_buffers() const override { return service_.kept_buffers(); }

 private:
  Reaction react(const Event& event) {
    switch (event.kind) {
      case Event::Kind::interrupt: {
        Reaction out{per_interrupt_, {}, false};
        service_.ask_for_message(out);
        return out;
      }
      case Event::Kind::command: return tables_.command(event.command);
      case Event::Kind::timer: return timer(event);
      case Event::Kind::results: break;
    }
    if (tables_.busy()) return afterwards(tables_.results(event.results));
    const TablesView view(tables_.tables(), links_, martians_, tcs_, dscps_);
    Reaction out = service_.results(event, view);
    for (LearntNeighbour& n : service_.take_learnt()) learnt_.push_back(std::move(n));
    if (learnt_.empty()) return out;
    postponed_ = std::move(out);
    return afterwards({});
  }

  /// There is one timer for two: the tables' and that of fragments that wait.
  Reaction timer(const Event& event) {
    timer_at_ = kNever;
    const auto due = service_.due();
    if (!due || event.nanoseconds >= tables_at_) {
      tables_at_ = kNever;
      return tables_.timer();
    }
    return event.nanoseconds >= *due ? service_.timer() : Reaction{};
  }
  Reaction with_timer(Reaction out, uint64_t now) {
    if (out.timer_cycles != 0) timer_at_ = tables_at_ = now + out.timer_cycles * 1'000'000 / kilohertz_;
    const auto due = service_.due();
    const uint64_t next = std::min(tables_at_, due.value_or(kNever));
    if (next == timer_at_) return out;
    timer_at_ = next;
    out.timer_cycles = (next > now ? next - now : 0) * kilohertz_ / 1'000'000 + 1;
    return out;
  }

  /// What a reaction of the tables has still to do; then the next neighbour; then what the service wants.
  Reaction afterwards(Reaction done) {
    while (true) {
      if (!done.accesses.empty() || (learnt_.empty() && postponed_.accesses.empty())) return done;
      Reaction next;
      if (learnt_.empty()) {
        next = std::exchange(postponed_, {});
      } else {
        const LearntNeighbour n = std::move(learnt_.front());
        learnt_.pop_front();
        const auto* six = std::get_if<packet::Ipv6Address>(&n.address);
        const IpAddress address = six ? IpAddress::from_bytes(six->octets) : IpAddress(std::get<uint32_t>(n.address));
        if (may_learn(address)) next = tables_.learnt(address, n.mac);
      }
      next.cycles += done.cycles;
      if (next.timer_cycles == 0) next.timer_cycles = done.timer_cycles;
      done = std::move(next);
    }
  }

  /// Neighbours of the configuration and of commands stay as they are; what a station tells fills what is left.
  bool may_learn(const IpAddress& address) {
    if (known_.contains(address)) return true;
    if (tables_.tables().neighbour(address) || known_.size() >= kLearntMost) return false;
    known_.insert(address);
    return true;
  }

  static constexpr uint64_t kNever = ~uint64_t{0};
  uint64_t per_interrupt_, kilohertz_;
  uint64_t tables_at_ = kNever;  ///< nanoseconds at which the tables want their timer
  uint64_t timer_at_ = kNever;   ///< of the timer that runs
  bool martians_, mpls_;
  std::array<uint8_t, 64> tcs_;
  std::array<uint8_t, 8> dscps_;
  PacketService service_;
  TableCommands tables_;
  std::vector<LinkView> links_;
  std::deque<LearntNeighbour> learnt_;
  std::set<IpAddress> known_;  ///< those that have told their MAC themselves
  Reaction postponed_;         ///< of the service, while neighbours are written
};

}  // namespace

std::unique_ptr<ControlProgram> make_ipv4_program(const ControlOptions& options, const RouterConfig& config,
                                                  TableCommands tables) {
  PacketServiceOptions service{options.cycles_per_packet, config.buffer_bytes, config.answers, {}, config.guarded};
  service.hold_nanoseconds = config.hold_fragments;
  service.errors = config.icmp_rate ? TokenBucket(*config.icmp_rate, config.icmp_burst) : TokenBucket::unlimited();
  if (config.mpls.used) service.transmit_longwords = mpls::kTransmitMessageLongwords;
  return std::make_unique<Ipv4Program>(options, service, config, std::move(tables));
}

}  // namespace weft::control
