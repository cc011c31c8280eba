// The state of a session as the report of DESIGN section 9.
#pragma once

#include "io/sessions/report.hpp"
#include "session/session.hpp"

namespace lab {

/// What the last step found out. Everything but the members in milliseconds repeats bit for bit for the same
/// commands. Tree measures include EPO, which takes up to quadratic time.
io::Report make_report(const Session& session, std::string_view version);
/// The numbers of every tree that is drawn, then of those that are only compared.
std::vector<io::ReportTree> report_trees(const Session& session);

}  // namespace lab
