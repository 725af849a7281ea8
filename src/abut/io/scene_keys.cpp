#include "abut/io/scene_keys.hpp"

#include "abut/base/assert.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/sim/integrator.hpp"
#include "abut/solver/linear_solvers.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace abut {

namespace {

constexpr JsonObject::Range count_from(int least) { return {.at_least = double(least), .at_most = max_scene_count}; }

std::vector<SceneKey> first_keys()
{
    const Scene scene;
    return {
        {.path = "format",
         .type = KeyType::integer,
         .range = {.at_least = 1, .at_most = scene_format},
         .is_required = true,
         .meaning = "The version of this format."},
        {.path = "$schema",
         .type = KeyType::string,
         .fallback_words = "none",
         .meaning = "Where editors find the schema of scenes; ignored by Abut."},
        {.path = "name", .type = KeyType::string, .fallback_words = "the file's name", .meaning = "For people."},
        {.path = "gravity",
         .type = KeyType::vector,
         .unit = "m/s²",
         .fallback = {0, scene.gravity.y(), 0},
         .meaning = "Acceleration of everything that is free."},
        {.path = "objects",
         .type = KeyType::objects,
         .is_required = true,
         .meaning = "Bodies and obstacles, at least one."},
        {.path = "planes",
         .type = KeyType::objects,
         .fallback_words = "none",
         .meaning = "Half-spaces that bodies stay out of, on the side of the normal."},
        {.path = "planes[].point",
         .type = KeyType::vector,
         .unit = "m",
         .fallback = {0, 0, 0},
         .meaning = "A point of the plane."},
        {.path = "planes[].normal",
         .type = KeyType::vector,
         .fallback = {0, 1, 0},
         .meaning = "Points to the side where bodies are; of any length but 0."},
        {.path = "planes[].material",
         .type = KeyType::object,
         .fallback_words = "none",
         .meaning = "Its surface, for friction and adhesion."},
        {.path = "planes[].material.name",
         .type = KeyType::string,
         .fallback_words = "none",
         .meaning = "By which `contact.pairs` call it."},
        {.path = "planes[].material.mu",
         .range = JsonObject::not_negative(),
         .fallback_words = "`contact.friction.mu`",
         .meaning = "Friction of its surface, [blended](friction.md#in-scenes) with that of what touches it."},
        {.path = "planes[].material.mu_k",
         .range = JsonObject::not_negative(),
         .fallback_words = "`mu`",
         .meaning = "The same, kinetic; needs `mu` beside it."},
        {.path = "scripts",
         .type = KeyType::objects,
         .fallback_words = "none",
         .meaning = "Vertices that are held or moved."},
        {.path = "stitches",
         .type = KeyType::objects,
         .fallback_words = "none",
         .meaning = "[Springs between vertices](loads.md#stitches)."},
        {.path = "contact", .type = KeyType::object, .meaning = "How bodies keep apart."},
        {.path = "time", .type = KeyType::object, .meaning = "Steps of time."},
        {.path = "solver", .type = KeyType::object, .meaning = "How a step is solved."},
        {.path = "output", .type = KeyType::object, .meaning = "What is written."},
        {.path = "output.every",
         .type = KeyType::integer,
         .range = count_from(1),
         .fallback = scene.frame_every,
         .meaning = "Steps per frame."},
        {.path = "output.pieces",
         .type = KeyType::integer,
         .range = {.at_least = 0, .at_most = 1000},
         .fallback = scene.frame_pieces,
         .meaning = "0: a frame is one `.vtu` file. Otherwise it is this number of `.vtu` "
                    "[pieces](#frames-in-pieces) and a `.pvtu` file "
                    "that lists them."},
        {.path = "output.report_size",
         .type = KeyType::number,
         .unit = "MB",
         .range = {.at_least = 0, .at_most = 2000},
         .fallback = scene.report_megabytes,
         .meaning = "Frames in report.html take at most about this much; where all would be more, some are left out "
                    "evenly. 0: none are there to play."},
        {.path = "verify",
         .type = KeyType::word,
         .fallback = "frame",
         .words = {"frame", "step", "off"},
         .meaning = "Which states are tested for intersections and inverted elements: those that are saved, all or "
                    "none; intersections also where contact is off."},
    };
}

std::vector<SceneKey> time_keys()
{
    const SceneTime time;
    return {
        {.path = "time.dt",
         .unit = "s",
         .range = JsonObject::positive(),
         .fallback = time.dt,
         .meaning = "Length of a time step."},
        {.path = "time.steps",
         .type = KeyType::integer,
         .range = count_from(0),
         .fallback = time.steps,
         .meaning = "Number of time steps."},
        {.path = "time.until",
         .unit = "s",
         .range = JsonObject::positive(),
         .fallback_words = "`steps` x `dt`",
         .meaning = "Instead of `steps`: the time at which the run ends, or that of the step that reaches it."},
        {.path = "time.integrator",
         .type = KeyType::word,
         .fallback = time.integrator,
         .registered_words = [] { return integrators().names(); },
         .meaning = "How a step follows from the one before: see [time](time.md). `bdf2` and `newmark` are more exact "
                    "than `implicit_euler`, which damps. `quasi_static` has no inertia: each step is an equilibrium "
                    "under gravity and scripts, and what nothing holds stays in place to the tolerance."},
        {.path = "time.adaptive",
         .type = KeyType::boolean,
         .fallback = time.is_adaptive,
         .meaning = "Takes a step that does not converge, or in which bodies would move too far, as several "
                    "[smaller ones](time.md)."},
        {.path = "time.max_substeps",
         .type = KeyType::integer,
         .range = {.at_least = 2, .at_most = 65536},
         .fallback = time.max_substeps,
         .meaning = "With `adaptive`: how many a step may become; powers of two are used."},
        {.path = "time.max_motion",
         .unit = "m",
         .range = JsonObject::positive(),
         .fallback_words = "half of the extent",
         .meaning = "With `adaptive`: how far a vertex may move in one of them, as velocities, gravity and scripts "
                    "predict it."},
    };
}

std::vector<SceneKey> solver_keys()
{
    const SceneSolver solver;
    return {
        {.path = "solver.method",
         .type = KeyType::word,
         .fallback = solver.method,
         .words = {"newton", "vbd", "auto"},
         .meaning = "`newton` solves linear systems for all vertices at once; `vbd` is "
                    "[vertex block descent](vbd.md): vertex by vertex, at a small cost per iteration and with many of "
                    "them. Contact needs `contact.model` `ogc` with it. `auto` is that with steps of Newton's method "
                    "where sweeps are slow, as counts tell; `newton` with other models of contact."},
        {.path = "solver.iterations",
         .type = KeyType::integer,
         .range = count_from(1),
         .fallback_words = "as many as `residual` or `tolerance` need",
         .meaning =
             "With `vbd`: sweeps over all vertices per solve, no fewer unless `residual` is given, and no more. A "
             "step that is not within `residual`, or without it `tolerance`, ends in `not_converged`: the run "
             "goes on, and its verdict counts such steps, exit code 1."},
        {.path = "solver.residual",
         .range = {.above = 0, .below = 1},
         .fallback_words = "none",
         .meaning = "With `vbd`: a step ends where the mean force that is left over vertices is this share of what it "
                    "was at first, or of the mean weight of a vertex where that is more; or is rounding."},
        {.path = "solver.relaxation",
         .range = {.at_least = 1, .below = 2},
         .fallback_words = "1.5",
         .meaning =
             "With `vbd`: vertices with nothing near go so many times as far as where their own energy is least, "
             "which [takes fewer sweeps](vbd.md#over-relaxation). 1 switches it off."},
        {.path = "solver.tolerance",
         .unit = "of the norm",
         .range = JsonObject::positive(),
         .fallback_words = "1e-3 of the extent per second",
         .meaning = "A step ends where Newton's step over `dt` is slower than this. Left out, it also goes on, for up "
                    "to ten iterations, until forces are in balance to 1 %. With `vbd`: where what is left to go, as "
                    "the last steps shrink, over `dt` is."},
        {.path = "solver.norm",
         .type = KeyType::word,
         .fallback = "largest",
         .words = {"largest", "root_mean_square", "relative"},
         .meaning = "How that speed is measured: `largest` or `root_mean_square` over vertices [m/s]; `relative` is "
                    "`largest`, in extents of the bodies per second [1/s]."},
        {.path = "solver.max_iterations",
         .type = KeyType::integer,
         .range = count_from(1),
         .fallback = solver.max_iterations,
         .meaning = "Of one solve (scripts and friction may need several per step); beyond it the step ends in "
                    "`iteration_limit`, exit code 5, or with `vbd` in `not_converged`."},
        {.path = "solver.max_seconds",
         .unit = "s",
         .range = JsonObject::positive(),
         .fallback_words = "none",
         .meaning = "Of a step; beyond it the step ends in `time_limit`, exit code 5."},
        {.path = "solver.max_blocked_steps",
         .type = KeyType::integer,
         .range = count_from(1),
         .fallback = solver.max_blocked_steps,
         .meaning = "For this many steps in a row a script may be held back before the run ends in `script_blocked`, "
                    "exit code 5."},
        {.path = "solver.friction_iterations",
         .type = KeyType::integer,
         .range = {.at_least = 1, .at_most = 1000},
         .fallback = solver.friction_iterations,
         .meaning = "How often friction and tangential adhesion are [lagged](friction.md#lagged-anew) in a step."},
        {.path = "solver.friction_tolerance",
         .range = {.above = 0, .below = 1},
         .fallback_words = "none: always `friction_iterations` times",
         .meaning = "They are lagged no more often once `lag_residual` is down to this."},
        {.path = "solver.projection",
         .type = KeyType::word,
         .fallback = "as_needed",
         .words = {"as_needed", "always"},
         .meaning = "Newton's method makes the Hessian of every term positive semidefinite. `as_needed`: where full "
                    "steps shrink slowly, it does so only as far as the whole system demands; `always`: it always "
                    "does, in full."},
        {.path = "solver.linear",
         .type = KeyType::word,
         .fallback = solver.linear,
         .registered_words = [] { return linear_solvers().names(); },
         .meaning = "How [linear systems](linear.md) are solved: `direct` (CHOLMOD where the program is built with it, "
                    "else Eigen's), `pcg` (preconditioned conjugate gradients), `auto` (one of these two, as counts of "
                    "unknowns, fill-in and iterations decide), or `eigen` (Eigen's LDLᵀ in any case, slower)."},
        {.path = "solver.preconditioner",
         .type = KeyType::word,
         .fallback = solver.preconditioner,
         .words = {"auto", "block_jacobi", "incomplete_cholesky", "schwarz", "contact"},
         .meaning = "Of conjugate gradients. `auto`: as iterations of the steps before decide. An error where `linear` "
                    "is `direct` or `eigen`."},
        {.path = "solver.linear_tolerance",
         .range = {.above = 0, .below = 1},
         .fallback_words = "what keeps Newton's counts",
         .meaning = "Conjugate gradients end where the residual is below this share of the right side; the last "
                    "system of a step is solved to a hundredth of it. An error where `linear` is `direct` or `eigen`."},
    };
}

} // namespace

