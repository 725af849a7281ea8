#pragma once
// Approximate inverses for conjugate gradients. Each is a fixed symmetric positive definite operator between two calls
// of prepare(), with the same bits for any number of threads.

#include "abut/linear/iterative/block_rows.hpp"
#include "abut/linear/iterative/row_order.hpp"

#include <optional>
#include <string_view>

namespace abut {

class Preconditioner {
public:
    virtual ~Preconditioner() = default;

    /// As LinearSolver::begin_step.
    virtual void begin_step() {}
    /// Takes over the structure of the rows, where it is not that of the last call.
    virtual void link(const FreeBlocks& /*blocks*/, const RowOrder& /*order*/) {}
    /// Takes over the values of rows of the structure of the last link(). False where the matrix is seen not to be
    /// positive definite.
    [[nodiscard]] virtual bool prepare(const FreeBlocks& blocks) = 0;
    /// z ≈ A⁻¹ r. Vectors have padded_size() numbers.
    virtual void apply(const double* r, double* z) = 0;
    /// As LinearSolver::pattern_seconds, of what prepare() did for patterns of its own.
    [[nodiscard]] virtual double pattern_seconds() const { return 0; }
};

enum class PreconditionerKind : std::uint8_t { block_jacobi, incomplete_cholesky, schwarz, contact };
[[nodiscard]] std::string_view to_string(PreconditionerKind kind);
/// The kind of this name, nothing for "auto". Rejects other names, as those of solver.preconditioner.
[[nodiscard]] std::optional<PreconditionerKind> preconditioner_named(std::string_view name);

[[nodiscard]] std::unique_ptr<Preconditioner> make_preconditioner(PreconditionerKind kind);

/// The inverses of the diagonal blocks.
[[nodiscard]] std::unique_ptr<Preconditioner> make_block_jacobi();
/// A ≈ (I + V) D (I + V)ᵀ with V strictly lower and as sparse as A, on each of a few parts of the rows.
[[nodiscard]] std::unique_ptr<Preconditioner> make_incomplete_cholesky();
/// Multilevel additive Schwarz.
[[nodiscard]] std::unique_ptr<Preconditioner> make_schwarz();
/// The same, after a direct solve on the rows in contact.
[[nodiscard]] std::unique_ptr<Preconditioner> make_contact_preconditioner();

} // namespace abut
