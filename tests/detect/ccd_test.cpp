// Continuous collision detection against the exact oracle: never a miss, never late, zero only for contact at the
// start, bounded work. False alarms are allowed where rounding hides a gap; they are counted and printed.

#include "abut/detect/ccd.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/ccd_kernel.hpp"
#include "support/ccd_cases.hpp"
#include "support/ccd_verdict.hpp"
#include "support/data_folders.hpp"
#include "support/exact_distance.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <iostream>
#include <limits>
#include <numeric>

namespace abut::test::ccd_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool same_bits(const CcdResult& a, const CcdResult& b)
{
    return a.outcome == b.outcome && a.intervals == b.intervals &&
           std::bit_cast<std::uint64_t>(a.toi) == std::bit_cast<std::uint64_t>(b.toi);
}

/// What many answers were.
struct Tally {
    std::int64_t queries = 0, contacts = 0, exhausted = 0, repeated_otherwise = 0;
    std::array<std::int64_t, 7> verdicts{};
    int most_intervals = 0;
    double earliest = 0;       ///< largest share of the exact time by which a hit is too early
    std::string first_failure; ///< description of the first violation

    [[nodiscard]] std::int64_t count(CcdVerdict verdict) const { return verdicts[static_cast<int>(verdict)]; }

    void add(const CcdQuery& query, const CcdOptions& options, const FirstContact& contact)
    {
        const CcdResult result = library_ccd(query, options);
        const CcdVerdict verdict = judge(query, options, result, contact);
        const bool is_repeatable = same_bits(result, library_ccd(query, options));
        ++queries;
        contacts += contact.hit && contact.lo <= mpq_class(options.tmax) ? 1 : 0;
        ++verdicts[static_cast<int>(verdict)];
        exhausted += result.outcome == CcdOutcome::exhausted ? 1 : 0;
        repeated_otherwise += is_repeatable ? 0 : 1;
        most_intervals = std::max(most_intervals, result.intervals);
        if (result.outcome == CcdOutcome::hit && contact.hit && contact.lo > 0)
            earliest = std::max(earliest, 1 - mpq_class(result.toi / contact.lo).get_d());
        if ((is_violation(verdict) || !is_repeatable) && first_failure.empty()) {
            std::ostringstream text;
            text << name(verdict) << (is_repeatable ? "" : ", not repeatable") << std::hexfloat << ": toi "
                 << result.toi << " after " << std::dec << result.intervals << " intervals, exact " << contact.hit
                 << " from " << contact.lo.get_d() << " to " << contact.hi.get_d() << "; dmin " << options.dmin
                 << ", tmax " << options.tmax << ", tolerance " << options.tolerance << "\n"
                 << query;
            first_failure = text.str();
        }
    }

    void add(const Tally& other)
    {
        queries += other.queries;
        contacts += other.contacts;
        exhausted += other.exhausted;
        repeated_otherwise += other.repeated_otherwise;
        for (std::size_t i = 0; i < verdicts.size(); ++i)
            verdicts[i] += other.verdicts[i];
        most_intervals = std::max(most_intervals, other.most_intervals);
        earliest = std::max(earliest, other.earliest);
        if (first_failure.empty())
            first_failure = other.first_failure;
    }

    void print(const std::string& title) const
    {
        std::cout << title << ": " << queries << " queries, " << contacts << " contacts; " << count(CcdVerdict::miss)
                  << " misses, " << count(CcdVerdict::late) << " late, " << count(CcdVerdict::zero) << " zero, "
                  << count(CcdVerdict::malformed) << " malformed; " << count(CcdVerdict::false_alarm)
                  << " false alarms, " << exhausted << " exhausted, at most " << most_intervals
                  << " intervals, at most " << earliest << " of the time too early" << std::endl;
    }

    void expect_no_violation() const
    {
        for (const CcdVerdict verdict :
             {CcdVerdict::miss, CcdVerdict::late, CcdVerdict::zero, CcdVerdict::malformed, CcdVerdict::no_time})
            EXPECT_EQ(count(verdict), 0) << name(verdict);
        EXPECT_EQ(repeated_otherwise, 0);
        EXPECT_TRUE(first_failure.empty()) << first_failure;
    }
};

/// Adds up tally(i) for all i in [0, n), in parallel.
template <typename AddTo>
Tally tally(std::size_t n, AddTo&& add_to)
{
    return parallel_reduce(
        n, 256, Tally{},
        [&](std::size_t begin, std::size_t end) {
            Tally part;
            for (std::size_t i = begin; i < end; ++i)
                add_to(part, i);
            return part;
        },
        [](Tally a, const Tally& b) {
            a.add(b);
            return a;
        });
}

