#include "capture/samples/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>

#include "capture/samples/sample_engine.hpp"
#include "workloads/random.hpp"

namespace lab::capture {
namespace {

using bv::workloads::Random;
using Insertion = EngineOptions::Insertion;
using Upkeep = EngineOptions::Upkeep;

constexpr std::uint64_t kFrames = 120;
enum Tag : std::uint32_t { Crate, Drone, Swarm, Late };

struct Mover {
    std::uint64_t id = 0;
    glm::vec3 center{0.0f}, half{0.0f}, velocity{0.0f};  ///< Per frame.
    bv::Aabb home;                                       ///< Its center stays inside.
};

bv::Aabb box_at(const glm::vec3& center, const glm::vec3& half) {
    return {center - half, center + half};
}

/// A field of resting crates, drones that fly over it, and a swarm in its own corner.
class Story {
  public:
    Story(SampleKind kind, std::uint64_t seed)
        : kind_(kind), random_(seed, 0xcab + static_cast<std::uint64_t>(kind)) {
        frame_ = 25 + random_.below(50);
        speed_ = random_.uniform(0.03f, 0.06f);
        engine_.options.margin = random_.uniform(0.12f, 0.2f);
        field_ = random_.uniform(9.0f, 13.0f);
    }

    Sample run() {
        // The whole capture fits into the buffer: nothing depends on how fast it is taken.
        const bv_capture_config config{"sample engine", "a field of crates", 3, engine_.options.margin,
                                       std::size_t{64} << 20};
        const std::unique_ptr<bv_capture, void (*)(bv_capture*)> capture(
            bv_capture_to_memory(&config, nullptr), [](bv_capture* c) { (void)bv_capture_close(c); });
        if (!capture) return {};
        capture_ = capture.get();
        populate();
        sample_.cause = Cause::NothingWrong;
        std::vector<std::uint8_t> part(std::size_t{1} << 18);
        const auto take = [&] {
            while (const std::size_t got = bv_capture_take(capture_, part.data(), part.size()))
                sample_.bytes.insert(sample_.bytes.end(), part.begin(),
                                     part.begin() + static_cast<std::ptrdiff_t>(got));
        };
        for (now_ = 0; now_ < kFrames; ++now_) {
            bv_capture_frame(capture_, static_cast<double>(now_) / 60.0);
            step();
            engine_.record_tree(capture_);
            ask();
            take();
        }
        bv_capture_finish(capture_);
        take();
        std::sort(sample_.bodies.begin(), sample_.bodies.end());
        return std::move(sample_);
    }

  private:
    std::uint64_t add(const bv::Aabb& box, Tag tag, const std::string& name,
                      std::uint32_t top = SampleEngine::kNone) {
        const std::uint64_t id = next_id_++;
        engine_.insert(id, box, top);
        const bv::Aabb fat = engine_.fat(id);
        bv_capture_create(capture_, id, bv_capture_box(&box.min.x, &box.max.x),
                          bv_capture_box(&fat.min.x, &fat.max.x), tag, name.c_str());
        return id;
    }

    void add_mover(const bv::Aabb& home, float speed, Tag tag, const char* name) {
        Mover mover;
        mover.home = home;
        mover.center = random_.in_box(home.min, home.max);
        mover.half = glm::vec3(random_.uniform(0.15f, 0.35f));
        mover.velocity = random_.direction();
        mover.velocity *= speed * random_.uniform(0.6f, 1.2f);
        mover.id = add(box_at(mover.center, mover.half), tag, fmt::format("{} {}", name, ++named_));
        movers_.push_back(mover);
        if (tag == Swarm) swarm_.push_back(mover.id);
    }

    void populate() {
        const std::uint32_t crates = 90 + random_.below(60);
        for (std::uint32_t i = 0; i < crates; ++i) {
            const glm::vec3 half = random_.in_box(glm::vec3(0.2f), glm::vec3(0.6f));
            glm::vec3 center =
                random_.in_box(glm::vec3(-field_, 0.0f, -field_), glm::vec3(field_, 0.0f, field_));
            center.y = half.y;
            (void)add(box_at(center, half), Crate, fmt::format("crate {}", i + 1));
        }
        const bv::Aabb sky{{-field_, 1.5f, -field_}, {field_, 4.0f, field_}};
        const std::uint32_t drones = 24 + random_.below(16);
        for (std::uint32_t i = 0; i < drones; ++i)
            add_mover(sky, speed_, Drone, "drone");
        // Beyond the field, so that it is a subtree.
        const glm::vec3 place(field_ + 7.0f, 2.5f, random_.uniform(-0.5f, 0.5f) * field_);
        const bv::Aabb hive{place - glm::vec3(3.0f, 2.0f, 3.0f), place + glm::vec3(3.0f, 2.0f, 3.0f)};
        for (int i = 0; i < 40; ++i)
            add_mover(hive, speed_, Swarm, "bee");
    }

