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
#include <utility>

#include "io/atomic_file.hpp"
#include "io/captures/capture_lines.hpp"
#include "io/limits.hpp"
#include "io/meshes/formats/text_scanner.hpp"
#include "io/text/counted.hpp"
#include "io/text/printable.hpp"

namespace lab::io {

struct ChunkHeader {
    char type = 0;
    bool is_known = false;
    std::uint32_t bytes = 0;
};

namespace {

constexpr std::array<std::uint8_t, 8> kMagic{'B', 'V', 'C', 'A', 'P', '\r', '\n', 0x1a};
constexpr std::uint64_t kChunkHeader = 8;
constexpr std::size_t kMaxHead = 1100;  ///< First bytes, and a head with its two texts.
constexpr const char* kCaptureAdvice = "Write it again with bv_capture.h";

/// The header at the beginning of `bytes`; nothing if there is none.
std::optional<ChunkHeader> header_of(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < kChunkHeader || bytes[0] != 0xbc) return std::nullopt;
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
    return counted(count, "frame", "frames");
}

}  // namespace

struct CaptureFile::Chunk {
    ChunkHeader header;
    std::uint64_t byte;                  ///< Position of the header.
    std::span<const std::uint8_t> body;  ///< Its beginning, if it is of a type that is short.
};

FileError CaptureFile::error_at(std::uint64_t byte, std::string what) const {
    return {path_, fmt::format("byte {}", byte), std::move(what), kCaptureAdvice};
}

bool CaptureFile::is_read_whole(const std::filesystem::path& path) {
    return same_word(path.extension().string(), ".jsonl");
}

Result<CaptureFile> CaptureFile::open(const std::filesystem::path& path, const GoesOn& goes_on) {
    if (is_read_whole(path)) {
        const Result<std::string> text = read_whole_file(path, limits::kCaptureLineFileBytes);
        if (!text) return text.error();
        Result<CaptureLines> lines = capture_from_lines(*text, path.string());
        if (!lines) return lines.error();
        Result<CaptureFile> file = from_bytes(std::move(lines->bytes), path.string());
        if (file) file->left_out_ = std::move(lines->left_out);
        return file;
    }
    // Without O_NONBLOCK opening a pipe would wait for someone to write to it.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return system_error(path, "cannot be opened", errno);
    struct stat info {};
    if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
        ::close(descriptor);
        return FileError{path.string(), "", kNotRegular, kGiveFileOnDisk};
    }
    return indexed(path.string(), capture_in_file(descriptor, static_cast<std::uint64_t>(info.st_size)),
                   goes_on);
}

Result<CaptureFile> CaptureFile::from_bytes(std::vector<std::uint8_t> bytes, std::string path) {
    return from_source(capture_in_memory(std::move(bytes)), std::move(path));
}

Result<CaptureFile> CaptureFile::from_source(std::shared_ptr<const CaptureSource> source, std::string path) {
    return indexed(std::move(path), std::move(source), {});
}

Result<CaptureFile> CaptureFile::indexed(std::string path, std::shared_ptr<const CaptureSource> source,
                                         const GoesOn& goes_on) {
    CaptureFile file(std::move(path), std::move(source));
    if (auto error = file.index(SIZE_MAX, goes_on)) return *error;
    return file;
}

Result<bool> CaptureFile::grow(std::size_t max_chunks) {
    if (closed_) return false;
    const std::size_t before = frames_->size();
    if (auto error = index(max_chunks, {})) return *error;
    const bool dropped = drop_lost_frames();
    return dropped || closed_ || frames_->size() != before;
}

CaptureFile CaptureFile::another() const {
    CaptureFile copy(path_, source_);
    copy.head_ = head_;
    copy.head_end_ = head_end_;
    copy.frames_ = frames_;
    copy.open_frame_ = open_frame_;
    copy.at_ = at_;
    copy.losses_ = losses_;
    copy.problem_ = problem_;
    copy.needs_state_ = needs_state_;
    copy.next_needs_state_ = next_needs_state_;
    copy.without_state_ = without_state_;
    copy.wrong_trees_ = wrong_trees_;
    copy.unknown_chunks_ = unknown_chunks_;
    copy.dropped_frames_ = dropped_frames_;
    copy.closed_ = closed_;
    copy.left_out_ = left_out_;
    return copy;
}

