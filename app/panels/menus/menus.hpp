// The contents of the menus: a table of labels and command lines, independent of ImGui, so that a test can
// check that every line is a known command.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "settings/settings.hpp"

namespace lab::panels {

/// What a row needs. Desktop: a program that can listen to other programs and quit, which a browser page
/// cannot.
enum class Needs : unsigned char { Nothing, Body, Desktop, Site };

/// A row of a menu. An empty line is a separator; a line that ends in a blank needs an argument.
struct MenuItem {
    std::string_view menu;
    std::string_view label = {};
    std::string_view command = {};
    const SettingSpec* toggles = nullptr;  ///< Instead of `command`: the setting that it toggles.
    Needs needs = Needs::Nothing;

    [[nodiscard]] std::string line() const;
};

[[nodiscard]] std::span<const std::string_view> menu_names();
[[nodiscard]] std::span<const MenuItem> menu_items();
/// The keys that push exactly this line; empty when there are none.
[[nodiscard]] std::string shortcut_for_line(std::string_view line);

}  // namespace lab::panels
