// Continuous collision detection against the exact oracle: a miss, a late time, a zero without contact or more
// intervals than allowed ends the program.
//
// Input: a byte for kind and dimension, one for how coordinates are written (byte_source.hpp), one for dmin (half of
// its values: none), one for tmax, one for tolerance and number of intervals, then the coordinates, all points at the
// start and then at the end. Bit 7 of the second byte keeps the ends where the starts are, moved by one common vector.

#include "abut/base/error.hpp"
#include "byte_source.hpp"
#include "support/ccd_verdict.hpp"

#include <cstdlib>
#include <iostream>

namespace {

using namespace abut;
using namespace abut::test;
using fuzz::ByteSource;
using fuzz::Coordinates;

struct Input {
    CcdQuery query;
    CcdOptions options;
};

Input read(ByteSource& bytes)
{
    constexpr std::array<std::pair<CcdKind, int>, 6> pairs{{
        {CcdKind::point_point, 2},
        {CcdKind::point_point, 3},
        {CcdKind::point_edge, 2},
        {CcdKind::point_edge, 3},
        {CcdKind::point_triangle, 3},
        {CcdKind::edge_edge, 3},
    }};
    Input input;
    const auto [kind, dim] = pairs[bytes.below(static_cast<int>(pairs.size()))];
    input.query.kind = kind;
    input.query.dim = dim;
    const std::uint8_t how = bytes.byte();
    const auto coordinates = static_cast<Coordinates>(how % 4);

    const int dmin = bytes.byte(), tmax = bytes.byte(), effort = bytes.byte();
    if (dmin >= 128) // from 2^-32 to 8, or a multiple of an eighth
        input.options.dmin = dmin < 192 ? std::ldexp(1.0, (dmin - 186) / 2) : (dmin - 191) * 0.125;
    input.options.tmax = tmax == 0 ? 1 : tmax / 255.0;
    if (effort % 4 == 1)
        input.options.tolerance = std::pow(10, -(effort / 4) / 4.0 - 0.1);
    if (effort % 4 == 2)
        input.options.max_intervals = 64 + effort;

    const auto draw = [&] {
        Vec3 x = Vec3::Zero();
        for (int axis = 0; axis < input.query.dim; ++axis)
            x[axis] = bytes.coordinate(coordinates);
        return x;
    };
    const int n = num_points(kind);
    for (int i = 0; i < n; ++i)
        input.query.start[i] = draw();
    const bool moves_as_one = how >= 128;
    const Vec3 drift = moves_as_one ? draw() : Vec3(Vec3::Zero());
    for (int i = 0; i < n; ++i) {
        if (!moves_as_one)
            input.query.end[i] = draw();
        else
            input.query.end[i] = input.query.start[i] + (i < num_first_points(kind) ? drift : Vec3(Vec3::Zero()));
    }
    return input;
}

bool is_finite(const CcdQuery& query)
{
    for (int i = 0; i < num_points(query.kind); ++i)
        if (!query.start[i].allFinite() || !query.end[i].allFinite())
            return false;
    return true;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    ByteSource bytes({data, size});
    const auto [query, options] = read(bytes);
    if (!is_finite(query)) {
        try {
            (void)library_ccd(query, options);
        } catch (const InvalidInput&) {
            return 0;
        }
        std::cerr << "coordinates that are not finite were accepted\n" << query;
        std::abort();
    }
    const CcdResult result = library_ccd(query, options);
    const FirstContact contact = exact_first_contact(query, options.dmin);
    const CcdVerdict verdict = judge(query, options, result, contact);
    if (is_violation(verdict)) {
        std::cerr << name(verdict) << std::hexfloat << ": toi " << result.toi << ", exact " << contact.hit << " from "
                  << contact.lo.get_d() << " to " << contact.hi.get_d() << "; dmin " << options.dmin << ", tmax "
                  << options.tmax << ", tolerance " << options.tolerance << "\n"
                  << query;
        std::abort();
    }
    return 0;
}
