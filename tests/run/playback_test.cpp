#include "abut/play/playback.hpp"

#include "abut/io/deflate.hpp"
#include "abut/io/zip.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "abut/mesh/topology.hpp"
#include "abut/play/viewer_script.hpp"
#include "abut/run/report.hpp"
#include "abut/run/result_playback.hpp"
#include "abut/run/run.hpp"
#include "support/simulated.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <zlib.h>

#include <cstring>
#include <fstream>
#include <map>
#include <random>

namespace abut {

namespace playback_test {

namespace fs = std::filesystem;
using nlohmann::json;

std::string inflated(const std::string& bytes)
{
    std::string out(std::size_t(1) << 22, '\0');
    uLongf size = out.size();
    EXPECT_EQ(
        uncompress(
            reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()),
        Z_OK);
    out.resize(size);
    return out;
}

/// Reads numbers one behind the other.
class Bytes {
public:
    explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {}

    template <typename T>
    T next()
    {
        T value{};
        EXPECT_LE(at_ + sizeof(T), bytes_.size());
        if (at_ + sizeof(T) <= bytes_.size())
            std::memcpy(&value, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return value;
    }
    [[nodiscard]] bool is_at_end() const { return at_ == bytes_.size(); }

private:
    std::string bytes_;
    std::size_t at_ = 0;
};

struct Decoded {
    std::vector<Positions> positions;                 ///< of each body
    std::vector<std::vector<Eigen::VectorXd>> fields; ///< of each field, of each body
    std::vector<ContactArrow> forces;
};

/// docs/playback.md, word by word.
class Decoder {
public:
    explicit Decoder(const json& manifest) : manifest_(manifest) {}

    std::vector<Decoded> chunk(const std::string& bytes, int count)
    {
        Bytes data(inflated(bytes));
        std::vector<Decoded> frames;
        q_.assign(manifest_["bodies"].size(), {});
        b_.assign(manifest_["fields"].size(), std::vector<std::vector<std::uint8_t>>(manifest_["bodies"].size()));
        for (int k = 0; k < count; ++k)
            frames.push_back(frame(data));
        EXPECT_TRUE(data.is_at_end());
        return frames;
    }

private:
    Decoded frame(Bytes& data)
    {
        Decoded decoded;
        for (std::size_t body = 0; body < q_.size(); ++body)
            decoded.positions.push_back(position_block(data, body));
        for (auto& of_bodies : b_) {
            decoded.fields.emplace_back();
            for (std::size_t body = 0; body < of_bodies.size(); ++body)
                decoded.fields.back().push_back(field_block(data, body, of_bodies[body]));
        }
        for (auto left = data.next<std::uint32_t>(); left > 0; --left) {
            ContactArrow arrow;
            arrow.body = data.next<std::int32_t>();
            arrow.other = data.next<std::int32_t>();
            for (double& coordinate : arrow.place)
                coordinate = double(data.next<float>());
            for (double& coordinate : arrow.contact)
                coordinate = data.next<double>();
            for (double& coordinate : arrow.friction)
                coordinate = data.next<double>();
            decoded.forces.push_back(arrow);
        }
        return decoded;
    }

    Positions position_block(Bytes& data, std::size_t body)
    {
        const json& about = manifest_["bodies"][body];
        const auto n = about["num_vertices"].get<std::size_t>();
        Vec3 shift;
        for (double& s : shift)
            s = data.next<double>();
        const int mode = data.next<std::uint8_t>(), width = data.next<std::uint8_t>();
        std::vector<std::uint32_t> u(3 * n, 0);
        for (int plane = 0; plane < width; ++plane)
            for (std::uint32_t& value : u)
                value |= std::uint32_t(data.next<std::uint8_t>()) << (8 * plane);
        std::vector<std::int64_t> q(3 * n);
        for (std::size_t i = 0; i < 3 * n; ++i)
            q[i] = std::int64_t(u[i] >> 1) ^ -std::int64_t(u[i] & 1);
        if ((mode & 4) != 0)
            for (std::size_t i = 0; i < 3 * n; ++i)
                q[i] += i % n > 0 ? q[i - 1] : 0;
        auto& before = q_[body];
        for (std::size_t i = 0; i < 3 * n; ++i) {
            if ((mode & 3) == 1)
                q[i] += before.at(before.size() - 1)[i];
            if ((mode & 3) == 2)
                q[i] += 2 * before.at(before.size() - 1)[i] - before.at(before.size() - 2)[i];
        }
        before.push_back(q);
        Positions positions(static_cast<Eigen::Index>(n), 3);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t a = 0; a < 3; ++a)
                positions(Eigen::Index(i), Eigen::Index(a)) =
                    about["origin"][a].get<double>() +
                    about["quantum"].get<double>() * (shift[Eigen::Index(a)] + double(q[a * n + i]));
        return positions;
    }