    void move_all() {
        for (Mover& mover : movers_) {
            mover.center += mover.velocity;
            for (int k = 0; k < 3; ++k) {
                const bool below = mover.center[k] < mover.home.min[k];
                if (below || mover.center[k] > mover.home.max[k])
                    mover.velocity[k] = below ? std::abs(mover.velocity[k]) : -std::abs(mover.velocity[k]);
            }
            const bool is_swarm = std::binary_search(swarm_.begin(), swarm_.end(), mover.id);
            engine_.options.upkeep = is_swarm ? swarm_upkeep_ : Upkeep::Reinsert;
            const bv::Aabb tight = box_at(mover.center, mover.half);
            engine_.move(mover.id, tight);
            const bv::Aabb fat = engine_.fat(mover.id);
            bv_capture_move(capture_, mover.id, bv_capture_box(&tight.min.x, &tight.max.x),
                            bv_capture_box(&fat.min.x, &fat.max.x));
        }
        engine_.options.upkeep = Upkeep::Reinsert;
    }

    void step() {
        move_all();
        if (now_ == frame_ && kind_ != SampleKind::Sound) plant();
        if (row_left_ > 0) add_to_row();
        if (now_ % 10 == 9) replace_a_crate();
    }

    /// Bodies that come and go all the time.
    void replace_a_crate() {
        const std::uint64_t id = 1 + random_.below(80);
        if (std::find(gone_.begin(), gone_.end(), id) != gone_.end()) return;
        if (sample_.cause == Cause::BrokenInvariants) return;  // keeps what is broken as it is
        gone_.push_back(id);
        engine_.remove(id);
        bv_capture_remove(capture_, id);
        glm::vec3 center = random_.in_box(glm::vec3(-field_, 0.4f, -field_), glm::vec3(field_, 0.4f, field_));
        const bv::Aabb box = box_at(center, glm::vec3(0.4f));
        (void)add(box, Crate, fmt::format("new crate {}", next_id_));
    }

    void plant() {
        sample_.frame = frame_;
        switch (kind_) {
            case SampleKind::Sound:
                break;
            case SampleKind::Busy:
                plant_what_is_sound();
                break;
            case SampleKind::SortedRow:
                sample_.cause = Cause::SortedInsertion;
                begin_row();
                while (row_left_ > 0)
                    add_to_row();
                break;
            case SampleKind::SlowRow:
                sample_.cause = Cause::SortedInsertion;
                begin_row();
                break;
            case SampleKind::Stretched:
                sample_.cause = Cause::StretchedLeaves;
                swarm_upkeep_ = Upkeep::Stretch;
                sample_.bodies = swarm_;
                break;
            case SampleKind::LargeMargin:
                sample_.cause = Cause::LargeMargin;
                engine_.options.margin = 90.0f * speed_;
                write_all_fat();
                break;
            case SampleKind::SmallMargin:
                sample_.cause = Cause::SmallMargin;
                engine_.options.margin = 0.05f * speed_;
                write_all_fat();
                break;
            case SampleKind::Giant:
                sample_.cause = Cause::GiantBox;
                plant_giant();
                break;
            case SampleKind::MixedClusters:
                sample_.cause = Cause::MixedClusters;
                plant_clusters();
                break;
            case SampleKind::RefitOnly:
                sample_.cause = Cause::RefitOnly;
                scatter_the_swarm();
                break;
            default:
                plant_break();
        }
    }

    void write_all_fat() {
        engine_.fatten_all();
        for (std::uint64_t id = 1; id < next_id_; ++id) {
            if (std::find(gone_.begin(), gone_.end(), id) != gone_.end()) continue;
            const bv::Aabb tight = engine_.tight(id), fat = engine_.fat(id);
            bv_capture_move(capture_, id, bv_capture_box(&tight.min.x, &tight.max.x),
                            bv_capture_box(&fat.min.x, &fat.max.x));
        }
    }

    void begin_row() {
        row_left_ = 36 + static_cast<int>(random_.below(20));
        row_axis_ = random_.chance(0.5f) ? 0 : 2;
        row_place_ = {-1.6f * field_, 0.5f, -1.6f * field_};
    }

    void add_to_row() {
        engine_.options.rotates = false;
        sample_.bodies.push_back(add(box_at(row_place_, glm::vec3(0.4f)), Late,
                                     fmt::format("fence post {}", sample_.bodies.size() + 1)));
        engine_.options.rotates = true;
        row_place_[row_axis_] -= 1.0f;
        --row_left_;
    }

    /// Has an engine do well what it does wrong in other kinds of samples.
    void plant_what_is_sound() {
        (void)add(box_at({0.0f, -0.3f, 0.0f}, {1.2f * field_, 0.3f, 1.2f * field_}), Late, "ground");
        for (int i = 0; i < 40; ++i)
            (void)add(box_at({-1.6f * field_ - static_cast<float>(i), 0.5f, -1.6f * field_}, glm::vec3(0.4f)),
                      Late, fmt::format("fence post {}", i + 1));
        for (int i = 0; i < 30; ++i) {
            const glm::vec3 camp(-2.5f * field_, 1.0f, (i % 2 == 0 ? 0.6f : 2.7f) * field_);
            (void)add(box_at(camp + 3.0f * random_.in_ball(), glm::vec3(0.35f)), Late,
                      fmt::format("{} {}", i % 2 == 0 ? "tent" : "wagon", i + 1));
        }
        for (Mover& mover : movers_)
            if (random_.chance(0.3f)) mover.velocity *= 3.0f;
    }

