#include "text_places.h"

namespace weft::ide {

namespace {

constexpr size_t kMax = 200;

}  // namespace

void TextPlaces::leave(const TextPlace& place) {
  if (here_ < places_.size()) places_.resize(here_);
  places_.push_back(place);
  if (places_.size() > kMax) places_.erase(places_.begin());
  here_ = places_.size();
}

void TextPlaces::arrive(const TextPlace& place) {
  places_.resize(here_);
  places_.push_back(place);
  here_ = places_.size() - 1;
}

const TextPlace* TextPlaces::back() {
  if (!can_go_back() || places_.empty()) return nullptr;
  return &places_[--here_];
}

const TextPlace* TextPlaces::forward() {
  if (!can_go_forward()) return nullptr;
  return &places_[++here_];
}

void TextPlaces::clear() {
  places_.clear();
  here_ = 0;
}

}  // namespace weft::ide