CaptureFile::Frames& CaptureFile::own_frames() {
    if (frames_.use_count() > 1) frames_ = std::make_shared<Frames>(*frames_);
    return *frames_;
}

/// Lists the frame that was open.
void CaptureFile::close_frame() {
    if (!open_frame_) return;
    const CaptureFrameEntry& frame = *open_frame_;
    if (frame.is_complete && frame.counts.trees != frame.trees)
        wrong_trees_.add([&] {
            return fmt::format("the end of frame {} counts {}, but it has {}: those that are there are taken",
                               frame.number, counted(frame.counts.trees, "tree", "trees"), frame.trees);
        });
    if (frame.is_complete && needs_state_ && !frame.has_state)
        without_state_.add([&] {
            return fmt::format(
                "frame {}, {}, does not begin with a state of all proxies (a chunk `S`): some "
                "may be missing up to the next state",
                frame.number, frames_->empty() ? "the first" : "behind lost ones");
        });
    own_frames().push_back(frame);
    open_frame_.reset();
}

/// Takes a chunk into the index. False if the index must end here.
bool CaptureFile::index_chunk(const Chunk& chunk) {
    CaptureBytes in(chunk.body, chunk.byte + kChunkHeader);
    const std::uint64_t end = chunk.byte + kChunkHeader + chunk.header.bytes;
    switch (chunk.header.is_known ? chunk.header.type : '\0') {
        case 'F': {
            CaptureFrameEntry next;
            next.number = in.var();
            next.time_s = in.f64();
            next.byte = chunk.byte;
            const CaptureFrameEntry* const last =
                open_frame_ ? &*open_frame_ : (frames_->empty() ? nullptr : &frames_->back());
            if (last && next.number <= last->number)
                in.refuse(chunk.byte, fmt::format("frame {} follows frame {}", next.number, last->number));
            const std::size_t count = frames_->size() + (open_frame_ ? 1 : 0);
            if (count >= limits::kCaptureFrames)
                in.refuse(chunk.byte, fmt::format("is more than the {} frames that are read", count));
            next.bytes = end - chunk.byte;
            if (!in.good()) break;
            close_frame();
            open_frame_ = next;
            needs_state_ = std::exchange(next_needs_state_, false);
            break;
        }
        case 'L': {
            CaptureLoss loss;
            loss.first_frame = in.var();
            loss.frames = in.var();
            loss.counts = read_counts(in);
            if (in.good() && losses_.size() < limits::kCaptureLosses) losses_.push_back(loss);
            next_needs_state_ = true;
            break;
        }
        case 'S':
        case 'E':
        case 'T':
        case 'Z':
            if (!open_frame_) {
                in.refuse(chunk.byte, fmt::format("a chunk `{}` outside a frame", chunk.header.type));
                break;
            }
            // A part that continues a state is of no use alone.
            if (!chunk.body.empty() && chunk.body[0] == 1) {
                if (chunk.header.type == 'S') open_frame_->has_state = true;
                if (chunk.header.type == 'T') ++open_frame_->trees;
            }
            open_frame_->bytes = end - open_frame_->byte;
            if (chunk.header.type != 'Z') break;
            open_frame_->counts = read_counts(in);
            open_frame_->refused = in.var();
            open_frame_->is_complete = in.good();
            close_frame();
            break;
        case 'H':
            in.refuse(chunk.byte, "a second header");
            break;
        default:
            ++unknown_chunks_;
            if (open_frame_) open_frame_->bytes = end - open_frame_->byte;
    }
    problem_ = in.problem();
    return in.good();
}

