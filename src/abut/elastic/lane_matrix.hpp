#pragma once
// Small matrices side by side, one per lane, for loops that treat a few elements at once.
//
// Layout and size depend on the instruction set, as Lanes do: for source files of the library, not for its interfaces.

#include "abut/math/lanes.hpp"
#include "abut/math/types.hpp"

#include <cmath>

namespace abut {

/// Rows x Cols matrices, one per lane.
template <int Rows, int Cols>
struct LaneMatrix {
    Lanes entries[Rows][Cols];

    Lanes& operator()(int i, int j) { return entries[i][j]; }
    const Lanes& operator()(int i, int j) const { return entries[i][j]; }

    void set(int lane, const Mat<Rows, Cols>& matrix)
    {
        for (int i = 0; i < Rows; ++i)
            for (int j = 0; j < Cols; ++j)
                entries[i][j][lane] = matrix(i, j);
    }
    [[nodiscard]] Mat<Rows, Cols> get(int lane) const
    {
        Mat<Rows, Cols> matrix;
        for (int i = 0; i < Rows; ++i)
            for (int j = 0; j < Cols; ++j)
                matrix(i, j) = entries[i][j][lane];
        return matrix;
    }
};

inline Lanes absolute(Lanes x) { return x < 0 ? -x : x; }
inline Lanes maximum(Lanes x, Lanes y) { return x < y ? y : x; }

/// Is the condition, the result of a comparison, true in some lane?
template <typename Mask>
bool any(const Mask& mask)
{
    bool is_any = false;
    for (int lane = 0; lane < num_lanes; ++lane)
        is_any |= mask[lane] != 0;
    return is_any;
}

inline Lanes log1p(Lanes x)
{
    for (int lane = 0; lane < num_lanes; ++lane)
        x[lane] = std::log1p(x[lane]);
    return x;
}

} // namespace abut
