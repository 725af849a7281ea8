#include "abut/run/step_record.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace abut {

namespace {

using nlohmann::json;

constexpr std::array<std::pair<const char*, double SolveTimes::*>, 7> phases{
    {{"update", &SolveTimes::update},
     {"evaluate", &SolveTimes::evaluate},
     {"assemble", &SolveTimes::assemble},
     {"symbolic", &SolveTimes::symbolic},
     {"factorize", &SolveTimes::factorize},
     {"guard", &SolveTimes::guard},
     {"line_search", &SolveTimes::line_search}}};

constexpr std::array<std::pair<const char*, double Balance::*>, 9> energies{
    {{"kinetic", &Balance::kinetic},
     {"elastic", &Balance::elastic},
     {"contact", &Balance::contact},
     {"gravity", &Balance::gravity},
     {"script_work", &Balance::script_work},
     {"friction_loss", &Balance::friction_loss},
     {"damping_loss", &Balance::damping_loss},
     {"plastic_loss", &Balance::plastic_loss},
     {"gain", &Balance::gain}}};

json vector_to_json(const Vec3& vector) { return {vector.x(), vector.y(), vector.z()}; }

/// A number, or null where it is not finite.
json finite_to_json(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }

/// Does a line of the statistics have a step, and the types that a record relies on?
bool is_step(const json& line)
{
    if (!line.is_object() || !line.contains("step") || !line["step"].is_number_integer())
        return false;
    constexpr std::int64_t most_steps = 1'000'000'000;
    if (const auto step = line["step"].get<std::int64_t>(); step < 0 || step > most_steps)
        return false;
    const auto all = [](const json& list, auto&& is_good) { return std::all_of(list.begin(), list.end(), is_good); };
    const auto is_number = [](const json& value) { return value.is_number(); };
    const auto is_force = [](const json& force) {
        return force.is_object() && force.contains("on") && force["on"].is_string() && force.contains("by") &&
               force["by"].is_string();
    };
    for (const auto& [key, value] : line.items()) {
        if ((key == "time" || key == "iterations" || key == "contacts") && !value.is_number())
            return false;
        if ((key == "outcome" || key == "message") && !value.is_string())
            return false;
        if (key == "seconds" && !(value.is_object() && all(value, is_number)))
            return false;
        if (key == "forces" && value.is_array() && !all(value, is_force))
            return false;
    }
    return true;
}

/// The value of a key; null where there is none.
const json& value_at(const json& object, const char* key)
{
    static const json nothing;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() ? *found : nothing;
}

double number_at(const json& object, const char* key, double otherwise = NAN)
{
    const json& value = value_at(object, key);
    return value.is_number() ? value.get<double>() : otherwise;
}

std::int64_t count_at(const json& object, const char* key)
{
    constexpr double most = 1e15; // exact as a double
    return static_cast<std::int64_t>(std::clamp(number_at(object, key, 0), 0.0, most));
}

/// Components that are not there are `otherwise`.
Vec3 vector_at(const json& object, const char* key, double otherwise)
{
    Vec3 vector = Vec3::Constant(otherwise);
    const json& list = value_at(object, key);
    if (list.is_array())
        for (std::size_t axis = 0; axis < std::min<std::size_t>(3, list.size()); ++axis)
            if (list[axis].is_number())
                vector[static_cast<Eigen::Index>(axis)] = list[axis].get<double>();
    return vector;
}

} // namespace

namespace {

std::int64_t count_of(const StepReport& report, bool (*is_counted)(const IterationRecord&))
{
    return std::count_if(report.iterations.begin(), report.iterations.end(), is_counted);
}

} // namespace

StepRecord record_of(const StepReport& report, const BodyNames& names)
{
    StepRecord record{
        .step = report.step,
        .time = report.time,
        .outcome = std::string(to_string(report.outcome)),
        .message = report.outcome == Outcome::converged ? "" : report.message,
        .limiting_vertices = report.outcome == Outcome::converged ? std::vector<int>() : report.limiting_vertices,
        .iterations = static_cast<std::int64_t>(report.iterations.size()),
        .cut_by_guard = count_of(report, [](const IterationRecord& each) { return each.guard_scale < 1; }),
        .cut_by_line_search = count_of(
            report,
            [](const IterationRecord& each) {
                return each.step_length > 0 && each.line_search_scale < each.guard_scale;
            }),
        .linear_iterations = report.num_linear_iterations(),
        .linear_fallbacks = report.num_linear_fallbacks(),
        .linear = report.linear_method(),
        .detections = report.num_detections,
        .substeps = report.num_substeps,
        .retries = report.num_retries,
        .relative_residual = report.relative_residual,
        .lags = report.num_lags,
        .lag_residual = report.lag_residual,
        .residual = report.residual(),
        .contacts = static_cast<std::int64_t>(report.num_contacts),
        .smallest_distance = report.smallest_distance,
        .stiffness = report.stiffness,
        .script_lag = report.script_lag,
        .balance = report.balance,
        .forces = {},
        .times = report.times};
    for (const BodyForce& force : report.forces)
        record.forces.push_back(
            {names.body(force.body), names.body(force.other), force.contact, force.friction, force.adhesion,
             force.bonded_area});
    if (report.verification.is_checked)
        record.verified = report.verification;
    return record;
}

