#include "results/messages.hpp"

#include <utility>

#include "io/text/printable.hpp"

namespace lab {

void MessageLog::add(Severity severity, std::string text) {
    if (muted_) return;
    text = io::printable(text, io::LineEnds::Keep);
    ++last_number_;
    if (!messages_.empty() && messages_.back().text == text && messages_.back().severity == severity) {
        ++messages_.back().repeats;
        messages_.back().time_s = time_s_;
        return;
    }
    messages_.push_back({severity, std::move(text), last_number_, time_s_, 1});
    if (messages_.size() > kCapacity) messages_.pop_front();
}

}  // namespace lab
