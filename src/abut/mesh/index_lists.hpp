#pragma once
// Many short lists of indices in two flat arrays.

#include "abut/base/assert.hpp"
#include "abut/math/types.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace abut {

struct IndexLists {
    std::vector<int> offsets{0}; ///< list i is items[offsets[i]] ... items[offsets[i + 1] - 1]
    std::vector<int> items;

    [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }

    [[nodiscard]] std::span<const int> operator[](std::size_t i) const
    {
        ABUT_ASSERT(i < size());
        ABUT_ASSERT(offsets[i] <= offsets[i + 1] && static_cast<std::size_t>(offsets[i + 1]) <= items.size());
        return {items.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
    }
};

/// Lists of the rows of a `#rows x corners` index array that mention each of `count` targets, in ascending order of
/// row.
template <typename Rows>
IndexLists rows_by_corner(const Rows& rows, int count)
{
    IndexLists lists;
    lists.offsets.assign(count + 1, 0);
    lists.items.resize(rows.size());
    for (Eigen::Index k = 0; k < rows.size(); ++k) {
        ABUT_ASSERT(rows.data()[k] >= 0 && rows.data()[k] < count);
        ++lists.offsets[rows.data()[k] + 1];
    }
    for (int i = 0; i < count; ++i)
        lists.offsets[i + 1] += lists.offsets[i];
    std::vector<int> next(lists.offsets.begin(), lists.offsets.end() - 1);
    for (Eigen::Index row = 0; row < rows.rows(); ++row)
        for (Eigen::Index corner = 0; corner < rows.cols(); ++corner)
            lists.items[next[rows(row, corner)]++] = static_cast<int>(row);
    ABUT_ASSERT(std::equal(next.begin(), next.end(), lists.offsets.begin() + 1)); // every list is full
    return lists;
}

} // namespace abut
