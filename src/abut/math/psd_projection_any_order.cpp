#include "abut/math/psd_projection_any_order.hpp"

#include <limits>

namespace abut {

namespace {

Lanes absolute(Lanes x) { return x < 0 ? -x : x; }

using Mask = decltype(Lanes{} < Lanes{});

bool holds_anywhere(const Mask& mask)
{
    bool any = false;
    for (int lane = 0; lane < num_lanes; ++lane)
        any |= mask[lane] != 0;
    return any;
}

bool holds_everywhere(const Mask& mask)
{
    bool all = true;
    for (int lane = 0; lane < num_lanes; ++lane)
        all &= mask[lane] != 0;
    return all;
}

// Matrices are scaled to a largest entry of 1 first. Squares of what is smaller than the root of this are no numbers of
// full precision, so that reflections and rotations made of them would not be orthogonal: it counts as zero.
constexpr double least_square = 1e-280;

} // namespace

void PsdProjectionAnyOrder::begin(int order)
{
    ABUT_ASSERT(order > 0);
    order_ = order;
    const auto n = static_cast<std::size_t>(order);
    matrix_.resize(n * n);
    basis_.resize(n * n);
    for (Buffer<Entry>* list : {&diagonal_, &beside_, &factors_, &product_, &kept_})
        list->resize(n);
    scaled_.resize(n * n);
}

/// The matrix over its largest entry, which is returned.
Lanes PsdProjectionAnyOrder::normalize()
{
    Lanes largest{};
    for (int j = 0; j < order_; ++j)
        for (int i = j; i < order_; ++i) {
            const Lanes size = absolute(entry(i, j));
            largest = size > largest ? size : largest;
        }
    const Lanes scale = largest < std::numeric_limits<double>::min() ? broadcast(1) : largest, inverse = 1 / scale;
    for (int j = 0; j < order_; ++j)
        for (int i = j; i < order_; ++i)
            entry(i, j) *= inverse;
    return scale;
}

/// A = Q T Qᵀ with Q = H_0 H_1 ..., H_k = I − factor v vᵀ, which maps column k below its diagonal to one entry.
void PsdProjectionAnyOrder::reduce_to_tridiagonal()
{
    const int n = order_;
    for (int k = 0; k + 1 < n; ++k) {
        Entry* v = column(matrix_, k);
        diagonal_[k].x = v[k].x;
        Lanes rest{};
        for (int i = k + 2; i < n; ++i)
            rest += v[i].x * v[i].x;
        const Lanes first = v[k + 1].x, norm = sqrt(first * first + rest);
        const Mask is_reflected = rest > least_square;
        const Lanes image = first > 0 ? -norm : norm;
        beside_[k].x = is_reflected ? image : first;
        v[k + 1].x = first - image;
        const Lanes factor = is_reflected ? 2 / (rest + v[k + 1].x * v[k + 1].x) : Lanes{};
        factors_[k].x = factor;
        if (!holds_anywhere(is_reflected))
            continue;

        // With p = factor A v and w = p − factor/2 (vᵀp) v:   H A H = A − v wᵀ − w vᵀ
        for (int i = k + 1; i < n; ++i)
            product_[i].x = Lanes{};
        for (int j = k + 1; j < n; ++j) {
            const Entry* a = column(matrix_, j);
            const Lanes vj = v[j].x;
            Lanes sum = a[j].x * vj;
            for (int i = j + 1; i < n; ++i) {
                sum += a[i].x * v[i].x;
                product_[i].x += a[i].x * vj;
            }
            product_[j].x += sum;
        }
        Lanes along{};
        for (int i = k + 1; i < n; ++i) {
            product_[i].x *= factor;
            along += product_[i].x * v[i].x;
        }
        const Lanes half = 0.5 * factor * along;
        for (int i = k + 1; i < n; ++i)
            product_[i].x -= half * v[i].x;
        for (int j = k + 1; j < n; ++j) {
            Entry* a = column(matrix_, j);
            const Lanes vj = v[j].x, wj = product_[j].x;
            for (int i = j; i < n; ++i)
                a[i].x -= v[i].x * wj + product_[i].x * vj;
        }
    }
    diagonal_[n - 1].x = entry(n - 1, n - 1);
    beside_[n - 1].x = Lanes{};
}

/// Q of reduce_to_tridiagonal(), from the last reflection to the first.
void PsdProjectionAnyOrder::form_basis()
{
    const int n = order_;
    for (int j = 0; j < n; ++j) {
        Entry* q = column(basis_, j);
        for (int i = 0; i < n; ++i)
            q[i].x = broadcast(i == j ? 1 : 0);
    }
    for (int k = n - 3; k >= 0; --k) {
        const Entry* v = column(matrix_, k);
        const Lanes factor = factors_[k].x;
        for (int j = k + 1; j < n; ++j) {
            Entry* q = column(basis_, j);
            Lanes along{};
            for (int i = k + 1; i < n; ++i)
                along += v[i].x * q[i].x;
            along *= factor;
            for (int i = k + 1; i < n; ++i)
                q[i].x -= along * v[i].x;
        }
    }
}

/// QL steps until nothing is left beside the diagonal; the columns of the basis become eigenvectors.
void PsdProjectionAnyOrder::diagonalize()
{
    const int n = order_;
    constexpr double eps = std::numeric_limits<double>::epsilon();
    // Each lane works on rows `first` to `last`, between entries beside the diagonal that are zero to rounding.
    Lanes first{};
    const int most_steps = 30 * n; // two for an eigenvalue are usual; the limit is there for what is no number
    for (int step = 0; step < most_steps; ++step) {
        Lanes last = broadcast(n - 1);
        int least_first = n - 1;
        for (int lane = 0; lane < num_lanes; ++lane)
            least_first = std::min(least_first, static_cast<int>(first[lane]));
        Mask is_found = first < first; // nowhere
        for (int i = least_first; i < n - 1; ++i) {
            const Lanes bound = eps * (absolute(diagonal_[i].x) + absolute(diagonal_[i + 1].x)) + 1e-18;
            const Mask is_zero = absolute(beside_[i].x) <= bound;
            const Mask is_end = is_zero & (first < i) & ~is_found;
            last = is_end ? broadcast(i) : last;
            is_found |= is_end;
            first = (is_zero & (first == i)) ? broadcast(i + 1) : first;
        }
        Mask is_active = first < last;
        if (!holds_anywhere(is_active))
            return;

        int begin = n, end = 0;
        Lanes d0{}, d1{}, e0 = broadcast(1), d_last{};
        for (int lane = 0; lane < num_lanes; ++lane)
            if (is_active[lane] != 0) {
                const int l = static_cast<int>(first[lane]), m = static_cast<int>(last[lane]);
                begin = std::min(begin, l);
                end = std::max(end, m);
                d0[lane] = diagonal_[l].x[lane];
                d1[lane] = diagonal_[l + 1].x[lane];
                e0[lane] = beside_[l].x[lane];
                d_last[lane] = diagonal_[m].x[lane];
            }
        const Lanes ratio = (d1 - d0) / (2 * e0), root = sqrt(ratio * ratio + 1);
        Lanes g = d_last - d0 + e0 / (ratio < 0 ? ratio - root : ratio + root);
        Lanes s = broadcast(1), c = broadcast(1), p{};
        Mask is_broken = first < first;
        for (int i = end - 1; i >= begin; --i) {
            const Mask is_turned = is_active & (last > i) & (first <= i);
            const Lanes e = beside_[i].x, f = s * e, b = c * e, square = f * f + g * g;
            // The root and the division at the same time: each step waits for the one before.
            const Lanes r = sqrt(square), inverse = r * (1 / square), next_s = f * inverse, next_c = g * inverse;
            const Lanes difference = diagonal_[i + 1].x - p;
            const Lanes shift = (diagonal_[i].x - difference) * next_s + 2 * next_c * b;
            const Lanes next_p = next_s * shift, next_g = next_c * shift - b;
            const Mask is_null = is_turned & (square < least_square), turns = is_turned & ~is_null;
            Lanes by_s = next_s, by_c = next_c;
            if (holds_everywhere(turns)) {
                beside_[i + 1].x = r;
                diagonal_[i + 1].x = difference + next_p;
                s = next_s;
                c = next_c;
                p = next_p;
                g = next_g;
            } else {
                // Where the matrix falls apart the step ends; what is beside the diagonal there is zero.
                const Lanes at_end = is_null ? difference : diagonal_[i + 1].x;
                diagonal_[i + 1].x = turns ? difference + next_p : at_end;
                beside_[i + 1].x = turns ? r : is_null ? Lanes{} : beside_[i + 1].x;
                is_broken |= is_null;
                is_active &= ~is_null;
                s = turns ? next_s : s;
                c = turns ? next_c : c;
                p = turns ? next_p : p;
                g = turns ? next_g : g;
                by_s = turns ? next_s : Lanes{};
                by_c = turns ? next_c : broadcast(1);
            }
            Entry* left = column(basis_, i);
            Entry* right = column(basis_, i + 1);
            for (int k = 0; k < n; ++k) {
                const Lanes x = left[k].x, y = right[k].x;
                right[k].x = by_s * x + by_c * y;
                left[k].x = by_c * x - by_s * y;
            }
        }
        for (int lane = 0; lane < num_lanes; ++lane) {
            const int l = static_cast<int>(first[lane]), m = static_cast<int>(last[lane]);
            if (is_active[lane] != 0) {
                diagonal_[l].x[lane] -= p[lane];
                beside_[l].x[lane] = g[lane];
            }
            if (is_active[lane] != 0 || is_broken[lane] != 0)
                beside_[m].x[lane] = 0;
        }
    }
}

/// The matrix from the eigenvalues that are kept. Positive semidefinite up to the rounding of each of them.
void PsdProjectionAnyOrder::sum_up()
{
    const int n = order_;
    int num_kept = 0;
    for (int k = 0; k < n; ++k)
        if (holds_anywhere(kept_[k].x != 0)) {
            Entry* to = column(scaled_, num_kept);
            Entry* vector = column(basis_, num_kept);
            const Entry* from = column(basis_, k);
            for (int i = 0; i < n; ++i) {
                const Lanes x = from[i].x;
                to[i].x = kept_[k].x * x;
                vector[i].x = x;
            }
            ++num_kept;
        }
    constexpr int tile = 3;
    for (int j = 0; j < n; j += tile)
        for (int i = j; i < n; i += tile) {
            Lanes sums[tile][tile] = {};
            if (i + tile <= n && j + tile <= n) {
                for (int k = 0; k < num_kept; ++k) {
                    const Entry* left = column(scaled_, k) + i;
                    const Entry* right = column(basis_, k) + j;
                    for (int a = 0; a < tile; ++a)
                        for (int b = 0; b < tile; ++b)
                            sums[a][b] += left[a].x * right[b].x;
                }
            } else {
                for (int k = 0; k < num_kept; ++k) {
                    const Entry* left = column(scaled_, k);
                    const Entry* right = column(basis_, k);
                    for (int a = 0; a < tile && i + a < n; ++a)
                        for (int b = 0; b < tile && j + b < n; ++b)
                            sums[a][b] += left[i + a].x * right[j + b].x;
                }
            }
            for (int a = 0; a < tile && i + a < n; ++a)
                for (int b = 0; b < tile && j + b < n; ++b)
                    if (i + a >= j + b)
                        entry(i + a, j + b) = sums[a][b];
        }
}

std::array<bool, num_lanes> PsdProjectionAnyOrder::project(PSDProjectionMethod method)
{
    std::array<bool, num_lanes> is_changed{};
    if (method == PSDProjectionMethod::none)
        return is_changed;
    const Lanes scale = normalize();
    reduce_to_tridiagonal();
    form_basis();
    diagonalize();
    Lanes smallest = diagonal_[0].x;
    const double mirror = method == PSDProjectionMethod::abs ? -1 : 0;
    for (int k = 0; k < order_; ++k) {
        const Lanes eigenvalue = diagonal_[k].x;
        smallest = eigenvalue < smallest ? eigenvalue : smallest;
        kept_[k].x = scale * (eigenvalue < 0 ? mirror * eigenvalue : eigenvalue);
    }
    bool is_any_changed = false;
    for (int lane = 0; lane < num_lanes; ++lane) {
        is_changed[lane] = smallest[lane] < 0;
        is_any_changed |= is_changed[lane];
    }
    if (is_any_changed)
        sum_up();
    return is_changed;
}

} // namespace abut
