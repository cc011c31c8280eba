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
#include "io/file_error.hpp"

namespace lab::io {

/// Where the bytes of a capture are.
class CaptureSource {
  public:
    CaptureSource() = default;
    CaptureSource(const CaptureSource&) = delete;
    CaptureSource& operator=(const CaptureSource&) = delete;
    virtual ~CaptureSource() = default;
    [[nodiscard]] virtual std::uint64_t size() const = 0;
    /// Reads as many of these bytes as there are; returns their number. May be called by several threads.
    virtual std::size_t read(std::uint64_t from, std::span<std::uint8_t> out) const = 0;
};

/// A capture whose frames can be read in any order; one after another is fastest. Not for several threads at
/// once.
class CaptureFile {
  public:
    /// Called now and then with the fraction that is indexed; false gives up.
    using GoesOn = std::function<bool(double)>;

    /// Reads the beginning of every chunk. Refuses what is no capture, with the byte. A file that is cut off
    /// or damaged later is accepted up to there, and `notes` says so. Without frames
    /// it is refused. A name that ends in .jsonl is read as lines of JSON, the whole of it at once.
    static Result<CaptureFile> open(const std::filesystem::path& path, const GoesOn& goes_on = {});
    /// The same for bytes in memory; `path` only names them in errors.
    static Result<CaptureFile> from_bytes(std::vector<std::uint8_t> bytes, std::string path);

    /// The same capture for another reader, e.g. in another thread, without indexing it again.
    [[nodiscard]] CaptureFile another() const;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const CaptureHead& head() const { return head_; }
    [[nodiscard]] const std::vector<CaptureFrameEntry>& frames() const { return *frames_; }
    [[nodiscard]] const std::vector<CaptureLoss>& losses() const { return losses_; }
    /// What the user should know of the file as a whole: cut off, something left out, unknown chunks.
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

    /// Reads frame `index` of `frames()`. Errors name the byte; other frames may still be read. Time is that
    /// of the bytes since the last state before it, or of the one frame if the frame before was read last.
    Result<CaptureFrame> frame(std::size_t index);

  private:
    CaptureFile(std::string path, std::shared_ptr<const CaptureSource> source)
        : path_(std::move(path)), source_(std::move(source)) {}

    static Result<CaptureFile> indexed(std::string path, std::shared_ptr<const CaptureSource> source,
                                       const GoesOn& goes_on);
    std::optional<FileError> make_index(const GoesOn& goes_on);
    struct Chunk;
    bool index_chunk(const Chunk& chunk, std::optional<CaptureProblem>& problem);
    void note_losses();
    std::optional<FileError> decode(std::size_t index, CaptureFrame* frame);
    [[nodiscard]] FileError error_at(std::uint64_t byte, std::string what) const;

    std::string path_;
    std::shared_ptr<const CaptureSource> source_;
    CaptureHead head_;
    using Frames = std::vector<CaptureFrameEntry>;
    std::shared_ptr<Frames> frames_ = std::make_shared<Frames>();  ///< Shared with other readers once made.
    std::vector<CaptureLoss> losses_;
    std::vector<std::string> notes_;
    std::uint64_t unknown_chunks_ = 0;

    std::unique_ptr<CaptureDecoder> decoder_;  ///< Has the proxies at the end of frame `decoded_`.
    std::optional<std::size_t> decoded_;
    std::vector<std::uint8_t> buffer_;
};

}  // namespace lab::io
