#include "coverage_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft::ide {

namespace {

double share_of(uint64_t count, uint64_t max, CoverageScale scale) {
  if (max == 0) return 0;
  if (scale == CoverageScale::linear) return static_cast<double>(count) / static_cast<double>(max);
  return std::log1p(static_cast<double>(count)) / std::log1p(static_cast<double>(max));
}

}  // namespace

int bar_height(uint64_t count, uint64_t max, int height, CoverageScale scale) {
  if (count == 0 || height <= 0) return 0;
  return std::clamp(static_cast<int>(std::lround(share_of(count, max, scale) * height)), 1, height);
}

std::vector<CoverageBar> coverage_bars(const TimeAxis& axis, uint32_t addresses,
                                       const std::function<uint64_t(uint32_t)>& value) {
  std::vector<CoverageBar> out;
  if (addresses == 0) return out;
  const auto shown = axis.visible();
  const uint32_t begin = static_cast<uint32_t>(std::min<uint64_t>(shown.first, addresses)),
                 end = static_cast<uint32_t>(std::min<uint64_t>(shown.second, addresses));
  const auto pixel = [&](uint32_t address) { return static_cast<int>(std::floor(axis.x_of(address) + 1e-6)); };
  uint64_t max = 0;
  for (uint32_t address = begin; address < end; ++address) {
    const uint64_t count = value(address);
    const int x = pixel(address);
    if (out.empty() || out.back().x != x) {
      // Wide bars leave a gap between each other.
      const int width = std::max(1, pixel(address + 1) - x);
      out.push_back({x, width >= 4 ? width - 1 : width, address, address, address, 0});
      max = count;
    }
    CoverageBar& bar = out.back();
    bar.last = address + 1;
    if (count > max) max = count, bar.word = address;
    bar.never += count == 0;
  }
  return out;
}

std::vector<int> stacked(const std::vector<uint64_t>& parts, int height) {
  std::vector<int> edges(parts.size() + 1, 0);
  const uint64_t total = std::accumulate(parts.begin(), parts.end(), uint64_t{0});
  uint64_t below = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    below += parts[i];
    const int edge =
        total == 0 ? 0
                   : static_cast<int>(std::lround(static_cast<double>(below) / static_cast<double>(total) * height));
    edges[i + 1] = std::min(height, std::max(edge, edges[i] + (parts[i] > 0 ? 1 : 0)));
  }
  return edges;
}

std::vector<CoverageTick> count_ticks(uint64_t max, int height, CoverageScale scale, int apart) {
  std::vector<CoverageTick> out;
  if (max == 0 || height <= 0) return out;
  if (scale == CoverageScale::logarithmic) {
    for (uint64_t count = 1; count <= max; count *= 10) {
      const int y = bar_height(count, max, height, scale);
      if (out.empty() ? y >= apart / 2 : y - out.back().height >= apart) out.push_back({count, y});
      if (count > max / 10) break;
    }
    return out;
  }
  const double min = std::max(1.0, static_cast<double>(max) * apart / height);
  double step = std::pow(10, std::floor(std::log10(min)));
  for (const double times : {1.0, 2.0, 5.0, 10.0})
    if (step * times >= min) {
      step *= times;
      break;
    }
  const auto whole = static_cast<uint64_t>(std::lround(step));
  for (uint64_t count = whole; count <= max; count += whole)
    out.push_back({count, bar_height(count, max, height, scale)});
  return out;
}

std::vector<LabelPlace> place_labels(const TimeAxis& axis, const std::vector<image::Label>& labels,
                                     const std::function<int(const std::string&)>& width,
                                     const std::function<uint64_t(uint32_t)>& weight, int rows) {
  std::vector<size_t> order;
  for (size_t i = 0; i < labels.size(); ++i)
    if (const double x = axis.x_of(labels[i].address); x >= 0 && x < axis.width()) order.push_back(i);
  std::ranges::stable_sort(order,
                           [&](size_t a, size_t b) { return weight(labels[a].address) > weight(labels[b].address); });
  std::vector<std::vector<std::pair<int, int>>> taken(static_cast<size_t>(std::max(rows, 0)));
  std::vector<LabelPlace> out;
  for (const size_t i : order) {
    const int x = static_cast<int>(axis.x_of(labels[i].address)), end = x + width(labels[i].name);
    if (end > axis.width()) continue;
    for (size_t row = 0; row < taken.size(); ++row) {
      if (std::ranges::any_of(taken[row], [&](const auto& t) { return x < t.second && t.first < end; })) continue;
      taken[row].emplace_back(x, end);
      out.push_back({i, x, static_cast<int>(row)});
      break;
    }
  }
  std::ranges::sort(
      out, [](const LabelPlace& a, const LabelPlace& b) { return std::pair(a.x, a.row) < std::pair(b.x, b.row); });
  return out;
}

std::string short_count(uint64_t count) {
  if (count < 1'000) return std::to_string(count);
  if (count < 10'000) return fmt::format("{},{:03}", count / 1000, count % 1000);
  // Cut off, not rounded: 999,999 is not a million.
  const auto cut = [count](uint64_t unit, double parts) {
    const uint64_t whole = count / unit;
    return static_cast<double>(whole) / parts;
  };
  if (count < 1'000'000) return fmt::format("{:.3g}k", cut(100, 10));
  if (count < 1'000'000'000) return fmt::format("{:.3g}M", cut(10'000, 100));
  return fmt::format("{:.3g}G", cut(10'000'000, 100));
}

}  // namespace weft::ide