std::string to_json_line(const StepRecord& record)
{
    json line{
        {"step", record.step},
        {"time", record.time},
        {"outcome", record.outcome},
        {"iterations", record.iterations},
        {"cut_by_guard", record.cut_by_guard},
        {"cut_by_line_search", record.cut_by_line_search},
        {"linear_iterations", record.linear_iterations},
        {"detections", record.detections},
        {"residual", finite_to_json(record.residual)},
        {"contacts", record.contacts},
        {"smallest_distance", finite_to_json(record.smallest_distance)},
        {"stiffness", record.stiffness},
        {"script_lag", record.script_lag},
        {"momentum", vector_to_json(record.balance.momentum)},
        {"momentum_defect", record.balance.momentum_defect},
        {"forces", json::array()}};
    for (const auto& [name, member] : energies)
        line["energy"][name] = record.balance.*member;
    for (const auto& [name, member] : phases)
        line["seconds"][name] = record.times.*member;
    for (const ForceRecord& force : record.forces) {
        json& entry = line["forces"].emplace_back(json{
            {"on", force.on},
            {"by", force.by},
            {"contact", vector_to_json(force.contact)},
            {"friction", vector_to_json(force.friction)}});
        if (force.is_bonded()) {
            entry["adhesion"] = vector_to_json(force.adhesion);
            entry["bonded_area"] = force.bonded_area;
        }
    }
    if (std::isfinite(record.relative_residual))
        line["relative_residual"] = record.relative_residual;
    if (std::isfinite(record.lag_residual)) {
        line["lags"] = record.lags;
        line["lag_residual"] = record.lag_residual;
    }
    if (record.substeps != 1 || record.retries != 0) {
        line["substeps"] = record.substeps;
        line["retries"] = record.retries;
    }
    if (!record.linear.empty())
        line["linear"] = record.linear;
    if (record.linear_fallbacks != 0)
        line["linear_fallbacks"] = record.linear_fallbacks;
    if (!record.is_converged())
        line["message"] = record.message;
    if (!record.limiting_vertices.empty())
        line["limiting_vertices"] = record.limiting_vertices;
    if (record.verified)
        line["verification"] = {
            {"intersections", record.verified->num_intersections},
            {"inverted", record.verified->num_inverted},
            {"smallest_distance", finite_to_json(record.verified->smallest_distance)}};
    return line.dump();
}

std::optional<StepRecord> parse_record(std::string_view text)
{
    const json line = json::parse(text, nullptr, false);
    if (!is_step(line))
        return std::nullopt;
    StepRecord record;
    record.step = line["step"].get<int>();
    record.time = number_at(line, "time", 0);
    record.outcome = line.value("outcome", "converged");
    record.message = line.value("message", "");
    if (const json& vertices = value_at(line, "limiting_vertices"); vertices.is_array())
        for (const json& vertex : vertices)
            if (vertex.is_number_integer())
                record.limiting_vertices.push_back(vertex.get<int>());
    record.iterations = count_at(line, "iterations");
    record.linear_iterations = count_at(line, "linear_iterations");
    record.cut_by_guard = count_at(line, "cut_by_guard");
    record.cut_by_line_search = count_at(line, "cut_by_line_search");
    record.linear_fallbacks = count_at(line, "linear_fallbacks");
    if (const json& linear = value_at(line, "linear"); linear.is_string())
        record.linear = linear.get<std::string>();
    record.detections = count_at(line, "detections");
    record.substeps = line.contains("substeps") ? count_at(line, "substeps") : 1;
    record.retries = count_at(line, "retries");
    record.relative_residual = number_at(line, "relative_residual");
    record.lags = count_at(line, "lags");
    record.lag_residual = number_at(line, "lag_residual");
    record.residual = number_at(line, "residual");
    record.contacts = count_at(line, "contacts");
    record.smallest_distance = number_at(line, "smallest_distance", INFINITY);
    record.stiffness = number_at(line, "stiffness");
    record.script_lag = number_at(line, "script_lag");
    const json& energy = value_at(line, "energy");
    for (const auto& [name, member] : energies)
        record.balance.*member = number_at(energy, name);
    record.balance.momentum = vector_at(line, "momentum", NAN);
    record.balance.momentum_defect = number_at(line, "momentum_defect");
    if (const json& forces = value_at(line, "forces"); forces.is_array())
        for (const json& force : forces)
            record.forces.push_back(
                {force["on"], force["by"], vector_at(force, "contact", 0), vector_at(force, "friction", 0),
                 vector_at(force, "adhesion", 0), number_at(force, "bonded_area", 0)});
    if (line.contains("verification")) {
        const json& found = line["verification"];
        record.verified = {
            .is_checked = true,
            .num_intersections = count_at(found, "intersections"),
            .smallest_distance = number_at(found, "smallest_distance", INFINITY),
            .num_inverted = static_cast<int>(std::min<std::int64_t>(count_at(found, "inverted"), 1 << 30))};
    }
    for (const auto& [name, member] : phases)
        record.times.*member = number_at(value_at(line, "seconds"), name, 0);
    return record;
}

} // namespace abut
