// How a command or a change of a setting affects a session, for the record of time and for undo.
#pragma once

namespace lab {

enum class Effect : unsigned char {
    World,    ///< Changes what happens. Recorded; in the past it erases the recorded future.
    View,     ///< Changes the view. Recorded; while rewound it affects only the viewer.
    Outside,  ///< Changes neither, or begins another scene and with it another record. Not recorded.
};

}  // namespace lab
