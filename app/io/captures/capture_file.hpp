// Opens captures (.bvcap) of any length: an index of the frames first, then single frames on demand.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/captures/capture.hpp"
#include "io/captures/capture_decode.hpp"
#include "io/captures/capture_source.hpp"
#include "io/file_error.hpp"

namespace lab::io {

/// A capture whose frames can be read in any order; one after another is fastest. Not for several threads at
/// once.
class CaptureFile {
  public:
    /// Called now and then with the fraction that is indexed; false gives up.
    using GoesOn = std::function<bool(double)>;

    /// Reads the beginning of every chunk. Refuses a file that is not a capture, with the byte. A file that
    /// is cut off or damaged later is accepted up to there, and `notes` says so; without frames it is
    /// refused. A name that ends in .jsonl is read as lines of JSON, the whole file at once.
    static Result<CaptureFile> open(const std::filesystem::path& path, const GoesOn& goes_on = {});
    /// By its name: the bytes of such a file stay in memory.
    static bool is_read_whole(const std::filesystem::path& path);
    /// The same for bytes in memory; `path` only names them in errors.
    static Result<CaptureFile> from_bytes(std::vector<std::uint8_t> bytes, std::string path);
    /// The same for bytes that may still arrive: then there may be no frames yet, and no head.
    static Result<CaptureFile> from_source(std::shared_ptr<const CaptureSource> source, std::string path);

    /// Takes in what has arrived since, at most `max_chunks` chunks of it, and drops frames whose bytes were
    /// dropped. True if the list of frames has changed. Returns an error, at most once, if what arrived is
    /// not a capture.
    Result<bool> grow(std::size_t max_chunks = 4096);
    /// Whether more frames may come. A frame is listed once all of it is there.
    [[nodiscard]] bool is_growing() const { return !closed_; }
    /// Why reading stopped, if not at the end of the bytes.
    [[nodiscard]] const std::optional<CaptureProblem>& problem() const { return problem_; }
    /// Writes the frames to a file of their own. From any thread, beside other readers.
    [[nodiscard]] std::optional<FileError> save(const std::string& path) const;

    /// The same capture for another reader, e.g. in another thread, without indexing it again.
    [[nodiscard]] CaptureFile another() const;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const CaptureHead& head() const { return head_; }
    [[nodiscard]] const std::vector<CaptureFrameEntry>& frames() const { return *frames_; }
    [[nodiscard]] const std::vector<CaptureLoss>& losses() const { return losses_; }
    /// Number of frames before those listed, whose bytes were dropped.
    [[nodiscard]] std::uint64_t dropped_frames() const { return dropped_frames_; }
    /// Notes about the file as a whole: truncated, parts skipped, unknown chunks, states that are missing,
    /// wrong numbers of trees.
    [[nodiscard]] std::vector<std::string> notes() const;

    /// Reads frame `index` of `frames()`. Errors name the byte; other frames may still be read. Takes as long
    /// as the bytes since the last state before it take, or those of the one frame if the frame before it was
    /// read last.
    Result<CaptureFrame> frame(std::size_t index);

  private:
    CaptureFile(std::string path, std::shared_ptr<const CaptureSource> source)
        : path_(std::move(path)), source_(std::move(source)) {}

    static Result<CaptureFile> indexed(std::string path, std::shared_ptr<const CaptureSource> source,
                                       const GoesOn& goes_on);
    std::optional<FileError> index(std::size_t max_chunks, const GoesOn& goes_on);
    [[nodiscard]] std::optional<FileError> read_head();
    [[nodiscard]] std::string cut_off() const;
    struct Chunk;
    bool index_chunk(const Chunk& chunk);
    void close_frame();
    bool drop_lost_frames();
    std::optional<FileError> decode(std::size_t index, CaptureFrame* frame);
    [[nodiscard]] FileError error_at(std::uint64_t byte, std::string what) const;

    using Frames = std::vector<CaptureFrameEntry>;
    [[nodiscard]] Frames& own_frames();

    std::string path_;
    std::shared_ptr<const CaptureSource> source_;
    CaptureHead head_;
    std::uint64_t head_end_ = 0;                                   ///< 0: the head is not there yet.
    std::shared_ptr<Frames> frames_ = std::make_shared<Frames>();  ///< Shared with readers that did not grow.
    std::optional<CaptureFrameEntry> open_frame_;                  ///< Its end has not been seen.
    std::uint64_t at_ = 0;                                         ///< The byte that is indexed next.
    std::vector<CaptureLoss> losses_;
    std::optional<CaptureProblem> problem_;  ///< What ended the index.
    /// An oddity that several frames share.
    struct Oddity {
        std::uint64_t frames = 0;
        std::string first;  ///< What is odd in the first of them.
        template <class Text>
        void add(const Text& text) {
            if (frames++ == 0) first = text();
        }
    };
    Oddity without_state_, wrong_trees_;
    bool needs_state_ = false;      ///< The open frame needs a state: it is the first, or follows a loss.
    bool next_needs_state_ = true;  ///< The frame after it needs a state.
    std::uint64_t unknown_chunks_ = 0;
    std::uint64_t dropped_frames_ = 0;
    bool closed_ = false;
    std::string left_out_;  ///< For a file of lines: what its end lacks.

    CaptureDecoder decoder_{0.0f};  ///< Has the proxies at the end of frame `decoded_`.
    std::optional<std::size_t> decoded_;
    std::vector<std::uint8_t> buffer_;
};

}  // namespace lab::io