bool SceneKey::is_for(std::string_view variant) const
{
    return variant.empty() || only_for.empty() ||
           std::find(only_for.begin(), only_for.end(), variant) != only_for.end();
}

std::span<const SceneKey> scene_keys()
{
    static const std::vector<SceneKey> keys = [] {
        std::vector<SceneKey> all;
        for (auto* part :
             {first_keys, object_keys, load_keys, shape_keys, script_keys, stitch_keys, contact_keys, time_keys,
              solver_keys})
            for (SceneKey& key : part())
                all.push_back(std::move(key));
        return all;
    }();
    return keys;
}

const SceneKey& scene_key(std::string_view path, std::string_view variant)
{
    const auto keys = scene_keys();
    const auto found = std::find_if(
        keys.begin(), keys.end(), [&](const SceneKey& key) { return key.path == path && key.is_for(variant); });
    ABUT_ASSERT(found != keys.end());
    return *found;
}

std::vector<const SceneKey*> keys_below(std::string_view path)
{
    const std::string prefix = path.empty() ? "" : std::string(path) + ".";
    std::vector<const SceneKey*> keys;
    for (const SceneKey& key : scene_keys()) {
        const bool is_root = prefix.empty() && key.path.find('.') == std::string::npos && key.path != "selection";
        const bool is_below =
            !prefix.empty() && key.path.starts_with(prefix) && key.path.find('.', prefix.size()) == std::string::npos;
        if (is_root || is_below)
            keys.push_back(&key);
    }
    return keys;
}

std::vector<std::string> names_not_for(std::string_view path, std::string_view variant)
{
    const std::vector<const SceneKey*> keys = keys_below(path);
    std::vector<std::string> names;
    for (const SceneKey* key : keys) {
        const bool is_served = std::any_of(keys.begin(), keys.end(), [&](const SceneKey* other) {
            return other->path == key->path && other->is_for(variant);
        });
        if (!is_served && std::find(names.begin(), names.end(), key->name()) == names.end())
            names.push_back(key->name());
    }
    return names;
}

std::string limits_of(const SceneKey& key)
{
    if (key.only_for.empty())
        return "";
    const bool is_object = key.path.starts_with("objects[]");
    std::vector<std::string> others = scene_key(is_object ? "objects[].kind" : "contact.model").choices();
    std::erase_if(others, [&](const std::string& variant) { return key.is_for(variant); });
    const bool is_not = others.size() < key.only_for.size();
    return fmt::format("{} for `{}`.", is_not ? "Not" : "Only", fmt::join(is_not ? others : key.only_for, "`, `"));
}

} // namespace abut