    Eigen::VectorXd field_block(Bytes& data, std::size_t body, std::vector<std::uint8_t>& before)
    {
        const auto n = manifest_["bodies"][body]["num_vertices"].get<std::size_t>();
        const int mode = data.next<std::uint8_t>(), width = data.next<std::uint8_t>();
        const auto least = data.next<double>(), largest = data.next<double>();
        std::vector<std::uint8_t> b(n, 0);
        for (std::size_t i = 0; i < n && width == 1; ++i)
            b[i] = data.next<std::uint8_t>();
        for (std::size_t i = 1; i < n && (mode & 2) != 0; ++i)
            b[i] = static_cast<std::uint8_t>(b[i] + b[i - 1]);
        for (std::size_t i = 0; i < n && (mode & 1) != 0; ++i)
            b[i] = static_cast<std::uint8_t>(b[i] + before.at(i));
        before = b;
        Eigen::VectorXd values(static_cast<Eigen::Index>(n));
        for (std::size_t i = 0; i < n; ++i)
            values[Eigen::Index(i)] = least + (largest - least) * b[i] / 255;
        return values;
    }

    const json& manifest_;
    std::vector<std::vector<std::vector<std::int64_t>>> q_; // of each body, of the frames so far
    std::vector<std::vector<std::vector<std::uint8_t>>> b_; // of each field, of each body, of the frame before
};

/// Triangles, edges, points and vertices of bodies.
struct BodyTopology {
    std::vector<std::uint32_t> triangles, edges, points, vertices;
};

std::vector<BodyTopology> topology_of(const PlaybackEncoder& encoder)
{
    Bytes data(inflated(encoder.topology()));
    std::vector<BodyTopology> bodies;
    const json manifest = encoder.manifest();
    for (const json& body : manifest["bodies"]) {
        BodyTopology read;
        const auto fill = [&](std::vector<std::uint32_t>& list, std::size_t count) {
            for (std::size_t k = 0; k < count; ++k)
                list.push_back(data.next<std::uint32_t>());
        };
        fill(read.triangles, 3 * body["num_triangles"].get<std::size_t>());
        fill(read.edges, 2 * body["num_edges"].get<std::size_t>());
        fill(read.points, body["num_points"].get<std::size_t>());
        fill(read.vertices, body["num_vertices"].get<std::size_t>());
        bodies.push_back(read);
    }
    EXPECT_TRUE(data.is_at_end());
    return bodies;
}

/// A solid, a sheet, a curve and two points, with their frame at the start.
struct Mixed {
    Scene scene;
    Frame frame;

