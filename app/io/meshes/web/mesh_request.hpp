// What a worker of the page is given to read a mesh, and how it answers.
#pragma once

#include <string>
#include <string_view>

#include "io/meshes/process/mesh_exchange.hpp"

namespace lab::io {

/// The bytes of a mesh's file and of those beside it, for `answer_mesh_request`.
std::string mesh_request(std::string_view extension, std::string_view bytes, const Siblings& siblings);

/// Sends the frames of io::wire. Precondition: `mesh_request` made the request.
void answer_mesh_request(std::string_view request, const wire::Send& send);

}  // namespace lab::io