    void plant_giant() {
        engine_.options.insertion = Insertion::Nearest;
        engine_.options.rotates = false;
        const glm::vec3 half(1.3f * field_, 0.6f, 1.1f * field_);
        const glm::vec3 center = random_.in_box({-3.0f, -0.2f, -3.0f}, {3.0f, -0.2f, 3.0f});
        sample_.bodies.push_back(add(box_at(center, half), Late, "ground"));
        engine_.options.insertion = Insertion::Surface;
    }

    void plant_clusters() {
        const glm::vec3 a(-2.5f * field_, 1.0f, 0.6f * field_), b(-2.5f * field_, 1.0f, -1.5f * field_);
        std::uint32_t top = SampleEngine::kNone;
        const int pairs = 14 + static_cast<int>(random_.below(10));
        engine_.options.rotates = false;
        for (int i = 0; i < 2 * pairs; ++i) {
            const bool is_first = i < 2 ? i == 0 : random_.chance(0.5f);
            const glm::vec3 center = (is_first ? a : b) + 3.0f * random_.in_ball();
            const std::uint64_t id = add(box_at(center, glm::vec3(0.35f)), Late,
                                         fmt::format("{} {}", is_first ? "tent" : "wagon", i + 1), top);
            sample_.bodies.push_back(id);
            if (i == 0) engine_.options.insertion = Insertion::Counts;
            // The first two make the node that all others go below.
            top = i == 0 ? engine_.leaf(id) : engine_.parent(engine_.leaf(sample_.bodies.front()));
            while (i > 1 && engine_.below(top).size() < sample_.bodies.size())
                top = engine_.parent(top);
        }
        engine_.options.insertion = Insertion::Surface;
        engine_.options.rotates = true;
    }

    void scatter_the_swarm() {
        swarm_upkeep_ = Upkeep::Refit;
        sample_.bodies = swarm_;
        for (Mover& mover : movers_) {
            if (!std::binary_search(swarm_.begin(), swarm_.end(), mover.id)) continue;
            mover.velocity = 3.0f * speed_ * random_.direction();
        }
    }

    void plant_break() {
        sample_.cause = Cause::BrokenInvariants;
        std::uint32_t node = engine_.parent(engine_.leaf(swarm_[random_.below(40)]));
        while (engine_.below(node).size() < 5)
            node = engine_.parent(node);
        sample_.bodies = engine_.below(node);
        if (kind_ == SampleKind::ShrunkBox) engine_.shrink_box(node, random_.uniform(0.3f, 0.7f));
        if (kind_ == SampleKind::Knot) engine_.tie_a_knot(node);
        if (kind_ == SampleKind::LostSubtree) engine_.lose(node);
        if (kind_ == SampleKind::DoubledPayload) {
            sample_.bodies.resize(2);
            engine_.double_payload(sample_.bodies[0], sample_.bodies[1]);
        }
        // What is broken stays in its place in the tree.
        engine_.options.rotates = false;
        swarm_upkeep_ = Upkeep::Refit;
        for (Mover& mover : movers_)
            if (std::binary_search(swarm_.begin(), swarm_.end(), mover.id)) mover.velocity *= 0.1f;
    }

    void ask() {
        for (int i = 0; i < 4; ++i) {
            const glm::vec3 center = random_.in_box({-field_, 0.0f, -field_}, {2.4f * field_, 4.0f, field_});
            engine_.record_box_query(capture_, box_at(center, glm::vec3(1.5f)));
            const glm::vec3 from = random_.in_box({-field_, 0.5f, -field_}, {2.4f * field_, 6.0f, field_});
            engine_.record_ray(capture_, from, random_.direction(), 40.0f);
        }
    }

    SampleKind kind_;
    Random random_;
    SampleEngine engine_;
    bv_capture* capture_ = nullptr;
    Sample sample_;
    std::uint64_t frame_ = 0, now_ = 0;
    float speed_ = 0.0f, field_ = 0.0f;
    std::vector<Mover> movers_;
    std::vector<std::uint64_t> swarm_, gone_;
    Upkeep swarm_upkeep_ = Upkeep::Reinsert;
    int row_left_ = 0, row_axis_ = 0;
    glm::vec3 row_place_{0.0f};
    std::uint64_t next_id_ = 1;
    int named_ = 0;
};

}  // namespace

Sample make_sample(SampleKind kind, std::uint64_t seed) {
    return Story(kind, seed).run();
}

}  // namespace lab::capture