    Mixed()
    {
        scene.objects.push_back(test::cube("cube", 0.2, Vec3(0, 1, 0), 3));
        scene.objects.push_back(
            {.name = "sheet", .kind = ObjectKind::shell, .mesh = generate::cloth({.cells = {4, 4}})});
        MeshData curve, points;
        curve.vertices.resize(3, 3);
        curve.vertices << 5, 0, 0, 5, 1, 0, 5, 2, 1;
        curve.edges.resize(2, 2);
        curve.edges << 0, 1, 1, 2;
        points.vertices.resize(1, 3);
        points.vertices << -3, 4, 5;
        scene.objects.push_back({.name = "curve", .kind = ObjectKind::obstacle, .mesh = curve});
        scene.objects.push_back({.name = "point", .kind = ObjectKind::points, .mesh = points});
        for (std::size_t k = 0; k < scene.objects.size(); ++k) {
            append(frame.mesh, scene.objects[k].mesh);
            frame.objects.insert(
                frame.objects.end(), static_cast<std::size_t>(scene.objects[k].mesh.vertices.rows()),
                static_cast<int>(k));
        }
    }
};

/// The diagonal of the box around rows of positions.
double extent_of(const Positions& x, const std::vector<std::uint32_t>& vertices)
{
    Vec3 low = Vec3::Constant(INFINITY), high = -low;
    for (const std::uint32_t v : vertices) {
        low = low.cwiseMin(lifted(x, v));
        high = high.cwiseMax(lifted(x, v));
    }
    return (high - low).norm();
}

TEST(Playback, HasTheSurfaceOfSolidsAndAllOfTheRest)
{
    const Mixed mixed;
    const PlaybackEncoder encoder(mixed.scene, mixed.frame, {});
    const std::vector<BodyTopology> bodies = topology_of(encoder);
    ASSERT_EQ(bodies.size(), 4u);
    EXPECT_EQ(bodies[0].triangles.size(), 3u * 2 * 9 * 6);
    EXPECT_EQ(bodies[0].vertices.size(), 64u - 8); // 4³ vertices, 2³ of them inside
    EXPECT_EQ(bodies[1].triangles.size(), std::size_t(mixed.scene.objects[1].mesh.faces.size()));
    EXPECT_EQ(bodies[2].edges, (std::vector<std::uint32_t>{0, 1, 1, 2}));
    EXPECT_EQ(bodies[3].points, std::vector<std::uint32_t>{0});
    // Vertices are found again in the frame, and triangles are those of the surface, seen from outside.
    double volume = 0;
    for (std::size_t t = 0; t < bodies[0].triangles.size(); t += 3) {
        const auto corner = [&](std::size_t c) {
            return lifted(mixed.frame.mesh.vertices, bodies[0].vertices.at(bodies[0].triangles[t + c]));
        };
        volume += corner(0).dot(corner(1).cross(corner(2))) / 6;
    }
    EXPECT_NEAR(volume, 0.008, 1e-12);
}

TEST(Playback, PositionsAreWithinTheirPrecisionWhateverTheMotion)
{
    const Mixed mixed;
    const PlaybackEncoder encoder(mixed.scene, mixed.frame, {});
    const json manifest = encoder.manifest();
    const std::vector<BodyTopology> bodies = topology_of(encoder);
    const auto at_rest = [](const Vec3& x, int) { return x; };
    const auto far = [](const Vec3& x, int k) { return Vec3(x + Vec3(1e5 * k, -3e4 * k * k, 7)); };
    const auto turning = [](const Vec3& x, int k) { return Vec3(Eigen::AngleAxisd(0.7 * k, Vec3(1, 2, 2) / 3) * x); };
    const auto stretching = [](const Vec3& x, int k) { return Vec3(x * std::pow(3.0, k)); };
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto wild = [&](const Vec3& x, int) {
        return Vec3(x + Vec3(uniform(random), uniform(random), uniform(random)));
    };
    const std::vector<std::function<Vec3(const Vec3&, int)>> motions{at_rest, far, turning, stretching, wild};
    for (std::size_t motion = 0; motion < motions.size(); ++motion) {
        SCOPED_TRACE(motion);
        std::vector<PlaybackFrame> frames(7);
        for (int k = 0; k < 7; ++k) {
            frames[std::size_t(k)].positions = mixed.frame.mesh.vertices;
            for (Eigen::Index v = 0; v < mixed.frame.mesh.vertices.rows(); ++v)
                frames[std::size_t(k)].positions.row(v) = motions[motion](lifted(mixed.frame.mesh.vertices, v), k);
        }
        const std::vector<Decoded> decoded = Decoder(manifest).chunk(encoder.chunk(frames), 7);
        for (std::size_t k = 0; k < 7; ++k)
            for (std::size_t body = 0; body < 3; ++body) {
                const double extent = extent_of(mixed.frame.mesh.vertices, bodies[body].vertices);
                for (std::size_t i = 0; i < bodies[body].vertices.size(); ++i) {
                    const Vec3 exact = lifted(frames[k].positions, bodies[body].vertices[i]);
                    // Beside the rounding to quanta, that of numbers of the size of the way.
                    ASSERT_LT(
                        (lifted(decoded[k].positions[body], Eigen::Index(i)) - exact).norm(),
                        playback_precision * extent + 1e-14 * exact.norm());
                }
            }
    }
}

TEST(Playback, ABodyThatMovesAsAWholeCostsNothing)
{
    Mixed mixed;
    const PlaybackEncoder encoder(mixed.scene, mixed.frame, {});
    std::vector<PlaybackFrame> frames(30);
    for (std::size_t k = 0; k < frames.size(); ++k) {
        frames[k].positions = mixed.frame.mesh.vertices;
        frames[k].positions.col(1).array() -= 0.005 * double(k * k);
    }
    const std::size_t one = encoder.chunk({frames.data(), 1}).size(), all = encoder.chunk(frames).size();
    EXPECT_LT(all, one + 29 * 60); // shifts, modes and rounding that moves by a quantum here and there
}

TEST(Playback, FieldsAreWithinTheirRangeOver255)
{
    const Mixed mixed;
    const PlaybackEncoder encoder(mixed.scene, mixed.frame, {{"a", "A", "m"}, {"b", "B", ""}});
    const json manifest = encoder.manifest();
    const std::vector<BodyTopology> bodies = topology_of(encoder);
    const Eigen::Index count = mixed.frame.mesh.vertices.rows();
    std::mt19937 random(2);
    std::uniform_real_distribution<double> uniform(-1e3, 1e3);
    std::vector<PlaybackFrame> frames(5);
    for (PlaybackFrame& frame : frames) {
        frame.positions = mixed.frame.mesh.vertices;
        frame.fields = {
            Eigen::VectorXd::NullaryExpr(count, [&] { return uniform(random); }),
            Eigen::VectorXd::Constant(count, 7.5)};
    }
    frames[3].fields[0] = frames[2].fields[0];
    frames[4].fields[0].setConstant(NAN);
    const std::vector<Decoded> decoded = Decoder(manifest).chunk(encoder.chunk(frames), 5);
    for (std::size_t k = 0; k < 5; ++k)
        for (std::size_t body = 0; body < 4; ++body)
            for (std::size_t i = 0; i < bodies[body].vertices.size(); ++i) {
                const auto v = Eigen::Index(bodies[body].vertices[i]);
                EXPECT_EQ(decoded[k].fields[1][body][Eigen::Index(i)], 7.5);
                if (k < 4) {
                    EXPECT_NEAR(
                        decoded[k].fields[0][body][Eigen::Index(i)], frames[k].fields[0][v], 2000.0 / 255 / 2 + 1e-9);
                } else {
                    EXPECT_EQ(decoded[k].fields[0][body][Eigen::Index(i)], 0);
                }
            }
}

TEST(Playback, TheSameFramesGiveTheSameBytes)
{
    const Mixed mixed;
    const PlaybackEncoder encoder(mixed.scene, mixed.frame, {});
    std::vector<PlaybackFrame> frames(3);
    for (PlaybackFrame& frame : frames)
        frame.positions = mixed.frame.mesh.vertices;
    EXPECT_EQ(encoder.chunk(frames), encoder.chunk(frames));
    EXPECT_EQ(encoder.topology(), PlaybackEncoder(mixed.scene, mixed.frame, {}).topology());
}

/// A run in a folder of its own.
class ResultsToPlay : public testing::Test {
protected:
    ResultsToPlay() { fs::remove_all(folder); }
    ~ResultsToPlay() override { fs::remove_all(folder); }

