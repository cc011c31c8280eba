// Decodes the chunks of a frame in their order. Keeps the proxies, so that frames can be read one after
// another.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/captures/capture.hpp"
#include "io/captures/capture_bytes.hpp"
#include "io/text/unique_names.hpp"

namespace lab::io {

class CaptureDecoder {
  public:
    explicit CaptureDecoder(float margin) : margin_(margin) {}

    /// Begins a frame, whose contents go to `frame`; null only follows the proxies.
    void begin_frame(CaptureFrame* frame);
    /// Decodes the body of a chunk of type `S`, `E` or `T`. Returns the problem with it, if there is one: the
    /// rest is then not read. An oddity, like a move of an unknown proxy, becomes a note of the frame.
    std::optional<CaptureProblem> state(CaptureBytes in);
    std::optional<CaptureProblem> events(CaptureBytes in);
    std::optional<CaptureProblem> tree(CaptureBytes in);
    /// Ends the frame: fills in the proxies. `said`, which stands at `byte`, has the counts that the end of
    /// the frame states; nothing without an end. Counts that differ from the frame's become a note.
    void end_frame(const std::optional<CaptureCounts>& said = {}, std::uint64_t byte = 0);

  private:
    /// A node whose children are nodes listed later.
    struct Claim {
        std::uint32_t node;
        std::uint32_t first;  ///< Position of its first child.
        bool has_their_box;
    };

    /// Refuses the record that begins at this byte if the frame has too many.
    void count_record(CaptureBytes& in, std::uint64_t start);
    CaptureProxy read_proxy(CaptureBytes& in, std::uint64_t& last_id, std::string& name);
    void put(const CaptureProxy& proxy, std::string name);
    CaptureProxy* find(std::uint64_t id);
    void forget(std::uint64_t id);
    void set_name(std::uint64_t id, std::string name);
    void add_event(CaptureEvent::Kind kind, const CaptureProxy& proxy);
    void move(CaptureBytes& in, unsigned bits, std::uint64_t& last_id);
    void remove(CaptureBytes& in, std::uint64_t& last_id);
    void query(CaptureBytes& in, CaptureQuery::Kind kind);
    bv::Aabb grown(const bv::Aabb& tight) const;
    void read_node(CaptureBytes& in, unsigned flags, std::uint64_t& last_id, std::uint64_t& last_payload);
    bv::Aabb payload_box(CaptureBytes& in, unsigned code, const CaptureNode& node, std::uint64_t payload);
    void end_state();
    bool resolve_claims();
    void close_tree(bool complete);
    void note(std::uint64_t byte, const std::string& what);

    float margin_;
    CaptureFrame* frame_ = nullptr;
    std::vector<CaptureProxy> proxies_;
    std::unordered_map<std::uint64_t, std::size_t> places_;
    std::shared_ptr<CaptureNames> names_ = std::make_shared<CaptureNames>();
    std::size_t name_bytes_ = 0;
    /// For the state that is being read: the number of proxies that it states, and the byte.
    std::optional<std::pair<std::uint64_t, std::uint64_t>> state_size_;
    CaptureCounts counts_;  ///< Counts of the frame so far.
    bool in_tree_ = false;
    CaptureTree tree_;
    UniqueNames tree_names_;  ///< Names of the frame's trees.
    std::vector<Claim> claims_;
    std::uint64_t next_claim_ = 1;
    std::size_t records_ = 0;        ///< Records of the frame; see limits::kCaptureRecords.
    std::size_t results_ = 0;        ///< Ids in the results of its queries.
    std::uint64_t frame_nodes_ = 0;  ///< Nodes, links and payloads of the frame's trees.
};

}  // namespace lab::io
