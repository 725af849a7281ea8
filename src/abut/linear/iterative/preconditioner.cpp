#include "abut/linear/iterative/preconditioner.hpp"

#include "abut/base/error.hpp"

#include <fmt/ranges.h>

namespace abut {

std::string_view to_string(PreconditionerKind kind)
{
    switch (kind) {
    case PreconditionerKind::block_jacobi:
        return "block_jacobi";
    case PreconditionerKind::incomplete_cholesky:
        return "incomplete_cholesky";
    case PreconditionerKind::schwarz:
        return "schwarz";
    case PreconditionerKind::contact:
        break;
    }
    return "contact";
}

std::optional<PreconditionerKind> preconditioner_named(std::string_view name)
{
    using enum PreconditionerKind;
    std::vector<std::string_view> known{"auto"};
    for (const PreconditionerKind kind : {block_jacobi, incomplete_cholesky, schwarz, contact}) {
        known.push_back(to_string(kind));
        if (name == to_string(kind))
            return kind;
    }
    if (name != "auto")
        reject("solver.preconditioner: '{}' is not one of {}", name, fmt::join(known, ", "));
    return std::nullopt;
}

std::unique_ptr<Preconditioner> make_preconditioner(PreconditionerKind kind)
{
    switch (kind) {
    case PreconditionerKind::block_jacobi:
        return make_block_jacobi();
    case PreconditionerKind::incomplete_cholesky:
        return make_incomplete_cholesky();
    case PreconditionerKind::schwarz:
        return make_schwarz();
    case PreconditionerKind::contact:
        break;
    }
    return make_contact_preconditioner();
}

} // namespace abut
