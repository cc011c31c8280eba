#include "platform/web/canvas_events.hpp"

namespace lab::platform {
namespace {

Key key_named(std::string_view name) {
    for (std::size_t i = 1; i < static_cast<std::size_t>(Key::Count); ++i)
        if (key_name(static_cast<Key>(i)) == name) return static_cast<Key>(i);
    return Key::Unknown;
}

Key key_from_character(char c) {
    if (c == ' ') return Key::Space;
    const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return key_named({&upper, 1});
}

struct Named {
    std::string_view name;
    Key key;
};

constexpr Named kNamed[] = {
    {"Escape", Key::Escape},       {"ArrowLeft", Key::Left},  {"ArrowRight", Key::Right},
    {"ArrowUp", Key::Up},          {"ArrowDown", Key::Down},  {"Delete", Key::Delete},
    {"Insert", Key::Insert},       {"PageUp", Key::PageUp},   {"PageDown", Key::PageDown},
    {"Shift", Key::Shift},         {"Control", Key::Control}, {"Alt", Key::Alt},
    {"Meta", Key::Super},          {"Enter", Key::Enter},     {"Tab", Key::Tab},
    {"Backspace", Key::Backspace}, {"Home", Key::Home},       {"End", Key::End},
};

constexpr Named kPlaces[] = {
    {"Comma", Key::Comma},
    {"Period", Key::Period},
    {"Slash", Key::Slash},
    {"Backslash", Key::Backslash},
    {"Semicolon", Key::Semicolon},
    {"Quote", Key::Apostrophe},
    {"Backquote", Key::Grave},
    {"Minus", Key::Minus},
    {"Equal", Key::Equal},
    {"BracketLeft", Key::LeftBracket},
    {"BracketRight", Key::RightBracket},
};

}  // namespace

Key key_from_browser(std::string_view key, std::string_view code) {
    if (key.size() == 1)
        if (const Key found = key_from_character(key.front()); found != Key::Unknown) return found;
    for (const auto& [name, found] : kNamed)
        if (key == name) return found;
    if (key.size() > 1 && key.front() == 'F')
        if (const Key found = key_named(key); found != Key::Unknown) return found;
    if (code.size() == 4 && code.starts_with("Key")) return key_from_character(code.back());
    if (code.size() == 6 && code.starts_with("Digit")) return key_from_character(code.back());
    for (const auto& [name, found] : kPlaces)
        if (code == name) return found;
    return Key::Unknown;
}

Mods mods_from_bits(int bits) {
    return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
}

}  // namespace lab::platform
