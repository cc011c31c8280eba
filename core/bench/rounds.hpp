// Times contenders side by side: each runs once per round, in turn, for several rounds, and its median
// counts; mean and longest stand beside it. Processor time, so that waiting for the processor does not count,
// and in turn, so that a temporary slowdown of the machine affects all of them and ratios stay valid.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace bv::bench {

/// A group of contenders that do the same work. The others are compared with the first.
class Rounds {
  public:
    /// `operations` is the number of single operations per run.
    Rounds(std::string title, double operations) : title_(std::move(title)), operations_(operations) {}

    /// `run` does the work once and returns a checksum of all results: equal for equal results.
    void add(std::string name, std::function<std::uint64_t()> run) {
        contenders_.push_back({std::move(name), std::move(run), {}, 0});
    }

    /// States that the median time of `name` should be at most `ratio` times that of `peer`.
    void want(std::string name, std::string peer, double ratio) {
        targets_.push_back({std::move(name), std::move(peer), ratio});
    }

    /// Runs all and prints a table: nanoseconds (median, mean and longest round), millions per second, and
    /// the ratio of rates to each contender named in `peers`; then the targets, and whether they are met.
    void run(int rounds, const std::vector<std::string>& peers) {
        for (int r = 0; r <= rounds; ++r)
            for (auto& c : contenders_) {
                const std::clock_t start = std::clock();
                c.answer = c.run();
                const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
                if (r > 0) c.seconds.push_back(took);  // The first round only warms up.
            }
        std::printf("\n%s\n%-34s %9s %9s %9s %9s", title_.c_str(), "", "ns", "mean", "longest", "M/s");
        for (const auto& peer : peers)
            std::printf("  x %-12s", peer.c_str());
        std::printf("  answer\n");
        for (auto& c : contenders_) {
            const double seconds = median(c);
            std::printf("%-34s %9.2f %9.2f %9.2f %9.1f", c.name.c_str(), seconds / operations_ * 1e9,
                        mean(c) / operations_ * 1e9,
                        *std::max_element(c.seconds.begin(), c.seconds.end()) / operations_ * 1e9,
                        operations_ / seconds / 1e6);
            for (const auto& peer : peers)
                std::printf("  %-14.2f", seconds_of(peer) / seconds);
            std::printf("  %llu\n", static_cast<unsigned long long>(c.answer));
        }
        for (const auto& target : targets_) {
            const double ratio = seconds_of(target.name) / seconds_of(target.peer);
            std::printf("%s over %s: %.2f of its time, wanted %.2f: %s\n", target.name.c_str(),
                        target.peer.c_str(), ratio, target.ratio, ratio <= target.ratio ? "met" : "MISSED");
        }
    }

  private:
    struct Contender {
        std::string name;
        std::function<std::uint64_t()> run;
        std::vector<double> seconds;
        std::uint64_t answer;
    };

    struct Target {
        std::string name;
        std::string peer;
        double ratio;
    };

    static double mean(const Contender& c) {
        double sum = 0.0;
        for (const double s : c.seconds)
            sum += s;
        return sum / static_cast<double>(c.seconds.size());
    }
    static double median(Contender& c) {
        const auto middle = c.seconds.begin() + static_cast<std::ptrdiff_t>(c.seconds.size() / 2);
        std::nth_element(c.seconds.begin(), middle, c.seconds.end());
        return *middle;
    }
    double seconds_of(const std::string& name) {
        for (auto& c : contenders_)
            if (c.name == name) return median(c);
        return 0.0;
    }

    std::string title_;
    double operations_;
    std::vector<Contender> contenders_;
    std::vector<Target> targets_;
};

}  // namespace bv::bench