/// The first bytes and the head behind them; nothing is read while they are not there yet.
std::optional<FileError> CaptureFile::read_head() {
    std::array<std::uint8_t, kMaxHead> bytes{};
    const bool is_growing = source_->is_growing();
    const std::size_t got = source_->read(0, bytes);
    const std::span<const std::uint8_t> have(bytes.data(), got);
    const std::size_t magic = std::min(got, kMagic.size());
    if (!std::equal(have.begin(), have.begin() + static_cast<std::ptrdiff_t>(magic), kMagic.begin()) ||
        (magic < kMagic.size() && !is_growing))
        return FileError{path_, "byte 0", "is not a capture", "Take a file that bv_capture.h wrote"};
    if (magic < kMagic.size()) return std::nullopt;
    const auto header = header_of(have.subspan(magic));
    const std::size_t begin = magic + kChunkHeader;
    if (!header && got < begin && is_growing) return std::nullopt;
    if (!header && got == magic) return std::nullopt;  // ended without frames
    if (!header) return error_at(magic, "no chunk begins here");
    if (!header->is_known || header->type != 'H')
        return error_at(magic, "a capture must begin with its header");
    const std::uint64_t end = begin + header->bytes;
    if (end > CaptureSource::kHeadBytes)
        return error_at(magic, fmt::format("the header has {} bytes; at most {} are read", header->bytes,
                                           CaptureSource::kHeadBytes - begin));
    if (end > source_->size()) {
        if (is_growing) return std::nullopt;
        return error_at(magic, cut_off() + " before the first frame");
    }
    CaptureBytes in(have.subspan(begin, std::min<std::size_t>(header->bytes, got - begin)), begin);
    const std::uint64_t start = in.byte();
    head_.dimensions = in.u8();
    if (in.good() && head_.dimensions != 2 && head_.dimensions != 3)
        in.refuse(start, fmt::format("{} dimensions; there are 2 or 3", head_.dimensions));
    head_.margin = in.f32();
    head_.engine = printable(in.text(kCaptureNameBytes));
    head_.title = printable(in.text(kCaptureNameBytes));
    if (in.problem()) return error_at(in.problem()->byte, in.problem()->what);
    at_ = head_end_ = end;
    return std::nullopt;
}

std::string CaptureFile::cut_off() const {
    return source_->is_stream() ? "the stream is cut off" : "the file is cut off";
}

std::optional<FileError> CaptureFile::index(std::size_t max_chunks, const GoesOn& goes_on) {
    const bool is_growing = source_->is_growing();  // before the size: what came last is seen, too
    const std::uint64_t size = source_->size();
    if (head_end_ == 0)
        if (auto error = read_head()) return error;
    std::array<std::uint8_t, 160> bytes{};  // every short chunk but the head
    bool waits = head_end_ == 0 && is_growing;
    for (std::size_t chunks = 0; at_ < size && head_end_ > 0 && !waits && !problem_; ++chunks) {
        if (chunks == max_chunks) return std::nullopt;
        if (goes_on && chunks % 1024 == 0 && !goes_on(static_cast<double>(at_) / static_cast<double>(size)))
            return FileError{path_, "", "was not read to its end", ""};
        const std::size_t got =
            source_->read(at_, std::span(bytes).first(std::min<std::uint64_t>(bytes.size(), size - at_)));
        const std::span<const std::uint8_t> have(bytes.data(), got);
        const auto header = header_of(have);
        if (!header || at_ + kChunkHeader + header->bytes > size) {
            const bool is_cut = header || (got < kChunkHeader && (got == 0 || have[0] == 0xbc));
            waits = is_cut && is_growing && (!header || header->bytes <= limits::kCaptureFrameBytes);
            if (!waits) problem_ = CaptureProblem{at_, is_cut ? cut_off() : "no chunk begins here"};
            break;
        }
        const Chunk chunk{
            *header, at_,
            have.subspan(kChunkHeader, std::min<std::size_t>(header->bytes, got - kChunkHeader))};
        if (index_chunk(chunk)) at_ += kChunkHeader + header->bytes;
    }
    if (is_growing && !problem_) return std::nullopt;
    close_frame();
    closed_ = true;
    if (!frames_->empty()) return std::nullopt;
    if (problem_) return error_at(problem_->byte, problem_->what + " before the first frame");
    return FileError{path_, "", "has no frames", "Call bv_capture_frame at the beginning of each frame"};
}

/// Forgets frames that the source has no more, and those that cannot be read without them.
bool CaptureFile::drop_lost_frames() {
    const std::uint64_t first = source_->first();
    if (frames_->empty() || frames_->front().byte >= first) return false;
    Frames& frames = own_frames();
    // The last one stays whatever it is: a capture is never without frames again.
    const auto keep = std::find_if(frames.begin(), frames.end() - 1, [first](const CaptureFrameEntry& frame) {
        return frame.byte >= first && frame.has_state;
    });
    const auto gone = static_cast<std::size_t>(keep - frames.begin());
    if (gone == 0) return false;
    frames.erase(frames.begin(), keep);
    dropped_frames_ += gone;
    decoded_ = decoded_ && *decoded_ >= gone ? std::optional(*decoded_ - gone) : std::nullopt;
    return true;
}

