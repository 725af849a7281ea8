#include "abut/linear/hessian_cache.hpp"

#include "abut/base/error.hpp"

namespace abut {

/// Sorts the terms if they are others than those of the last call, and makes room for their blocks.
void HessianCache::prepare(int num_vertices, int dim, const Stencils& stencils)
{
    const bool fits = assembly_ && stencils_ == stencils && assembly_->pattern()->num_rows() == num_vertices &&
                      assembly_->pattern()->dim() == dim;
    if (!fits) {
        if (given_) {
            if (given_->num_rows() != num_vertices || given_->dim() != dim)
                reject(
                    "cache: its pattern is for {} vertices in {} dimensions, the mesh has {} in {}", given_->num_rows(),
                    given_->dim(), num_vertices, dim);
            assembly_.emplace(given_, stencils);
        } else
            assembly_.emplace(num_vertices, dim, stencils);
        stencils_ = stencils;
        ++num_analyses_;
    }
    local_.resize(assembly_->num_local_blocks() * dim * dim);
}

} // namespace abut
