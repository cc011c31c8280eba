#include "io/captures/capture_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "io/atomic_file.hpp"
#include "io/captures/capture_lines.hpp"
#include "io/limits.hpp"
#include "io/meshes/formats/text_scanner.hpp"
#include "io/printable.hpp"

namespace lab::io {
namespace {

constexpr std::array<std::uint8_t, 8> kMagic{'B', 'V', 'C', 'A', 'P', '\r', '\n', 0x1a};
constexpr std::uint64_t kHeader = 8;
constexpr const char* kAdvice = "Write it again with bv_capture.h";

class FileSource final : public CaptureSource {
  public:
    FileSource(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;
    ~FileSource() override { ::close(descriptor_); }
    [[nodiscard]] std::uint64_t size() const override { return size_; }
    std::size_t read(std::uint64_t from, std::span<std::uint8_t> out) const override {
        std::size_t filled = 0;
        while (filled < out.size()) {
            const ssize_t got = ::pread(descriptor_, out.data() + filled, out.size() - filled,
                                        static_cast<off_t>(from + filled));
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) break;
            filled += static_cast<std::size_t>(got);
        }
        return filled;
    }

  private:
    int descriptor_;
    std::uint64_t size_;
};

class MemorySource final : public CaptureSource {
  public:
    explicit MemorySource(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
    [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
    std::size_t read(std::uint64_t from, std::span<std::uint8_t> out) const override {
        if (from >= bytes_.size()) return 0;
        const std::size_t count = std::min<std::size_t>(out.size(), bytes_.size() - from);
        if (count > 0) std::memcpy(out.data(), bytes_.data() + from, count);
        return count;
    }

  private:
    std::vector<std::uint8_t> bytes_;
};

struct ChunkHeader {
    char type = 0;
    bool is_known = false;
    std::uint32_t bytes = 0;
};

/// The header at the beginning of `bytes`; nothing if there is none.
std::optional<ChunkHeader> header_of(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < kHeader || bytes[0] != 0xbc) return std::nullopt;
    ChunkHeader header;
    header.type = static_cast<char>(bytes[1]);
    header.is_known = bytes[2] == 1 && std::strchr("HFSETZL", header.type) != nullptr && header.type != 0;
    for (unsigned i = 0; i < 4; ++i)
        header.bytes |= static_cast<std::uint32_t>(bytes[4 + i]) << (8 * i);
    return header;
}

CaptureCounts read_counts(CaptureBytes& in) {
    CaptureCounts n;
    for (std::uint64_t* count : {&n.created, &n.moved, &n.removed, &n.queries, &n.marks, &n.trees, &n.nodes})
        *count = in.var();
    return n;
}

std::string frames_text(std::uint64_t count) {
    return fmt::format("{} {}", count, count == 1 ? "frame" : "frames");
}

}  // namespace

struct CaptureFile::Chunk {
    ChunkHeader header;
    std::uint64_t byte;                  ///< Of the header.
    std::span<const std::uint8_t> body;  ///< Its beginning, if it is of a type that is short.
};

FileError CaptureFile::error_at(std::uint64_t byte, std::string what) const {
    return {path_, fmt::format("byte {}", byte), std::move(what), kAdvice};
}

Result<CaptureFile> CaptureFile::open(const std::filesystem::path& path, const GoesOn& goes_on) {
    const auto failed = [&path](std::string what, std::string advice) {
        return FileError{path.string(), "", std::move(what), std::move(advice)};
    };
    if (same_word(path.extension().string(), ".jsonl")) {
        const Result<std::string> text = read_whole_file(path, limits::kCaptureLineFileBytes);
        if (!text) return text.error();
        Result<std::vector<std::uint8_t>> bytes = capture_from_lines(*text, path.string());
        if (!bytes) return bytes.error();
        return from_bytes(std::move(*bytes), path.string());
    }
    // Without O_NONBLOCK opening a pipe would wait for someone to write to it.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return failed("cannot be opened: " + std::generic_category().message(errno), "Check the name");
    struct stat info {};
    if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
        ::close(descriptor);
        return failed("is not a regular file", "Give the name of a file on a disk");
    }
    return indexed(path.string(),
                   std::make_shared<FileSource>(descriptor, static_cast<std::uint64_t>(info.st_size)),
                   goes_on);
}

Result<CaptureFile> CaptureFile::from_bytes(std::vector<std::uint8_t> bytes, std::string path) {
    return indexed(std::move(path), std::make_shared<MemorySource>(std::move(bytes)), {});
}

Result<CaptureFile> CaptureFile::indexed(std::string path, std::shared_ptr<const CaptureSource> source,
                                         const GoesOn& goes_on) {
    CaptureFile file(std::move(path), std::move(source));
    if (auto error = file.make_index(goes_on)) return *error;
    file.decoder_ = std::make_unique<CaptureDecoder>(file.head_.margin);
    return file;
}

CaptureFile CaptureFile::another() const {
    CaptureFile copy(path_, source_);
    copy.head_ = head_;
    copy.frames_ = frames_;
    copy.losses_ = losses_;
    copy.notes_ = notes_;
    copy.unknown_chunks_ = unknown_chunks_;
    copy.decoder_ = std::make_unique<CaptureDecoder>(head_.margin);
    return copy;
}

/// Takes a chunk into the index. False if the index must end here.
bool CaptureFile::index_chunk(const Chunk& chunk, std::optional<CaptureProblem>& problem) {
    CaptureBytes in(chunk.body, chunk.byte + kHeader);
    CaptureFrameEntry* const frame = frames_->empty() ? nullptr : &frames_->back();
    const std::uint64_t end = chunk.byte + kHeader + chunk.header.bytes;
    switch (chunk.header.is_known ? chunk.header.type : '\0') {
        case 'F': {
            CaptureFrameEntry next;
            next.number = in.var();
            next.time_s = in.f64();
            next.byte = chunk.byte;
            if (frame && next.number <= frame->number)
                in.refuse(chunk.byte, fmt::format("frame {} follows frame {}", next.number, frame->number));
            if (frames_->size() >= limits::kCaptureFrames)
                in.refuse(chunk.byte,
                          fmt::format("is more than the {} frames that are read", frames_->size()));
            next.bytes = end - chunk.byte;
            if (in.good()) frames_->push_back(next);
            break;
        }
        case 'L': {
            CaptureLoss loss;
            loss.first_frame = in.var();
            loss.frames = in.var();
            loss.counts = read_counts(in);
            if (in.good()) losses_.push_back(loss);
            break;
        }
        case 'S':
        case 'E':
        case 'T':
        case 'Z':
            if (!frame || frame->is_complete) {
                in.refuse(chunk.byte, fmt::format("a chunk `{}` outside a frame", chunk.header.type));
                break;
            }
            // A part that continues a state is of no use alone.
            if (chunk.header.type == 'S' && !chunk.body.empty() && chunk.body[0] == 1)
                frame->has_state = true;
            frame->bytes = end - frame->byte;
            if (chunk.header.type == 'Z') {
                frame->counts = read_counts(in);
                frame->refused = in.var();
                frame->is_complete = in.good();
            }
            break;
        case 'H':
            in.refuse(chunk.byte, "a second head");
            break;
        default:
            ++unknown_chunks_;
            if (frame && !frame->is_complete) frame->bytes = end - frame->byte;
    }
    problem = in.problem();
    return in.good();
}

std::optional<FileError> CaptureFile::make_index(const GoesOn& goes_on) {
    constexpr std::size_t kAhead = 1100;  // A head with its two texts, and every other short chunk.
    std::array<std::uint8_t, kAhead> bytes{};
    const std::uint64_t size = source_->size();
    if (source_->read(0, std::span(bytes).first(kMagic.size())) < kMagic.size() ||
        !std::equal(kMagic.begin(), kMagic.end(), bytes.begin()))
        return FileError{path_, "byte 0", "is not a capture", "Take a file that bv_capture.h wrote"};
    std::optional<CaptureProblem> problem;
    std::uint64_t at = kMagic.size(), chunks = 0;
    while (at < size && !problem) {
        if (goes_on && chunks % 1024 == 0 && !goes_on(static_cast<double>(at) / static_cast<double>(size)))
            return FileError{path_, "", "was not read to its end", ""};
        const std::size_t got = source_->read(at, std::span(bytes).first(chunks == 0 ? kAhead : 160));
        const std::span<const std::uint8_t> have(bytes.data(), got);
        const auto header = header_of(have);
        if (!header || at + kHeader + header->bytes > size) {
            const bool is_cut = header || (got < kHeader && (got == 0 || have[0] == 0xbc));
            problem = CaptureProblem{at, is_cut ? "the file is cut off" : "no chunk begins here"};
            break;
        }
        const Chunk chunk{*header, at,
                          have.subspan(kHeader, std::min<std::size_t>(header->bytes, got - kHeader))};
        if (chunks == 0) {
            if (!header->is_known || header->type != 'H')
                return error_at(at, "a capture does not begin with its head");
            CaptureBytes in(chunk.body, at + kHeader);
            head_.dimensions = in.u8() == 2 ? 2 : 3;
            head_.margin = in.f32();
            head_.engine = printable(in.text(255));
            head_.title = printable(in.text(255));
            if (in.problem()) return error_at(in.problem()->byte, in.problem()->what);
        } else if (!index_chunk(chunk, problem)) {
            break;
        }
        at += kHeader + header->bytes;
        ++chunks;
    }
    if (frames_->empty()) {
        if (problem) return error_at(problem->byte, problem->what + " before the first frame");
        return FileError{path_, "", "has no frames", "Call bv_capture_frame at the beginning of each frame"};
    }
    if (problem)
        notes_.push_back(fmt::format("byte {}: {}. The {} before can be shown", problem->byte, problem->what,
                                     frames_text(frames_->size())));
    note_losses();
    return std::nullopt;
}

void CaptureFile::note_losses() {
    const bool lost_its_end = !losses_.empty() && losses_.back().first_frame >= frames_->back().number;
    if (!frames_->back().is_complete && !lost_its_end)
        notes_.push_back(
            fmt::format("frame {} has no end: the engine stopped in it", frames_->back().number));
    std::uint64_t frames = 0;
    for (const CaptureLoss& loss : losses_)
        frames += loss.frames;
    if (frames > 0)
        notes_.push_back(
            fmt::format("the engine's buffer was full: {} {} incomplete or missing, frame {} the "
                        "first. Give bv_capture_config a larger buffer_bytes",
                        frames_text(frames), frames == 1 ? "is" : "are", losses_.front().first_frame));
    if (unknown_chunks_ > 0)
        notes_.push_back(fmt::format("{} {} of a newer kind {} skipped", unknown_chunks_,
                                     unknown_chunks_ == 1 ? "chunk" : "chunks",
                                     unknown_chunks_ == 1 ? "is" : "are"));
}

std::optional<FileError> CaptureFile::decode(std::size_t index, CaptureFrame* frame) {
    const CaptureFrameEntry& entry = (*frames_)[index];
    decoder_->begin_frame(frame);
    std::uint64_t at = entry.byte;
    const std::uint64_t end = entry.byte + entry.bytes;
    while (at < end) {
        std::array<std::uint8_t, kHeader> bytes{};
        const std::size_t got = source_->read(at, bytes);
        const auto header = header_of({bytes.data(), got});
        if (!header || at + kHeader + header->bytes > end)
            return error_at(at, "the file has changed meanwhile");
        const bool wanted = header->is_known &&
                            (header->type == 'S' || header->type == 'E' || (header->type == 'T' && frame));
        if (wanted) {
            buffer_.resize(header->bytes);
            if (source_->read(at + kHeader, buffer_) != buffer_.size())
                return error_at(at, "the file has changed meanwhile");
            const CaptureBytes body(buffer_, at + kHeader);
            const auto problem = header->type == 'S'   ? decoder_->state(body)
                                 : header->type == 'E' ? decoder_->events(body)
                                                       : decoder_->tree(body);
            if (problem) return error_at(problem->byte, problem->what);
        }
        at += kHeader + header->bytes;
    }
    decoder_->end_frame();
    return std::nullopt;
}

Result<CaptureFrame> CaptureFile::frame(std::size_t index) {
    if (index >= frames_->size())
        return FileError{path_, "", fmt::format("has no frame at place {}", index), ""};
    std::size_t first = index;
    while (first > 0 && !(*frames_)[first].has_state)
        --first;
    if (decoded_ && *decoded_<index&& * decoded_ + 1> first) {
        first = *decoded_ + 1;
    } else {
        *decoder_ = CaptureDecoder(head_.margin);
    }
    decoded_.reset();
    CaptureFrame frame;
    frame.names = std::make_shared<CaptureNames>();
    for (std::size_t i = first; i <= index; ++i) {
        if ((*frames_)[i].bytes > limits::kCaptureFrameBytes)
            return error_at((*frames_)[i].byte,
                            fmt::format("frame {} has {} bytes; at most {} are read", (*frames_)[i].number,
                                        (*frames_)[i].bytes, limits::kCaptureFrameBytes));
        if (auto error = decode(i, i == index ? &frame : nullptr)) return *error;
    }
    decoded_ = index;
    return frame;
}

}  // namespace lab::io