std::vector<std::string> CaptureFile::notes() const {
    std::vector<std::string> notes;
    if (!left_out_.empty()) notes.push_back(left_out_);
    if (problem_ && !frames_->empty())
        notes.push_back(fmt::format("byte {}: {}. The {} before can be shown", problem_->byte, problem_->what,
                                    frames_text(frames_->size())));
    const bool lost_its_end =
        !losses_.empty() && !frames_->empty() && losses_.back().first_frame >= frames_->back().number;
    if (closed_ && !frames_->empty() && !frames_->back().is_complete && !lost_its_end)
        notes.push_back(fmt::format("frame {} has no end: the engine stopped in it", frames_->back().number));
    if (dropped_frames_ > 0)
        notes.push_back(fmt::format("the first {} {} gone: a connection keeps only the latest",
                                    frames_text(dropped_frames_), plural(dropped_frames_, "is", "are")));
    std::uint64_t frames = 0;
    for (const CaptureLoss& loss : losses_)
        frames += loss.frames;
    if (frames > 0)
        notes.push_back(
            fmt::format("the engine's buffer was full: {} {} incomplete or missing, frame {} the "
                        "first. Give bv_capture_config a larger buffer_bytes",
                        frames_text(frames), plural(frames, "is", "are"), losses_.front().first_frame));
    for (const Oddity* odd : {&without_state_, &wrong_trees_})
        if (odd->frames > 0)
            notes.push_back(odd->frames == 1 ? odd->first
                                             : fmt::format("{}. The same in {} more", odd->first,
                                                           frames_text(odd->frames - 1)));
    if (unknown_chunks_ > 0)
        notes.push_back(fmt::format("{} of an unknown kind {} skipped",
                                    counted(unknown_chunks_, "chunk", "chunks"),
                                    plural(unknown_chunks_, "is", "are")));
    return notes;
}

std::optional<FileError> CaptureFile::save(const std::string& path) const {
    if (frames_->empty()) return FileError{path, "", "there are no frames to save", "Wait for the first"};
    std::uint64_t at = 0, end = head_end_;
    std::vector<std::uint8_t> part;
    const auto next = [&]() -> std::optional<std::string_view> {
        if (at == head_end_) {
            // Notices of what was lost stand between frames, and behind the last one.
            at = source_->first() > head_end_ ? frames_->front().byte : head_end_;
            end = open_frame_ ? frames_->back().byte + frames_->back().bytes : at_;
        }
        part.resize(std::min<std::uint64_t>(end - at, std::uint64_t{1} << 20));
        const bool is_there = source_->read(at, part) == part.size();
        // Checked afterwards: bytes that were dropped meanwhile have been read as zeros.
        if (!is_there || (at >= head_end_ && !part.empty() && at < source_->first())) return std::nullopt;
        at += part.size();
        return std::string_view(reinterpret_cast<const char*>(part.data()), part.size());
    };
    return write_file_atomically(path, next);
}

std::optional<FileError> CaptureFile::decode(std::size_t index, CaptureFrame* frame) {
    const CaptureFrameEntry& entry = (*frames_)[index];
    decoder_.begin_frame(frame);
    std::uint64_t at = entry.byte, last = at;
    const std::uint64_t end = entry.byte + entry.bytes;
    while (at < end) {
        last = at;
        std::array<std::uint8_t, kChunkHeader> bytes{};
        const std::size_t got = source_->read(at, bytes);
        const auto header = header_of({bytes.data(), got});
        if (!header || at + kChunkHeader + header->bytes > end)
            return error_at(at, "the file has changed since it was opened");
        const bool wanted = header->is_known &&
                            (header->type == 'S' || header->type == 'E' || (header->type == 'T' && frame));
        if (wanted) {
            buffer_.resize(header->bytes);
            if (source_->read(at + kChunkHeader, buffer_) != buffer_.size())
                return error_at(at, "the file has changed since it was opened");
            const CaptureBytes body(buffer_, at + kChunkHeader);
            const auto problem = header->type == 'S'   ? decoder_.state(body)
                                 : header->type == 'E' ? decoder_.events(body)
                                                       : decoder_.tree(body);
            if (problem) return error_at(problem->byte, problem->what);
        }
        at += kChunkHeader + header->bytes;
    }
    // The end of the frame is its last chunk.
    decoder_.end_frame(entry.is_complete ? std::optional(entry.counts) : std::nullopt, last);
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
        decoder_ = CaptureDecoder(head_.margin);
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