// ---- All families

/// The defaults for half of the queries, else a minimum distance, a shorter time, a coarse tolerance, few intervals.
CcdOptions random_options(CcdFamily family, RandomStream& random)
{
    CcdOptions options;
    const double size = family == CcdFamily::tiny ? 0x1p-30 : 1;
    switch (random.below(10)) {
    case 0:
        options.dmin = size * random.uniform(0, 0.5);
        break;
    case 1: // on the lattice, where contacts within dmin are exact
        options.dmin = size * std::ldexp(1.0, -static_cast<int>(random.below(6)));
        options.tmax = 0.25 * (1 + random.below(4));
        break;
    case 2:
        options.tmax = random.uniform(1e-3, 1);
        break;
    case 3:
        options.tolerance = std::pow(10, random.uniform(-16, -0.1));
        break;
    case 4:
        options.max_intervals = 64 + static_cast<int>(random.below(100));
        break;
    default:
        break;
    }
    return options;
}

/// Queries of every family and pair.
Tally tally_families(std::size_t queries_each, std::uint64_t seed)
{
    Tally all;
    for (const CcdFamily family : ccd_families)
        for (std::size_t pair = 0; pair < ccd_pairs.size(); ++pair)
            all.add(tally(queries_each, [&](Tally& part, std::size_t i) {
                RandomStream random(seed + pair, i);
                const CcdQuery query = ccd_case(family, ccd_pairs[pair], random);
                const CcdOptions options = random_options(family, random);
                part.add(query, options, exact_first_contact(query, options.dmin));
            }));
    return all;
}

