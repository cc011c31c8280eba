// Makes the report of a session; its fields are in io/sessions/report.hpp.
#pragma once

#include "io/sessions/report.hpp"
#include "session/session.hpp"

namespace lab {

/// The results of the last step. Everything except the members in milliseconds is repeatable bit for bit.
/// Tree metrics include EPO, which takes up to quadratic time.
io::Report make_report(const Session& session, std::string_view version);
/// The metrics of every drawn tree, then of those that are only compared.
std::vector<io::ReportTree> report_trees(const Session& session);

}  // namespace lab
