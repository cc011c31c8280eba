// Settings of the window, of time, and of the session as a whole.
#pragma once

#include <array>
#include <cstddef>

#include "settings/settings.hpp"

namespace lab {

enum class Theme : unsigned char { Dark, Light };
/// The qualities that the renderer offers.
enum class DrawQuality : unsigned char { Auto, Fast, Best };
/// The measure by which a node of a tree is judged to be bad.
enum class NodeMeasure : unsigned char { Overlap, SahShare, Balance, DeadSpace, Fatness, Visits };

enum class Arrangement : unsigned char { BySize, Around, Sheet, Knobs };

/// The panel shown in a small window.
enum class Sheet : unsigned char { Lesson, Scenes, Settings, Results, None };

inline constexpr Setting<bool> kSimPaused{{
    .id = "sim.paused",
    .label = "Paused",
    .help = "Stop time; `step` still advances it",
    .default_value = "false",
    .remembered = false,
    .effect = Effect::Outside,
}};

inline constexpr Setting<float> kSimSpeed{{
    .id = "sim.speed",
    .label = "Speed",
    .help = "Simulated seconds per second",
    .default_value = "1",
    .max = 10,
    .unit = "×",
    .remembered = false,
    .effect = Effect::Outside,
}};

inline constexpr std::array kUiThemeChoices = {Choice{"dark", "Dark", Theme::Dark},
                                               Choice{"light", "Light", Theme::Light}};
inline constexpr Setting<Theme> kUiTheme{{
    .id = "ui.theme",
    .label = "Theme",
    .help = "Dark or light colors",
    .default_value = "dark",
    .choices = kUiThemeChoices,
    .effect = Effect::Outside,
    .is_of_window = true,
}};

inline constexpr std::array kUiQualityChoices = {Choice{"auto", "Automatic", DrawQuality::Auto},
                                                 Choice{"fast", "Fast", DrawQuality::Fast},
                                                 Choice{"best", "Best", DrawQuality::Best}};
inline constexpr Setting<DrawQuality> kUiQuality{{
    .id = "ui.quality",
    .label = "Quality",
    .help = "Best smooths edges and draws lines at their width; automatic is fast in a window without a GPU",
    .default_value = "auto",
    .choices = kUiQualityChoices,
    .effect = Effect::Outside,
    .is_of_window = true,
}};

inline constexpr Setting<bool> kUiPanels{{
    .id = "ui.panels",
    .label = "Panels",
    .help = "Show the panels",
    .default_value = "true",
    .effect = Effect::Outside,
    .is_of_window = true,
    .keys = {{{"Tab", "", "Panels"}}},
}};

inline constexpr Setting<bool> kUiLegend{{
    .id = "ui.legend",
    .label = "Legend",
    .help = "Show what each color means",
    .default_value = "true",
    .effect = Effect::Outside,
    .is_of_window = true,
}};

inline constexpr Setting<bool> kUiHelp{{
    .id = "ui.help",
    .label = "Help",
    .help = "Show the list of keys and commands",
    .default_value = "false",
    .remembered = false,
    .effect = Effect::Outside,
    .is_of_window = true,
    .keys = {{{"F1", "", "This list"}, {"?", "", "This list"}}},
}};

inline constexpr Setting<float> kUiLeft{{
    .id = "ui.left",
    .label = "Left panel",
    .help = "Width of the left panel, in text heights; its edge can be dragged",
    .default_value = "16.5",
    .min = 10,
    .max = 40,
    .effect = Effect::Outside,
    .is_of_window = true,
}};

inline constexpr Setting<float> kUiRight{{
    .id = "ui.right",
    .label = "Right panel",
    .help = "Width of the right panel, in text heights",
    .default_value = "20",
    .min = 12,
    .max = 45,
    .effect = Effect::Outside,
    .is_of_window = true,
}};

inline constexpr Setting<float> kUiBottom{{
    .id = "ui.bottom",
    .label = "Bottom panel",
    .help = "Height of the bottom panel, in text heights of a window of usual height",
    .default_value = "12.5",
    .min = 5,
    .max = 40,
    .effect = Effect::Outside,
    .is_of_window = true,
}};

inline constexpr std::array kUiLayoutChoices = {
    Choice{"auto", "Automatic, by window size", Arrangement::BySize},
    Choice{"around", "Around the view", Arrangement::Around},
    Choice{"sheet", "One at a time", Arrangement::Sheet},
    Choice{"knobs", "Scene settings only", Arrangement::Knobs}};
inline constexpr Setting<Arrangement> kUiLayout{{
    .id = "ui.layout",
    .label = "Arrangement",
    .help = "Panels around the view, one panel at a time, or only the scene's own settings",
    .default_value = "auto",
    .choices = kUiLayoutChoices,
    .effect = Effect::Outside,
    .is_of_window = true,
}};

inline constexpr std::array kUiSheetChoices = {
    Choice{"lesson", "Current lesson", Sheet::Lesson}, Choice{"scenes", "Scenes", Sheet::Scenes},
    Choice{"settings", "Settings", Sheet::Settings}, Choice{"results", "Results", Sheet::Results},
    Choice{"none", "Nothing", Sheet::None}};
inline constexpr Setting<Sheet> kUiSheet{{
    .id = "ui.sheet",
    .label = "Open panel",
    .help = "Which panel is open where only one fits",
    .default_value = "lesson",
    .choices = kUiSheetChoices,
    .remembered = false,
    .effect = Effect::Outside,
    .is_of_window = true,
}};

inline constexpr Setting<float> kUiSheetSize{{
    .id = "ui.sheet_size",
    .label = "Size of the single panel",
    .help = "Height or width of the panel in a small window, in text heights; its edge can be dragged",
    .default_value = "26",
    .min = 10,
    .max = 60,
    .effect = Effect::Outside,
    .is_of_window = true,
}};

inline constexpr Setting<float> kUiScale{{
    .id = "ui.scale",
    .label = "Text size",
    .help = "Size of text and panels; 1 suits the monitor",
    .default_value = "1",
    .min = 0.5,
    .max = 3,
    .effect = Effect::Outside,
    .is_of_window = true,
}};

inline constexpr std::array kNodeMeasureChoices = {
    Choice{"overlap", "Sibling overlap", NodeMeasure::Overlap},
    Choice{"sah", "Share of the SAH cost", NodeMeasure::SahShare},
    Choice{"balance", "Height difference", NodeMeasure::Balance},
    Choice{"dead-space", "Dead space", NodeMeasure::DeadSpace},
    Choice{"fatness", "Leaf fatness", NodeMeasure::Fatness},
    Choice{"visits", "Visits by random rays", NodeMeasure::Visits},
};
inline constexpr Setting<NodeMeasure> kUiWorstBy{{
    .id = "ui.worst_by",
    .label = "Rank by",
    .help = "The measure by which the nodes of a tree are ranked",
    .default_value = "overlap",
    .choices = kNodeMeasureChoices,
    .remembered = false,
    .effect = Effect::Outside,
    .is_of_window = true,
}};

inline constexpr Setting<int> kWorldSeed{{
    .id = "world.seed",
    .label = "Seed",
    .help = "Seed of the random numbers; takes effect when the scene restarts",
    .default_value = "1",
    .max = 2147483647,
    .remembered = false,
}};

inline constexpr Setting<bool> kVerify{{
    .id = "verify",
    .label = "Verify",
    .help = "Compare every pair and hit with brute force in every frame",
    .default_value = "false",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr Setting<std::string> kLessonsDone{{
    .id = "lessons.done",
    .label = "Finished lessons",
    .help = "The lessons whose tasks are all done, by id",
    .default_value = "",
    .effect = Effect::Outside,
    .is_of_window = true,
}};

inline constexpr const SettingSpec* kTimeSettings[] = {&kSimPaused, &kSimSpeed};
inline constexpr const SettingSpec* kWindowSettings[] = {
    &kUiTheme,  &kUiQuality, &kUiPanels, &kUiLegend,    &kUiHelp,  &kUiLeft,   &kUiRight,
    &kUiBottom, &kUiLayout,  &kUiSheet,  &kUiSheetSize, &kUiScale, &kUiWorstBy};
/// How many files the browser offers again, and the preferences keep.
inline constexpr std::size_t kMaxRecentFiles = 8;
inline constexpr Setting<std::string> kRecentFiles{{
    .id = "files.recent",
    .label = "Recent files",
    .help = "The files opened last, separated by |",
    .default_value = "",
    .effect = Effect::Outside,
    .is_of_window = true,
}};

/// Kept for the user, and in no panel of settings.
inline constexpr const SettingSpec* kProgressSettings[] = {&kLessonsDone, &kRecentFiles};
inline constexpr const SettingSpec* kSessionSettings[] = {&kWorldSeed, &kVerify};

}  // namespace lab
