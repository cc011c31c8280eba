// What a command means for the record of time: whether it is written to the tape, and whether it ends the
// recorded future when it is given while looking at the past.
#pragma once

#include <string_view>

namespace lab {

enum class Effect : unsigned char {
    World,    ///< Changes what happens. Recorded; in the past it ends the future that was recorded.
    View,     ///< Changes what is seen. Recorded; in the past it belongs to the onlooker alone.
    Outside,  ///< Changes neither, or begins another scene and with it another record. Not recorded.
};

/// Of a whole command line. A command that nobody has classified changes the world.
Effect effect_of_line(std::string_view line);
/// Of changing a setting.
Effect effect_of_setting(std::string_view id);

}  // namespace lab
