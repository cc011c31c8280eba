// The settings of the scene capture.
#pragma once

#include <array>
#include <string>

#include "capture/samples/samples.hpp"
#include "scenes/files/capture_beside.hpp"
#include "settings/settings.hpp"

namespace lab::scenes {

inline constexpr Setting<int> kCaptureFrame{{
    .id = "capture.frame",
    .label = "Frame",
    .help = "Scene capture: the frame shown, by the engine's frame number; by its place from 0 if the last "
            "number is above 2147483647",
    .default_value = "0",
    .max = 2147483647,
    .remembered = false,
}};

inline constexpr Setting<bool> kCapturePlay{{
    .id = "capture.play",
    .label = "Play",
    .help = "Scene capture: play the frames in a loop",
    .default_value = "true",
    .remembered = false,
}};

inline constexpr Setting<float> kCaptureSpeed{{
    .id = "capture.speed",
    .label = "Frames per second",
    .help = "Scene capture: playback speed",
    .default_value = "30",
    .min = 0.1,
    .max = 600,
    .remembered = false,
}};

inline constexpr Setting<std::string> kCaptureFind{{
    .id = "capture.find",
    .label = "Find a body",
    .help = "Scene capture: an id or part of a name; matching bodies are marked and listed first. F frames "
            "them",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr Setting<std::string> kCaptureNode{{
    .id = "capture.node",
    .label = "Mark a node",
    .help = "Scene capture: the engine's id of a tree node to mark in every frame",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr std::array kBesideChoices = {Choice{"nothing", "Nothing", Beside::Nothing},
                                              Choice{"rebuilt", "Rebuilt, sweep SAH", Beside::Rebuilt},
                                              Choice{"binned", "Rebuilt, binned SAH", Beside::Binned},
                                              Choice{"agglomerative", "Agglomerative", Beside::Agglomerative},
                                              Choice{"inserted", "Inserted one by one", Beside::Inserted}};
inline constexpr Setting<Beside> kCaptureBeside{{
    .id = "capture.beside",
    .label = "Compare with",
    .help = "Scene capture: a tree built now over the same boxes; boxes inserted one by one follow the "
            "settings of the dynamic tree",
    .default_value = "nothing",
    .choices = kBesideChoices,
    .remembered = false,
}};

inline constexpr std::array kSampleChoices = {
    Choice{"sound", "Nothing wrong", capture::SampleKind::Sound},
    Choice{"sorted_row", "Sorted row", capture::SampleKind::SortedRow},
    Choice{"stretched", "Stretched leaves", capture::SampleKind::Stretched},
    Choice{"large_margin", "Margin too large", capture::SampleKind::LargeMargin},
    Choice{"small_margin", "Margin too small", capture::SampleKind::SmallMargin},
    Choice{"giant", "Giant box", capture::SampleKind::Giant},
    Choice{"mixed_clusters", "Mixed clusters", capture::SampleKind::MixedClusters},
    Choice{"refit_only", "Refits only", capture::SampleKind::RefitOnly},
    Choice{"shrunk_box", "Broken: a box too small", capture::SampleKind::ShrunkBox},
    Choice{"knot", "Broken: a cycle", capture::SampleKind::Knot},
    Choice{"lost_subtree", "Broken: orphans", capture::SampleKind::LostSubtree},
    Choice{"doubled_payload", "Broken: a body twice", capture::SampleKind::DoubledPayload},
    Choice{"slow_row", "Sorted row, slowly", capture::SampleKind::SlowRow},
    Choice{"busy", "Nothing wrong, though it looks bad", capture::SampleKind::Busy}};
inline constexpr Setting<capture::SampleKind> kCaptureSample{{
    .id = "capture.sample",
    .label = "Sample",
    .help = "Scene capture: the sample shown until a capture is opened, named after its fault",
    .default_value = "stretched",
    .choices = kSampleChoices,
    .remembered = false,
}};

inline constexpr Setting<bool> kCaptureOwn{{
    .id = "capture.own_sample",
    .label = "Own sample",
    .help = "Scene capture: show the sample even while captures are open; opening or choosing one turns this "
            "off",
    .default_value = "false",
    .remembered = false,
}};

}  // namespace lab::scenes
