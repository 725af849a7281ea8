// `abut schema`: the JSON Schema of scenes, for editors and checkers.

#include "commands.hpp"

#include "abut/io/scene_schema.hpp"

#include <fmt/core.h>

namespace abut {

namespace {

/// The tables of docs/scenes.md, each between its markers.
void print_scene_tables()
{
    for (const SceneTable& table : scene_tables())
        fmt::print("<!-- table: {} -->\n{}<!-- end of table -->\n", table.name, table.text);
}

} // namespace

void add_schema_command(CLI::App& app, ExitCode& exit_code)
{
    CLI::App* command =
        app.add_subcommand("schema", "Print the JSON Schema of scenes, by which editors complete and check them");
    auto wants_tables = std::make_shared<bool>(false);
    command->add_flag("--tables", *wants_tables, "Print the tables of the documentation instead, as Markdown");
    command->callback([wants_tables, &exit_code] {
        if (*wants_tables)
            print_scene_tables();
        else
            fmt::print("{}", scene_schema());
        exit_code = ExitCode::done;
    });
}

} // namespace abut