    void run_scene(const std::vector<std::string>& settings = {})
    {
        const SceneSource source = parse_scene_source(sliding_cubes, "cubes", ".", settings);
        Simulation simulation(source.scene);
        ResultFolder results = start_results(folder, {.force = true}, *source.json, simulation);
        RunObserver nobody;
        static_cast<void>(run(simulation, results, {}, nobody));
    }

    static constexpr const char* sliding_cubes = R"({
        "format": 1, "name": "cubes", "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
        "contact": {"friction": {"mu": 0.4}},
        "objects": [
          {"name": "lower", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [2, 2, 2]},
           "transform": {"translate": [0, 0.101, 0]}, "velocity": [1, 0, 0]},
          {"name": "upper", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [2, 2, 2]},
           "transform": {"translate": [0.02, 0.302, 0.01]}}],
        "time": {"dt": 0.01, "steps": 24}})";

    const fs::path folder = fs::temp_directory_path() / ("abut-playback-" + std::to_string(getpid()));
};

TEST_F(ResultsToPlay, ArrowsAddUpToTheForcesOfTheStatistics)
{
    run_scene();
    const ResultFolder results = ResultFolder::open(folder, false);
    const ResultPlayback playback(results);
    const json manifest = playback.encoder().manifest();
    int num_forces = 0;
    static_cast<void>(results.for_each_record([&](StepRecord&& record) {
        const std::optional<PlaybackFrame> frame = playback.frame(record.step);
        ASSERT_TRUE(frame);
        const std::vector<Decoded> decoded = Decoder(manifest).chunk(playback.encoder().chunk({&*frame, 1}), 1);
        std::map<std::pair<std::string, std::string>, Vec3> sums;
        const auto name = [&](int body) {
            return (body < 0 ? manifest["planes"][std::size_t(-1 - body)] : manifest["bodies"][std::size_t(body)])
                .at("name")
                .get<std::string>();
        };
        for (const ContactArrow& arrow : decoded[0].forces) {
            auto& sum = sums.try_emplace({name(arrow.body), name(arrow.other)}, Vec3::Zero()).first->second;
            sum += arrow.contact + arrow.friction;
        }
        EXPECT_EQ(sums.size(), record.forces.size());
        for (const ForceRecord& force : record.forces) {
            const Vec3 logged = force.contact + force.friction;
            EXPECT_LT((sums.at({force.on, force.by}) - logged).norm(), 1e-6 * std::max(1.0, logged.norm()));
            num_forces += force.friction.norm() > 0 ? 1 : 0;
        }
    }));
    EXPECT_GT(num_forces, 10);
}

