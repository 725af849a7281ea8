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
    /// False where the matrix is seen not to be positive definite.
    [[nodiscard]] virtual bool prepare(const FreeBlocks& blocks, const RowOrder& order) = 0;
    /// z ≈ A⁻¹ r. Vectors have padded_size() numbers.
    virtual void apply(const double* r, double* z) = 0;
    /// Multiplications of an application: what it costs beside a product with A, which has nine per block.
    [[nodiscard]] virtual double num_multiplications() const = 0;
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
