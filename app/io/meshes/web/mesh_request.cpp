#include "io/meshes/web/mesh_request.hpp"

#include <cstdint>
#include <cstring>

namespace lab::io {
namespace {

void add(std::string& to, std::string_view part) {
    const std::uint64_t size = part.size();
    to.append(reinterpret_cast<const char*>(&size), sizeof size);
    to.append(part);
}

std::string_view take(std::string_view& from) {
    std::uint64_t size = 0;
    std::memcpy(&size, from.data(), sizeof size);
    const std::string_view part = from.substr(sizeof size, static_cast<std::size_t>(size));
    from.remove_prefix(sizeof size + part.size());
    return part;
}

}  // namespace

std::string mesh_request(std::string_view extension, std::string_view bytes, const Siblings& siblings) {
    std::string request;
    add(request, extension);
    add(request, bytes);
    for (const auto& [name, sibling] : siblings) {
        add(request, name);
        add(request, sibling);
    }
    return request;
}

void answer_mesh_request(std::string_view request, const wire::Send& send) {
    const std::string_view extension = take(request), bytes = take(request);
    Siblings siblings;
    while (!request.empty()) {
        const std::string name(take(request));
        siblings.emplace(name, take(request));
    }
    wire::answer(extension, bytes, siblings, send);
}

}  // namespace lab::io