TEST_F(ResultsToPlay, FramesThatTakeMoreThanTheSizeAreThinnedEvenly)
{
    run_scene();
    const ResultFolder results = ResultFolder::open(folder, false);
    const ResultPlayback playback(results);
    const auto size_of = [](const PackedPlayback& packed) {
        std::size_t bytes = 0;
        for (const std::string& chunk : packed.chunks)
            bytes += chunk.size();
        return double(bytes) * 4 / 3;
    };
    const PackedPlayback all = pack(results, playback, {});
    EXPECT_EQ(all.steps.size(), 25u);
    const double half = size_of(all) / 2e6;
    const PackedPlayback some = pack(results, playback, {.megabytes = half});
    EXPECT_LE(size_of(some), half * 1e6);
    EXPECT_LT(some.steps.size(), 25u);
    EXPECT_GT(some.steps.size(), 5u);
    EXPECT_EQ(some.steps.front(), 0);
    EXPECT_EQ(some.steps.back(), 24);
    EXPECT_EQ(some.frames_of_run, 25u);
    int widest = 0, narrowest = 100;
    for (std::size_t k = 1; k < some.steps.size(); ++k) {
        widest = std::max(widest, some.steps[k] - some.steps[k - 1]);
        narrowest = std::min(narrowest, some.steps[k] - some.steps[k - 1]);
    }
    EXPECT_LE(widest, narrowest + 1);
    EXPECT_EQ(pack(results, playback, {.megabytes = 1e-6}).steps, (std::vector<int>{0, 24}));
}

TEST_F(ResultsToPlay, DamagedFramesAreLeftOutAndAPageIsWrittenAllTheSame)
{
    run_scene();
    const ResultFolder results = ResultFolder::open(folder, false);
    std::ofstream(results.frame_path(0)) << "no frame";
    std::ofstream(results.frame_path(7)) << "no frame";
    const PackedPlayback packed = pack(results, ResultPlayback(results), {});
    EXPECT_EQ(packed.steps.size(), 23u);
    for (const int step : results.frame_steps())
        std::ofstream(results.frame_path(step)) << "no frame";
    EXPECT_THROW(ResultPlayback{results}, InvalidInput);
    const fs::path path = write_report(results).path;
    std::stringstream page;
    page << std::ifstream(path).rdbuf();
    EXPECT_NE(page.str().find("No frames to play"), std::string::npos);
}

TEST_F(ResultsToPlay, StressIsLeftOutWhereTheMeshIsNotThatOfTheRun)
{
    run_scene();
    ASSERT_EQ(ResultPlayback(ResultFolder::open(folder, false)).encoder().fields().size(), 4u);
    json scene = json::parse(std::ifstream(folder / "scene.json"));
    scene["objects"][0]["geometry"]["subdivisions"] = {2, 2, 3};
    std::ofstream(folder / "scene.json") << scene;
    EXPECT_EQ(ResultPlayback(ResultFolder::open(folder, false)).encoder().fields().size(), 2u);
}

TEST(Zip, HoldsWhatWasPutIn)
{
    // Python reads real ones in tests/apps/test_report.py; here the sizes and the empty ones.
    const std::vector<ZipEntry> entries{{"a/b.txt", "hello hello hello"}, {"empty", ""}};
    const std::string bytes = zip(entries);
    EXPECT_EQ(bytes.substr(0, 4), "PK\x03\x04");
    EXPECT_NE(bytes.find("a/b.txt"), std::string::npos);
    EXPECT_EQ(zip({}).size(), 22u);
    EXPECT_EQ(zip(entries), bytes);
}

TEST(Base64, IsThatOfTheStandard)
{
    // RFC 4648, section 10
    const std::map<std::string, std::string> vectors{
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : vectors)
        EXPECT_EQ(base64(bytes), text);
}

TEST(ViewerScript, IsTheWholeFileAndCannotEndItsElement)
{
    EXPECT_GT(viewer_script().size(), 100'000u);
    EXPECT_EQ(viewer_script().find("</script"), std::string_view::npos);
    EXPECT_EQ(viewer_script().find('\0'), std::string_view::npos);
}

} // namespace playback_test

} // namespace abut
