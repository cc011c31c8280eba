#include "io/meshes/process/mesh_exchange.hpp"

#include <exception>
#include <new>
#include <utility>

#include "io/meshes/mesh_import.hpp"

namespace lab::io::wire {

bool answer(std::string_view extension, std::string_view bytes, const Siblings& siblings, const Send& send) {
    float last = -1.0f;
    const auto progress = [&](float fraction) {
        if (fraction - last < 0.01f) return;
        last = fraction;
        send(encode_progress(fraction));
    };
    FileError failure{"", "", "reading it failed", kDamaged};
    try {
        std::vector<NeededFile> needs;
        const Result<MeshFile> file = import_mesh(extension, bytes, siblings, needs, progress);
        if (!needs.empty()) return send(encode_needs(needs));
        if (file) return send(encode_mesh(*file));
        failure = file.error();
    } catch (const std::bad_alloc&) {
        failure.what = kNoMemory;
    } catch (const std::exception&) {
        // The text of a parser's exception would not help the user.
    }
    return send(encode_failure(failure));
}

bool Received::take_frames(Parser& parser) {
    while (std::optional<Frame> frame = parser.next()) {
        switch (frame->kind) {
            case Kind::Progress: {
                const auto value = decode_progress(frame->payload);
                if (!value) return false;
                fraction = *value;
                break;
            }
            case Kind::Failure:
                failure = decode_failure(frame->payload);
                if (!failure) return false;
                break;
            case Kind::Mesh:
                mesh = decode_mesh(frame->payload);
                if (!mesh) return false;
                break;
            case Kind::Needs: {
                auto names = decode_needs(frame->payload);
                if (!names) return false;
                needs = std::move(*names);
                break;
            }
            case Kind::RefusedFences: {
                const auto fences = decode_refused_fences(frame->payload);
                if (!fences) return false;
                refused_fences = *fences;
                break;
            }
        }
    }
    return !parser.broken();
}

}  // namespace lab::io::wire
