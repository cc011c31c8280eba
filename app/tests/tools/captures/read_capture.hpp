// Reads all that can be read of a capture that may be damaged.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/captures/capture_file.hpp"
#include "io/captures/capture_tree.hpp"

namespace lab::test {

/// Reads everything of a file: opens it, reads each frame, makes each tree a snapshot. Returns the number of
/// frames that could be read.
inline std::size_t read_all(const std::vector<std::uint8_t>& bytes) {
    auto file = io::CaptureFile::from_bytes(bytes, "damaged.bvcap");
    if (!file) {
        EXPECT_NE(file.error().text().find("damaged.bvcap"), std::string::npos);
        return 0;
    }
    std::size_t good = 0;
    for (std::size_t i = 0; i < file->frames().size(); ++i) {
        const auto frame = file->frame(i);
        if (!frame) {
            EXPECT_NE(frame.error().where.find("byte "), std::string::npos) << frame.error().text();
            continue;
        }
        ++good;
        for (const io::CaptureTree& tree : frame->trees) {
            const io::CaptureSnapshot snapshot = io::snapshot_of(tree, frame->proxies, 100);
            for (const io::CaptureDefect& defect : snapshot.defects)
                EXPECT_FALSE(io::defect_text(defect).empty());
        }
    }
    return good;
}

}  // namespace lab::test
