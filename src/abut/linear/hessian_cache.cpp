#include "abut/linear/hessian_cache.hpp"

#include "abut/base/error.hpp"

namespace abut {

/// Sorts the terms if they are others than those of the last call, and makes room for their blocks.
void HessianCache::prepare(const BlockLayout& layout, const Stencils& stencils)
{
    const bool fits = assembly_ && stencils_ == stencils && assembly_->pattern()->layout() == layout;
    if (!fits) {
        if (given_) {
            if (given_->layout() != layout)
                reject(
                    "cache: its pattern is for {} vertices in {} dimensions, the mesh has {} in {}",
                    given_->layout().num_vertices(), given_->layout().dim(), layout.num_vertices(), layout.dim());
            assembly_.emplace(given_, stencils);
        } else
            assembly_.emplace(layout, stencils);
        stencils_ = stencils;
        ++num_analyses_;
    }
    local_.resize(assembly_->num_local_numbers());
}

} // namespace abut
