#include "session/time/effects.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "session/commands.hpp"

namespace lab {
namespace {

struct Rule {
    std::string_view name;  ///< An id, or the beginning of several that ends with a dot.
    Effect effect;
};

constexpr std::array kCommandRules = {
    Rule{"camera.", Effect::View},       Rule{"view.size", Effect::View},  Rule{"pick", Effect::View},
    Rule{"hover", Effect::View},         Rule{"ray.", Effect::View},       Rule{"select", Effect::View},
    Rule{"select.", Effect::View},       Rule{"pick.", Effect::View},      Rule{"tree.isolate", Effect::View},
    Rule{"copy", Effect::View},          Rule{"edit.", Effect::View},      Rule{"menu", Effect::Outside},
    Rule{"hide", Effect::View},          Rule{"show", Effect::View},       Rule{"isolate", Effect::View},
    Rule{"back", Effect::View},          Rule{"scene", Effect::Outside},   Rule{"restart", Effect::Outside},
    Rule{"open", Effect::Outside},       Rule{"pause", Effect::Outside},   Rule{"step", Effect::Outside},
    Rule{"speed", Effect::Outside},      Rule{"time.", Effect::Outside},   Rule{"record.", Effect::Outside},
    Rule{"screenshot", Effect::Outside}, Rule{"report", Effect::Outside},  Rule{"clip", Effect::Outside},
    Rule{"lesson", Effect::Outside},     Rule{"lesson.", Effect::Outside}, Rule{"help", Effect::Outside},
    Rule{"scene.step", Effect::View},    Rule{"jobs.", Effect::Outside},   Rule{"palette", Effect::Outside},
    Rule{"quit", Effect::Outside},       Rule{"save", Effect::Outside},    Rule{"save.", Effect::Outside},
    Rule{"export.", Effect::Outside},
};

constexpr std::array kSettingRules = {
    Rule{"draw.", Effect::View},         Rule{"ray.", Effect::View},
    Rule{"spawn.", Effect::View},        Rule{"ui.", Effect::Outside},
    Rule{"sim.paused", Effect::Outside}, Rule{"sim.speed", Effect::Outside},
    Rule{"time.", Effect::Outside},      Rule{"pick.", Effect::View},
    Rule{"bvh.builder", Effect::View},   Rule{"bvh.rival", Effect::View},
    Rule{"bvh.level", Effect::View},     Rule{"obbtree.kind", Effect::View},
    Rule{"obbtree.level", Effect::View},
};

template <class Rules>
Effect look_up(const Rules& rules, std::string_view id) {
    for (const Rule& rule : rules)
        if (rule.name.ends_with('.') ? id.starts_with(rule.name) : id == rule.name) return rule.effect;
    return Effect::World;
}

}  // namespace

Effect effect_of_setting(std::string_view id) {
    return look_up(kSettingRules, id);
}

Effect effect_of_line(std::string_view line) {
    std::string error;
    const auto words = split_words(line, error);
    if (!words || words->empty()) return Effect::Outside;  // refused before it changes anything
    const std::string& id = words->front();
    const bool on_setting = id == "set" || id == "toggle" || id == "reset";
    if (!on_setting) return look_up(kCommandRules, id);
    if (words->size() < 2) return Effect::Outside;
    const std::string_view name = std::string_view((*words)[1]);
    return effect_of_setting(name.substr(0, name.find('=')));
}

}  // namespace lab
