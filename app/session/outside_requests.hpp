// Requests of commands to the program around the session: files to write, windows to open.
#pragma once

#include <cstddef>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

namespace lab {

/// A tree of the results to write to a file: its boxes, its structure, or its metrics.
struct TreeFileRequest {
    enum class What : unsigned char { Boxes, Snapshot, Structure, Metrics };
    What what = What::Boxes;
    std::string path;
    std::string tree;  ///< Id; empty: the first with nodes, or for metrics all.
};

/// One picture per frame, written to a folder.
struct ClipRequest {
    std::string folder;
    int frames = 1;
};

/// A request to the open lesson.
struct LessonRequest {
    enum class What : unsigned char { Open, Resume, Next, Back, Page, Show, Close };
    What what = What::Open;
    std::string id;                      ///< Open, Resume.
    std::size_t page = 0;                ///< Resume, Page: from 1.
    std::string line = {}, origin = {};  ///< Of the command, for a refusal.
};

/// Requests that only the program around the session can fulfill.
struct OutsideRequests {
    std::optional<std::string> palette;    ///< Open the command palette with this text.
    std::optional<glm::vec2> menu;         ///< Open the menu of the selection at this pixel of the window.
    std::vector<std::string> screenshots;  ///< Files to write after this frame is drawn.
    std::vector<std::string> reports;
    std::vector<TreeFileRequest> tree_files;
    std::vector<std::string> scenes;    ///< Files to save scenes to.
    std::vector<std::string> captures;  ///< Files to save the newest capture to.
    std::optional<ClipRequest> clip;
    std::vector<LessonRequest> lessons;
    /// Lines of links that were opened in this session: their settings are not the user's own.
    std::vector<std::string> linked;
    bool link = false;         ///< Copy a link to what this frame shows.
    bool full_screen = false;  ///< Fill the screen, or return to the window.
    bool site = false;         ///< Open the site around the page.
    bool quit = false;
};

}  // namespace lab