TEST(Ccd, NeverMissesAndIsNeverLateInAnyFamily)
{
    const Tally all = tally_families(1112, 41);
    all.print("families");
    EXPECT_GE(all.queries, 100'000);
    all.expect_no_violation();
    // Most families miss by an ulp on purpose, so false alarms are expected; but not every answer may be one.
    EXPECT_LT(all.count(CcdVerdict::false_alarm), all.queries / 10);
}

TEST(LongCcd, NeverMissesAndIsNeverLateInAnyFamily)
{
    const Tally all = tally_families(55'600, 1'000'000);
    all.print("families");
    EXPECT_GE(all.queries, 5'000'000);
    all.expect_no_violation();
}

/// Where elements touch or miss by more than rounding, the answer is right to the tolerance: up to a factor, as the
/// last interval may be a few times too long, and up to rounding over the speed of the approach, which may be slow.
TEST(Ccd, IsSharpInGenericQueries)
{
    for (const CcdFamily family : {CcdFamily::generic, CcdFamily::rotating})
        for (const double tolerance : {1e-2, 1e-6, 1e-10}) {
            const Tally all = tally(3000, [&](Tally& part, std::size_t i) {
                RandomStream random(43, i);
                const CcdQuery query = ccd_case(family, ccd_pairs[i % ccd_pairs.size()], random);
                part.add(query, {.tolerance = tolerance}, exact_first_contact(query));
            });
            all.expect_no_violation();
            EXPECT_EQ(all.exhausted, 0);
            EXPECT_GT(all.contacts, 100);
            EXPECT_LE(all.earliest, 8 * tolerance + 2e-6);
            // A coarse tolerance takes a near miss for a hit.
            EXPECT_LE(all.count(CcdVerdict::false_alarm), tolerance > 1e-3 ? all.queries / 100 : 0);
        }
}

/// Powers of two change nothing but the range: from where squares underflow to where they overflow.
TEST(Ccd, IsSafeOverTheWholeRangeOfDoubles)
{
    const Tally all = tally(4000, [&](Tally& part, std::size_t i) {
        RandomStream random(47, i);
        const CcdFamily family = ccd_families[random.below(ccd_families.size())];
        CcdQuery query = ccd_case(family, ccd_pairs[i % ccd_pairs.size()], random);
        const int exponent = static_cast<int>(random.below(1960)) - 960;
        query = scaled(query, exponent);
        // The oracle decides from the coordinates, so those that scaling rounds are queries of their own.
        const double dmin = random.below(2) == 0 ? std::ldexp(0.125, std::min(exponent, 150)) : 0.0;
        part.add(query, {.dmin = dmin}, exact_first_contact(query, dmin));
    });
    all.print("scaled");
    all.expect_no_violation();
}

// ---- Published queries

std::optional<std::vector<RecordedCcdQuery>> published_queries()
{
    return read_ccd_queries(reference_folder() / "ccd");
}

/// Every published query in `disguises` exact disguises: of axes, order of points and scale. The first is the query
/// itself.
Tally tally_published(const std::vector<RecordedCcdQuery>& queries, int disguises)
{
    return tally(queries.size(), [&](Tally& part, std::size_t i) {
        const CcdQuery& query = queries[i].query;
        const FirstContact contact = exact_first_contact(query);
        const auto& orders = point_symmetries(query.kind);
        part.add(query, {}, contact);
        RandomStream random(53, i);
        for (int k = 1; k < disguises; ++k) {
            const auto& order = orders[random.below(orders.size())];
            const auto axes = static_cast<int>(random.below(num_axis_symmetries(3)));
            const int exponent = static_cast<int>(random.below(121)) - 60;
            part.add(scaled(axis_symmetry(reordered(query, order), axes), exponent), {}, contact);
        }
    });
}

TEST(Ccd, NeverMissesAndIsNeverLateInPublishedQueries)
{
    const auto queries = published_queries();
    if (!queries)
        GTEST_SKIP() << "the queries are not in " << reference_folder() / "ccd";
    const Tally plain = tally_published(*queries, 1);
    plain.print("published (tight inclusion: 222 false alarms)");
    plain.expect_no_violation();
    EXPECT_EQ(plain.queries, 7279);
    EXPECT_EQ(plain.contacts, 435);
    EXPECT_LT(plain.count(CcdVerdict::false_alarm), 222) << "as many as tight inclusion has";
    const Tally disguised = tally_published(*queries, 6);
    disguised.print("published, in 6 disguises");
    disguised.expect_no_violation();
}

TEST(LongCcd, NeverMissesAndIsNeverLateInPublishedQueries)
{
    const auto queries = published_queries();
    if (!queries)
        GTEST_SKIP() << "the queries are not in " << reference_folder() / "ccd";
    const Tally all = tally_published(*queries, 400);
    all.print("published, in 400 disguises");
    all.expect_no_violation();
}

TEST(Ccd, APointAnUlpAboveTheMiddleOfAnEdgeThatTurnsAwayIsClear)
{
    // The direction between point and edge was tilted by rounding, so that gaps below 1e-8 of the edge counted as hits:
    // here at 2e-10.
    for (const double angle : {0.0, 0.3, 1.1, 2.5})
        for (const double gap : {1e-6, 1e-9, 1e-10, 1e-13}) {
            const Mat<3, 3> turn = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
            MovingPoints<1> p;
            p.start = p.end = turn * Vec3(0.5, gap, 0);
            MovingPoints<2> e;
            e.start << turn * Vec3(0, 0, 0), turn * Vec3(1, 0, 0);
            e.end << turn * Vec3(0, -1, 0), turn * Vec3(1, 0.5, 0);
            const CcdResult result = point_edge_ccd(p, e);
            EXPECT_EQ(result.outcome, CcdOutcome::clear) << angle << " rad, " << gap << ": hit at " << result.toi;
        }
}

// ---- A point and a plane

struct PlaneQuery {
    MovingPoints<1> p;
    Vec3 origin, normal;
};

/// When |n . (x(t) - o)| first is at most dmin: linear, so a division. Nothing without contact in [0, 1].
std::optional<mpq_class> exact_plane_contact(const PlaneQuery& query, double dmin)
{
    const auto height = [&](const Vec3& x) {
        return dot(exact<3>(query.normal), minus(exact<3>(x), exact<3>(query.origin)));
    };
    const mpq_class h0 = height(query.p.start), h1 = height(query.p.end), d = dmin;
    if (abs(h0) <= d)
        return mpq_class(0);
    const mpq_class side = sgn(h0), fall = side * (h0 - h1), gap = side * h0 - d;
    if (gap > fall)
        return std::nullopt;
    return mpq_class(gap / fall);
}

PlaneQuery random_plane_query(RandomStream& random)
{
    using namespace ccd_cases;
    PlaneQuery query;
    const bool is_fine = chance(random, 2);
    const auto draw = [&] { return is_fine ? fine_vector(random, 3) : coarse_vector(random, 3); };
    query.p.start = draw();
    query.p.end = draw();
    query.origin = draw();
    query.normal =
        chance(random, 2) ? Vec3(Vec3::Unit(static_cast<int>(random.below(3)))) : random_direction<3>(random);
    // On the plane, an ulp off it or anywhere, at the start, at the end or at both.
    if (chance(random, 3)) {
        MovingPoints<1>& p = query.p;
        p.start -= query.normal.dot(p.start.col(0) - query.origin) * query.normal;
        if (chance(random, 3))
            p.start[0] = std::nextafter(p.start[0], chance(random, 2) ? 9 : -9);
    }
    if (chance(random, 4))
        query.p.end -= query.normal.dot(query.p.end.col(0) - query.origin) * query.normal;
    if (chance(random, 6))
        query.p.end = query.p.start;
    const double scale = std::ldexp(1.0, chance(random, 4) ? static_cast<int>(random.below(2000)) - 1000 : 0);
    query.p.start *= scale;
    query.p.end *= scale;
    query.origin *= scale;
    return query;
}

TEST(Ccd, PointAndPlaneNeverMissAndAreNeverLate)
{
    int contacts = 0, false_alarms = 0;
    for (int i = 0; i < 20'000; ++i) {
        RandomStream random(59, i);
        const PlaneQuery query = random_plane_query(random);
        const CcdOptions options{
            .dmin = random.below(3) == 0 ? random.uniform(0, 0.5) : 0,
            .tmax = random.below(2) == 0 ? 1 : random.uniform(0.1, 1)};
        const CcdResult result = point_plane_ccd(query.p, query.origin, query.normal, options);
        const std::optional<mpq_class> contact = exact_plane_contact(query, options.dmin);
        const bool hits = contact && *contact <= mpq_class(options.tmax);
        contacts += hits ? 1 : 0;
        false_alarms += !hits && !result.is_clear() ? 1 : 0;
        const auto message = [&] {
            std::ostringstream text;
            text << std::hexfloat << "query " << i << ": toi " << result.toi << ", exact "
                 << (contact ? contact->get_d() : -1);
            return text.str();
        };
        ASSERT_TRUE(!result.is_clear() || (!hits && result.toi == options.tmax)) << message();
        ASSERT_TRUE(!contact || mpq_class(result.toi) <= *contact) << message();
        ASSERT_EQ(result.outcome == CcdOutcome::hit_at_zero, contact && *contact == 0) << message();
        ASSERT_TRUE(result.toi > 0 || (contact && *contact < std::numeric_limits<double>::denorm_min())) << message();
    }
    std::cout << "planes: " << contacts << " contacts, " << false_alarms << " false alarms" << std::endl;
    EXPECT_GT(contacts, 5000);
    EXPECT_LT(false_alarms, 500);
}

// ---- Degenerate and extreme calls

MovingPoints<1> moving(const Vec3& start, const Vec3& end) { return {start, end}; }
MovingPoints<1> still(const Vec3& x) { return {x, x}; }

template <int N>
MovingPoints<N> join(const std::array<MovingPoints<1>, N>& points)
{
    MovingPoints<N> all;
    for (int k = 0; k < N; ++k) {
        all.start.col(k) = points[k].start;
        all.end.col(k) = points[k].end;
    }
    return all;
}

const MovingPoints<3> triangle = join<3>({still({0, 0, 0}), still({1, 0, 0}), still({0, 1, 0})});
const MovingPoints<1> falling = moving({0.25, 0.25, 1}, {0.25, 0.25, -1});

template <typename Call>
void expect_rejected(Call&& call, const std::string& field)
{
    try {
        call();
        ADD_FAILURE() << "no error";
    } catch (const InvalidInput& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with(field)) << error.what();
    }
}

TEST(Ccd, RejectsOptionsOutOfRange)
{
    const auto call = [](const CcdOptions& options) {
        return [=] { (void)point_triangle_ccd(falling, triangle, options); };
    };
    for (const double tmax : {0.0, -1.0, std::nextafter(1.0, 2.0), 2.0, infinity, nan})
        expect_rejected(call({.tmax = tmax}), "tmax");
    for (const double tolerance : {0.0, -1e-6, 1.0, nan})
        expect_rejected(call({.tolerance = tolerance}), "tolerance");
    for (const double dmin : {-1e-300, -1.0, infinity, nan, 1e51})
        expect_rejected(call({.dmin = dmin}), "dmin");
    for (const int max_intervals : {0, -1, 63})
        expect_rejected(call({.max_intervals = max_intervals}), "max_intervals");
    // Every function checks.
    const CcdOptions bad{.tmax = 0};
    const MovingPoints<2> edge = join<2>({still({0, 0, 0}), still({1, 0, 0})});
    expect_rejected([&] { (void)point_point_ccd(falling, still({0, 0, 0}), bad); }, "tmax");
    expect_rejected([&] { (void)point_edge_ccd(falling, edge, bad); }, "tmax");
    expect_rejected([&] { (void)edge_edge_ccd(edge, edge, bad); }, "tmax");
    expect_rejected([&] { (void)point_plane_ccd(falling, Vec3::Zero(), Vec3::UnitZ(), bad); }, "tmax");
}

TEST(Ccd, RejectsCoordinatesThatAreNotFiniteAndNormalsThatAreNotUnit)
{
    for (const double bad : {nan, infinity, -infinity}) {
        const MovingPoints<1> bad_start = moving({bad, 0, 1}, {0, 0, 1}), bad_end = moving({0, 0, 1}, {0, bad, 1});
        for (const MovingPoints<1>& p : {bad_start, bad_end}) {
            expect_rejected([&] { (void)point_point_ccd(p, falling); }, "points");
            expect_rejected([&] { (void)point_point_ccd(falling, p); }, "points");
            expect_rejected([&] { (void)point_triangle_ccd(p, triangle); }, "points");
            expect_rejected([&] { (void)point_plane_ccd(p, Vec3::Zero(), Vec3::UnitZ()); }, "points");
        }
        expect_rejected([&] { (void)point_plane_ccd(falling, {0, bad, 0}, Vec3::UnitZ()); }, "origin");
        expect_rejected([&] { (void)point_plane_ccd(falling, Vec3::Zero(), {0, 0, bad}); }, "unit_normal");
    }
    expect_rejected([] { (void)point_plane_ccd(falling, Vec3::Zero(), {0, 0, 2}); }, "unit_normal");
    expect_rejected([] { (void)point_plane_ccd(falling, Vec3::Zero(), Vec3::Zero()); }, "unit_normal");
}

TEST(Ccd, KnowsTheTimeOfAFall)
{
    const CcdResult hit = point_triangle_ccd(falling, triangle);
    EXPECT_EQ(hit.outcome, CcdOutcome::hit);
    EXPECT_LE(hit.toi, 0.5);
    EXPECT_GE(hit.toi, 0.5 - 1e-9);
    EXPECT_TRUE(point_triangle_ccd(falling, triangle, {.tmax = 0.49}).is_clear());
    EXPECT_EQ(point_triangle_ccd(falling, triangle, {.tmax = 0.49}).toi, 0.49);
    EXPECT_FALSE(point_triangle_ccd(falling, triangle, {.tmax = 0.5}).is_clear());
    EXPECT_NEAR(point_triangle_ccd(falling, triangle, {.dmin = 0.5}).toi, 0.25, 1e-9);
    EXPECT_NEAR(point_plane_ccd(falling, Vec3::Zero(), Vec3::UnitZ(), {.dmin = 0.5}).toi, 0.25, 1e-9);
}

TEST(Ccd, AMinimumDistanceNotBelowTheInitialOneIsAContactAtTheStart)
{
    for (const double dmin : {1.0, std::nextafter(1.0, 2.0), 2.0, 1e50}) {
        EXPECT_EQ(point_triangle_ccd(falling, triangle, {.dmin = dmin}).outcome, CcdOutcome::hit_at_zero);
        EXPECT_EQ(point_triangle_ccd(falling, triangle, {.dmin = dmin}).toi, 0);
        EXPECT_EQ(
            point_plane_ccd(falling, Vec3::Zero(), Vec3::UnitZ(), {.dmin = dmin}).outcome, CcdOutcome::hit_at_zero);
    }
    // Just below it there is time left.
    const double below = std::nextafter(1.0, 0.0);
    EXPECT_GT(point_triangle_ccd(falling, triangle, {.dmin = below}).toi, 0);
    EXPECT_GT(point_plane_ccd(falling, Vec3::Zero(), Vec3::UnitZ(), {.dmin = below}).toi, 0);
    EXPECT_TRUE(point_triangle_ccd(still({0.25, 0.25, 1}), triangle, {.dmin = below}).is_clear());
}

TEST(Ccd, WithoutMotionThereIsContactAtTheStartOrNone)
{
    EXPECT_TRUE(point_triangle_ccd(still({0.25, 0.25, 1}), triangle).is_clear());
    EXPECT_TRUE(point_triangle_ccd(still({0.25, 0.25, 5e-324}), triangle).is_clear());
    EXPECT_TRUE(point_triangle_ccd(still({0.25, 0.25, -1e-300}), triangle).is_clear());
    EXPECT_EQ(point_triangle_ccd(still({0.25, 0.25, 0}), triangle).outcome, CcdOutcome::hit_at_zero);
    EXPECT_EQ(point_triangle_ccd(still({0.5, 0.5, 0}), triangle).outcome, CcdOutcome::hit_at_zero);
    EXPECT_TRUE(point_triangle_ccd(still({0.5, std::nextafter(0.5, 1.0), 0}), triangle).is_clear());
    EXPECT_EQ(point_plane_ccd(still({1, 2, 0}), Vec3::Zero(), Vec3::UnitZ()).outcome, CcdOutcome::hit_at_zero);
    EXPECT_TRUE(point_plane_ccd(still({1, 2, 5e-324}), Vec3::Zero(), Vec3::UnitZ()).is_clear());
}

TEST(Ccd, EqualElementsTouchAtTheStartHoweverTheyMove)
{
    for (int i = 0; i < 100; ++i) {
        RandomStream random(61, i);
        MovingPoints<2> a{random_points<3, 2>(random), random_points<3, 2>(random)};
        EXPECT_EQ(edge_edge_ccd(a, a).outcome, CcdOutcome::hit_at_zero);
        const MovingPoints<2> b{a.start, random_points<3, 2>(random)};
        EXPECT_EQ(edge_edge_ccd(a, b).outcome, CcdOutcome::hit_at_zero);
        const MovingPoints<1> p{a.start.col(1), random_points<3>(random)};
        EXPECT_EQ(point_point_ccd(p, p).outcome, CcdOutcome::hit_at_zero);
        EXPECT_EQ(point_edge_ccd(p, a).outcome, CcdOutcome::hit_at_zero);
    }
}

TEST(Ccd, AGapOfTheLeastDoublesLeavesTime)
{
    for (const double height : {1e-17, 1e-100, 1e-160, 1e-300, 1e-310}) {
        const CcdResult result = point_triangle_ccd(moving({0.25, 0.25, height}, {0.25, 0.25, -1}), triangle);
        EXPECT_EQ(result.outcome, CcdOutcome::hit) << height;
        EXPECT_GT(result.toi, 0.4 * height);
        EXPECT_LE(result.toi, height);
        EXPECT_TRUE(point_triangle_ccd(moving({0.25, 0.25, height}, {0.25, 0.25, 1}), triangle).is_clear());
        const CcdResult plane = point_plane_ccd(moving({7, 7, height}, {7, 7, -1}), Vec3::Zero(), Vec3::UnitZ());
        EXPECT_EQ(plane.outcome, CcdOutcome::hit);
        EXPECT_GT(plane.toi, 0.4 * height);
        EXPECT_LE(plane.toi, height);
    }
    // The contact comes before the least double: 0 is the only time that is not late.
    const CcdResult result = point_triangle_ccd(moving({0.25, 0.25, 5e-324}, {0.25, 0.25, -1e10}), triangle);
    EXPECT_EQ(result.outcome, CcdOutcome::hit);
    EXPECT_EQ(result.toi, 0);
}

/// A known limit: 0 although the contact is at 1. The gap is 1e-216 and the speed 1e260, and one direction cannot show
/// that they stay apart for as long as the least double. Found by fuzzing; a better answer may change this test.
TEST(Ccd, GivesUpWithZeroWhereTheGapOverTheSpeedIsBelowTheLeastDouble)
{
    constexpr double s = 0x1.3131313131313p-718;
    CcdQuery query{.kind = CcdKind::edge_edge};
    query.start = {
        Vec3(s, s, -0x1.cdcdcdcdcdcdcp+462), Vec3(0x1.3dcdcdcdcdcdcp-718, s, s), Vec3(s, s, 0x1.8131313131313p-1011),
        Vec3(0x1.01900b4810819p-1022, 0x1.7f60a1a06f9p-911, 0x1.a08p-895)};
    query.end[0] = Vec3(-0x1.71a06190a090ap+865, 0x0.0073f19f807f8p-1022, 0);
    const CcdOptions options{.tmax = 0x1.3131313131313p-4};
    const FirstContact contact = exact_first_contact(query);
    EXPECT_EQ(contact.lo, 1);
    const CcdResult result = library_ccd(query, options);
    EXPECT_EQ(result.outcome, CcdOutcome::hit);
    EXPECT_EQ(judge(query, options, result, contact), CcdVerdict::no_time);
}

/// A gap of the least double between things that move fast, but along each other. The contact is at 0.65; dividing the
/// gap by the speed gave 0.
TEST(Ccd, AGapOfTheLeastDoubleBetweenFastThingsLeavesTime)
{
    CcdQuery query{.kind = CcdKind::point_triangle};
    query.start = {
        Vec3(-0x1.7ap-1, 0, 0x1.bp-1), Vec3(-0x1.d2dp+0, 0, -0x1.05cp-2), Vec3(-0x1.e5dp+0, 5e-324, 0x1.de4p-2),
        Vec3(-0x1.17ap-1, 0, 0x1.d32p-1)};
    query.end = {
        Vec3(-0x1.b6p-1, 0x1.06p-1, 0x1.8p-7), Vec3(-0x1.06dp+0, 0x1.06p-1, 0x1.8e4p-2),
        Vec3(-0x1.d34p-2, 0x1.06p-1, -0x1.38p-7), Vec3(-0x1.51ap-1, 0x1.06p-1, 0x1.d2p-5)};
    const CcdResult result = library_ccd(query);
    EXPECT_GT(result.toi, 0);
    EXPECT_EQ(judge(query, {}, result, exact_first_contact(query)), CcdVerdict::right);
}

TEST(Ccd, CoordinatesNearTheLargestDoubleAreSafe)
{
    for (const double big : {1e150, 1e160, 1e300, 1.7e308}) {
        MovingPoints<3> t = triangle;
        t.start *= big;
        t.end *= big;
        const Vec3 above = big * Vec3(0.25, 0.25, 1), below = big * Vec3(0.25, 0.25, -1);
        const CcdResult hit = point_triangle_ccd(moving(above, below), t);
        EXPECT_EQ(hit.outcome, CcdOutcome::hit) << big;
        EXPECT_GT(hit.toi, 0);
        EXPECT_LE(hit.toi, 0.5);
        EXPECT_TRUE(point_triangle_ccd(still(above), t).is_clear()) << big;
        const CcdResult plane = point_plane_ccd(moving(above, below), Vec3::Zero(), Vec3::UnitZ());
        EXPECT_EQ(plane.outcome, CcdOutcome::hit) << big;
        EXPECT_GT(plane.toi, 0.49);
        EXPECT_LE(plane.toi, 0.5);
        EXPECT_TRUE(point_plane_ccd(still(above), Vec3::Zero(), Vec3::UnitZ()).is_clear()) << big;
    }
}

TEST(Ccd, SearchesOverTheLeastTimesToo)
{
    for (const double tmax : {1e-3, 1e-100, 1e-308, 1e-320, 5e-324}) {
        EXPECT_TRUE(point_triangle_ccd(falling, triangle, {.tmax = tmax}).is_clear()) << tmax;
        // So close that rounding hides the gap.
        const CcdResult close =
            point_triangle_ccd(moving({0.25, 0.25, 1e-20}, {0.25, 0.25, -1}), triangle, {.tmax = tmax});
        EXPECT_EQ(close.is_clear(), tmax < 1e-20) << tmax;
        EXPECT_GT(close.toi, 0);
        EXPECT_EQ(
            point_triangle_ccd(moving({0.25, 0.25, 0}, {0.25, 0.25, -1}), triangle, {.tmax = tmax}).outcome,
            CcdOutcome::hit_at_zero);
    }
}

// ---- Bounded work

TEST(Ccd, EndsWithinTheNumberOfIntervals)
{
    // Tolerances that no interval of doubles reaches, on the queries that take most intervals.
    for (const int max_intervals : {64, 100, 1000, 1 << 14}) {
        const Tally all = tally(1500, [&](Tally& part, std::size_t i) {
            RandomStream random(67, i);
            const CcdFamily family = ccd_families[random.below(ccd_families.size())];
            const CcdQuery query = ccd_case(family, ccd_pairs[i % ccd_pairs.size()], random);
            part.add(
                query, {.tolerance = i % 2 == 0 ? 1e-10 : 1e-300, .max_intervals = max_intervals},
                exact_first_contact(query));
        });
        all.expect_no_violation();
        EXPECT_LE(all.most_intervals, max_intervals);
        EXPECT_GT(all.exhausted, 0) << "nothing here reaches the limit of " << max_intervals;
    }
}

// GMP's memory while a query runs: all that grows with the input, as the walk itself has no containers.
std::int64_t gmp_bytes = 0, gmp_peak = 0;

void count_gmp(std::int64_t bytes)
{
    gmp_bytes += bytes;
    gmp_peak = std::max(gmp_peak, gmp_bytes);
}

TEST(Ccd, TheExactStartStaysWithinAMegabyte)
{
    static_assert(sizeof(ccd::Query<2, 2>) < 1024);
    void* (*allocate)(std::size_t) = nullptr;
    void* (*reallocate)(void*, std::size_t, std::size_t) = nullptr;
    void (*release)(void*, std::size_t) = nullptr;
    mp_get_memory_functions(&allocate, &reallocate, &release);
    mp_set_memory_functions(
        [](std::size_t n) { return count_gmp(static_cast<std::int64_t>(n)), std::malloc(n); },
        [](void* p, std::size_t old_size, std::size_t n) {
            count_gmp(static_cast<std::int64_t>(n) - static_cast<std::int64_t>(old_size));
            return std::realloc(p, n);
        },
        [](void* p, std::size_t n) {
            count_gmp(-static_cast<std::int64_t>(n));
            std::free(p);
        });
    // The widest numbers: exponents from one end of the range to the other.
    gmp_bytes = gmp_peak = 0;
    for (int i = 0; i < 200; ++i) {
        RandomStream random(71, i);
        CcdQuery query{.kind = i % 2 == 0 ? CcdKind::point_triangle : CcdKind::edge_edge};
        for (int k = 0; k < 4; ++k)
            for (int axis = 0; axis < 3; ++axis)
                for (auto* x : {&query.start, &query.end})
                    (*x)[k][axis] =
                        random.uniform(-1, 1) * std::ldexp(1.0, static_cast<int>(random.below(2000)) - 1000);
        EXPECT_GE(library_ccd(query).toi, 0);
    }
    mp_set_memory_functions(allocate, reallocate, release);
    std::cout << "most memory of exact numbers: " << gmp_peak << " bytes" << std::endl;
    EXPECT_GT(gmp_peak, 0) << "no query was decided exactly";
    EXPECT_LT(gmp_peak, 1 << 20);
    EXPECT_EQ(gmp_bytes, 0) << "memory was lost";
}

// ---- The error bound of ccd_kernel.hpp

template <int NA, int NB>
double largest_share_of_error(const CcdQuery& given, RandomStream& random)
{
    const MovingPoints<NA> a = moving_points<NA>(given, 0);
    const MovingPoints<NB> b = moving_points<NB>(given, NA);
    const ccd::Query<NA, NB> query(a, b);
    double share = 0;
    for (int k = 0; k < 4; ++k) {
        const double t = k == 0 ? 0 : k == 1 ? 1 : random.uniform();
        const auto [closest, normal] = ccd::between_of<NA, NB>(query.at(t));
        for (const Vec3& v : {closest, normal, random_direction<3>(random)}) {
            const Vec3 n = ccd::direction(v);
            if (!n.allFinite()) // clears nothing
                continue;
            const ExactPoint<3> exact_n = exact<3>(n);
            EXPECT_LE(squared_norm(exact_n), 1) << given;
            const auto projected = [&](int i) {
                const auto x = exact<3>(given.start[i]), y = exact<3>(given.end[i]);
                return dot(exact_n, minus_multiple(x, mpq_class(t), minus(x, y)));
            };
            mpq_class least = projected(0), greatest = projected(NA);
            for (int i = 1; i < NA; ++i)
                least = std::min(least, projected(i));
            for (int i = NA + 1; i < NA + NB; ++i)
                greatest = std::max(greatest, projected(i));
            const mpq_class gap = ccd::Query<NA, NB>::gap(query.at(t), n);
            share = std::max(share, mpq_class(abs(gap - (least - greatest)) / query.error).get_d());
        }
    }
    return share;
}

/// The derivation there says that 25 of the 32 units are ever used.
TEST(Ccd, GapsOfProjectionsAreWithinTheirErrorBound)
{
    double most = 0;
    for (const CcdFamily family : ccd_families)
        for (std::size_t pair = 0; pair < ccd_pairs.size(); ++pair)
            for (int i = 0; i < 60; ++i) {
                RandomStream random(73 + pair, i);
                CcdQuery query = ccd_case(family, ccd_pairs[pair], random);
                if (i % 3 == 1) // rounds every coordinate
                    query = transformed(query, [&](const Vec3& x) { return Vec3(x * 1.1 + Vec3(1e3, -0.1, 1e-9)); });
                if (i % 3 == 2)
                    query = scaled(query, static_cast<int>(random.below(1000)) - 900);
                const double share = query.kind == CcdKind::point_point  ? largest_share_of_error<1, 1>(query, random)
                                     : query.kind == CcdKind::point_edge ? largest_share_of_error<1, 2>(query, random)
                                     : query.kind == CcdKind::point_triangle
                                         ? largest_share_of_error<1, 3>(query, random)
                                         : largest_share_of_error<2, 2>(query, random);
                EXPECT_LE(share, 25.0 / 32) << query;
                most = std::max(most, share);
            }
    std::cout << "largest error of a gap: " << most << " of its bound" << std::endl;
    EXPECT_GT(most, 1e-3) << "the bound is not put to the test";
}

} // namespace
} // namespace abut::test::ccd_test
