// What commands ask of the program around the sandbox: files to write, windows to open.
#pragma once

#include <cstddef>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

namespace lab {

/// A tree of the results that is to be written to a file, or what is in it, or its numbers.
struct TreeFileRequest {
    enum class What : unsigned char { Boxes, Snapshot, Structure, Metrics };
    What what = What::Boxes;
    std::string path;
    std::string tree;  ///< Its id; empty: the first that has nodes. Metrics: empty means all.
};

/// One picture per frame into a folder.
struct ClipRequest {
    std::string folder;
    int frames = 1;
};

/// What a command asks of the lesson that is open.
struct LessonRequest {
    enum class What : unsigned char { Open, Next, Back, Page, Show, Close };
    What what = What::Open;
    std::string id;        ///< Open.
    std::size_t page = 0;  ///< Page: from 1 on.
};

/// Things that a command asked for and that only the program around the sandbox can do.
struct OutsideRequests {
    std::optional<std::string> palette;    ///< Open the command palette with this text.
    std::optional<glm::vec2> menu;         ///< Open the menu of the selection at this pixel of the window.
    std::vector<std::string> screenshots;  ///< Files to write after this frame is drawn.
    std::vector<std::string> reports;
    std::vector<TreeFileRequest> tree_files;
    std::vector<std::string> scenes;  ///< To be saved.
    std::optional<ClipRequest> clip;
    std::vector<LessonRequest> lessons;
    bool quit = false;
};

}  // namespace lab
