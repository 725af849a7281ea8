#include "abut/base/error.hpp"
#include "abut/base/random.hpp"
#include "abut/io/file.hpp"
#include "abut/io/obj.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>
#include <string>

namespace abut::test::obj_test {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

MeshData parse(std::string_view text) { return parse_obj(text, "mesh.obj"); }

/// Expects InvalidInput with a message that starts with `place` and contains `part`.
void expect_rejected(std::string_view text, const std::string& place, const std::string& part)
{
    try {
        (void)parse(text);
        ADD_FAILURE() << "accepted: " << text.substr(0, 200);
    } catch (const InvalidInput& error) {
        const std::string message = error.what();
        EXPECT_EQ(message.substr(0, place.size()), place) << message;
        EXPECT_NE(message.find(part), std::string::npos) << message;
        EXPECT_NE(message.find("; "), std::string::npos) << "no cure: " << message;
    }
}

/// A folder that disappears with the test.
class ObjFile : public testing::Test {
protected:
    void SetUp() override
    {
        std::string pattern = (fs::temp_directory_path() / "abut-obj-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override { fs::remove_all(folder_); }

    fs::path write(const std::string& name, std::string_view content)
    {
        std::ofstream(folder_ / name, std::ios::binary) << content;
        return folder_ / name;
    }

    [[nodiscard]] std::size_t num_files() const
    {
        return std::size_t(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

    fs::path folder_;
};

template <typename Exception>
std::string message_of(const fs::path& path, const ObjOptions& options = {})
{
    try {
        (void)read_obj(path, options);
    } catch (const Exception& error) {
        return error.what();
    }
    return "no such exception";
}

// --- What is read ---

TEST(Obj, ReadsVerticesAndTriangles)
{
    const MeshData mesh = parse("v 0 0 0\nv 1 0 0.5\nv 0 -1e3 .25\nf 1 2 3\n");
    EXPECT_EQ(mesh.vertices.rows(), 3);
    EXPECT_EQ(mesh.vertices.cols(), 3);
    EXPECT_EQ(mesh.vertices.row(2), Eigen::RowVector3d(0, -1000, 0.25));
    EXPECT_EQ(mesh.faces.row(0), Eigen::RowVector3i(0, 1, 2));
    EXPECT_EQ(mesh.edges.rows(), 0);
    EXPECT_EQ(mesh.tets.rows(), 0);
}

TEST(Obj, AcceptsAllFormsOfCornersMixed)
{
    const MeshData mesh = parse(triangle + "vt 0 0\nvn 0 0 1\nf 1 2/1 3/1/1\nf 1//1 2/ 3//\nf 3/-1/-1 2 1\n");
    EXPECT_EQ(mesh.faces.rows(), 3);
    EXPECT_EQ(mesh.faces.row(1), Eigen::RowVector3i(0, 1, 2));
    EXPECT_EQ(mesh.faces.row(2), Eigen::RowVector3i(2, 1, 0));
}

TEST(Obj, CountsNegativeIndicesFromTheLastVertexSoFar)
{
    const MeshData mesh = parse(triangle + "f -3 -2 -1\nv 0 0 1\nf -1 -3 -2\n");
    EXPECT_EQ(mesh.faces.row(0), Eigen::RowVector3i(0, 1, 2));
    EXPECT_EQ(mesh.faces.row(1), Eigen::RowVector3i(3, 1, 2));
}

TEST(Obj, LetsAFaceNameVerticesBelowIt)
{
    const MeshData mesh = parse("f 1 2 3\n" + triangle);
    EXPECT_EQ(mesh.faces.row(0), Eigen::RowVector3i(0, 1, 2));
}

TEST(Obj, ReadsPolylinesAsEdges)
{
    const MeshData mesh = parse(triangle + "l 1 2 3 1\nl 1/1 -1\np 1 2\n");
    Edges expected(4, 2);
    expected << 0, 1, 1, 2, 2, 0, 0, 2;
    EXPECT_EQ(mesh.edges, expected);
    EXPECT_EQ(mesh.faces.rows(), 0);
}

TEST(Obj, AcceptsVerticesWithoutElements) { EXPECT_EQ(parse("v 1 2 3").vertices.rows(), 1); }

TEST(Obj, IgnoresWeightsAndColours)
{
    const MeshData mesh = parse("v 1 2 3 0.5\nv 4 5 6 0.1 0.2 0.3\nv 7 8 9 1 0.1 0.2 0.3\n");
    EXPECT_EQ(mesh.vertices.row(2), Eigen::RowVector3d(7, 8, 9));
    EXPECT_EQ(mesh.vertices.row(1), Eigen::RowVector3d(4, 5, 6));
}

TEST(Obj, SkipsStatementsThatDoNotChangeTheShape)
{
    const MeshData mesh = parse(
        "mtllib a b.mtl\no object \xff\xfe\ng\ng a b\ns off\nusemtl \xc3\xa4\nvt 0 0\nvn 0 0 1\nvp 1 2\nlod 3\nbevel "
        "on\n" +
        triangle + "mg 1 0.5\nf 1 2 3\n");
    EXPECT_EQ(mesh.faces.rows(), 1);
    EXPECT_EQ(mesh.vertices.rows(), 3);
}

TEST(Obj, GivesTheSameMeshForEveryWayToSpaceIt)
{
    const MeshData plain = parse(triangle + "f 1 2 3\nl 1 2\n");
    for (const std::string& text : {
             "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\nl 1 2\r\n"s,
             "v\t0\t0\t0\nv \t 1 0 0 \t\n  v 0 1 0\n\n\n\t\nf 1\t2  3   \nl 1 2"s,
             "\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\n"s,
             "# head\nv 0 0 0 # first\nv 1 0 0 #\n#v 9 9 9\nv 0 1 0\n  # inner\nf 1 2 3\nl 1 2\n"s,
             "v 0 \\\n0 0\nv 1 0 0\\\n\nv\\\n 0 1 \\\r\n 0\nf 1 \\\n2 \\\n3\nl 1 2\n"s,
             "# a comment that ends in \\\nv 0 0 0\nv 1 0 0\nv 0 1 0\ng a \\\nb c\nf 1 2 3\nl 1 2\\"s,
             "v +0 0. 0e0\nv 1.0E0 0 -0\nv 0 +1 0\nf 1 2 3\nl 1 2\n"s,
         }) {
        const MeshData mesh = parse(text);
        EXPECT_EQ(mesh.vertices, plain.vertices) << text;
        EXPECT_EQ(mesh.faces, plain.faces) << text;
        EXPECT_EQ(mesh.edges, plain.edges) << text;
    }
}

TEST(Obj, RoundsNumbersCorrectly)
{
    // Halfway cases and others that naive readers get wrong in the last bit.
    const MeshData mesh = parse("v 0.1 9007199254740993 1.00000000000000011102230246251565404236316680908203125\n"
                                "v 3.518437208883201171875e13 62.5364939768271845828 8.10109172351e-10\n");
    EXPECT_EQ(mesh.vertices(0, 0), 0.1);
    EXPECT_EQ(mesh.vertices(0, 1), 9007199254740992.0);
    EXPECT_EQ(mesh.vertices(0, 2), 1.0);
    EXPECT_EQ(mesh.vertices(1, 0), 3.518437208883201171875e13);
    EXPECT_EQ(mesh.vertices(1, 1), 62.5364939768271845828);
    EXPECT_EQ(mesh.vertices(1, 2), 8.10109172351e-10);
}

TEST(Obj, KeepsDenormalNumbersExactly)
{
    const MeshData mesh = parse("v 1e-320 -4.9406564584124654e-324 2.2250738585072011e-308\n");
    EXPECT_EQ(std::bit_cast<std::uint64_t>(mesh.vertices(0, 0)), 2024u);
    EXPECT_EQ(mesh.vertices(0, 1), -std::numeric_limits<double>::denorm_min());
    EXPECT_EQ(mesh.vertices(0, 2), 2.2250738585072011e-308);
}

TEST(Obj, DoesNotCareAboutTheLocale)
{
    const std::string before = std::setlocale(LC_ALL, nullptr);
    const char* comma = nullptr;
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8"})
        if ((comma = std::setlocale(LC_ALL, name)))
            break;
    if (!comma)
        GTEST_SKIP() << "no locale with decimal commas is installed";
    EXPECT_EQ(std::localeconv()->decimal_point, ","s);
    const MeshData mesh = parse("v 0.5 1.25 -3.75\n");
    std::setlocale(LC_ALL, before.c_str());
    EXPECT_EQ(mesh.vertices.row(0), Eigen::RowVector3d(0.5, 1.25, -3.75));
}

// --- Polygons ---

TEST(Obj, TriangulatesConvexPolygonsAsFans)
{
    const MeshData mesh = parse("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    Faces expected(2, 3);
    expected << 0, 1, 2, 0, 2, 3;
    EXPECT_EQ(mesh.faces, expected);
}

TEST(Obj, TriangulatesConcavePolygonsInside)
{
    // An L, whose fan from the first corner would leave it.
    const MeshData mesh = parse("v 1 3 0\nv 0 3 0\nv 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nf 5 6 1 2 3 4\n");
    ASSERT_EQ(mesh.faces.rows(), 4);
    double area = 0;
    for (Eigen::Index f = 0; f < 4; ++f) {
        const Vec3 a = point<3>(mesh.vertices, mesh.faces(f, 0)), b = point<3>(mesh.vertices, mesh.faces(f, 1)),
                   c = point<3>(mesh.vertices, mesh.faces(f, 2));
        const double twice = (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
        EXPECT_GT(twice, 0);
        area += twice / 2;
    }
    EXPECT_EQ(area, 5);
}

TEST(Obj, KeepsTheOrderOfFacesAndPolygons)
{
    const MeshData mesh = parse("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 2 3 4\nf 2 3 4\n");
    ASSERT_EQ(mesh.faces.rows(), 4);
    EXPECT_EQ(mesh.faces.row(0), Eigen::RowVector3i(0, 1, 2));
    EXPECT_EQ(mesh.faces.row(3), Eigen::RowVector3i(1, 2, 3));
}

TEST(Obj, TakesAPolygonOfTenThousandCorners)
{
    std::string text, face = "f";
    for (int i = 0; i < 10'000; ++i) {
        const double angle = 2 * std::numbers::pi * i / 10'000, radius = i % 2 ? 1 : 0.5;
        text += fmt::format("v {} 0 {}\n", radius * std::cos(angle), radius * std::sin(angle));
        face += fmt::format(" {}", i + 1);
    }
    EXPECT_EQ(parse(text + face).faces.rows(), 9'998);
}

TEST(Obj, RejectsPolygonsThatMeetThemselvesOrHaveNoArea)
{
    expect_rejected("v 0 0 0\nv 2 2 0\nv 2 0 0\nv 0 3 0\n\nf 1 2 3 4\n", "mesh.obj:6: ", "crosses or touches itself");
    expect_rejected("v 0 0 0\nv 1 1 0\nv 2 2 0\nv 3 3 0\nf 1 2 3 4\n", "mesh.obj:5: ", "no area");
}

// --- What is rejected ---

TEST(Obj, RejectsTextWithoutVertices)
{
    expect_rejected("", "mesh.obj: ", "empty");
    expect_rejected("# nothing\n\n", "mesh.obj: ", "empty");
    expect_rejected("f 1 2 3\n", "mesh.obj: ", "empty");
    expect_rejected("\xef\xbb\xbf", "mesh.obj: ", "empty");
}

TEST(Obj, RejectsIndicesThatNameNoVertex)
{
    expect_rejected(triangle + "f 1 2 0\n", "mesh.obj:4: ", "index is 0");
    expect_rejected(triangle + "f 1 2 4\n", "mesh.obj:4: ", "uses vertex 4, but the file defines 3");
    expect_rejected(triangle + "# \n\\\nf 1 2\\\n 4\nv 7 7\n", "mesh.obj:8: ", "2 coordinates");
    expect_rejected(triangle + "#\nf 1 2 \\\n 4\n", "mesh.obj:5: ", "uses vertex 4");
    expect_rejected(triangle + "f 1 2 -4\n", "mesh.obj:4: ", "before the first");
    expect_rejected("f -1 -2 -3\n" + triangle, "mesh.obj:1: ", "before the first");
    expect_rejected(triangle + "f 1 2 2147483648\n", "mesh.obj:4: ", "2147483648");
    expect_rejected(triangle + "f 1 2 2147483647\n", "mesh.obj:4: ", "2147483647");
    expect_rejected(triangle + "f 1 2 99999999999999999999999\n", "mesh.obj:4: ", "above the limit");
    expect_rejected(triangle + "f 1 2 -99999999999999999999999\n", "mesh.obj:4: ", "before the first");
    expect_rejected(triangle + "l 1 4\n", "mesh.obj:4: ", "polyline uses vertex 4");
    expect_rejected(triangle + "p 4\n", "mesh.obj:4: ", "point list uses vertex 4");
}

TEST(Obj, RejectsIndicesThatAreNoIntegers)
{
    for (const char* corner : {"x", "1.5", "1e0", "/1", "//1", "1/2/3/4", "1/x", "1//x", "0x1", "+1", "1,"})
        expect_rejected(triangle + "f 1 2 " + corner + "\n", "mesh.obj:4: ", "index");
}

TEST(Obj, RejectsElementsWithTooFewCorners)
{
    expect_rejected(triangle + "f\n", "mesh.obj:4: ", "0 corners");
    expect_rejected(triangle + "f 1\n", "mesh.obj:4: ", "1 corners");
    expect_rejected(triangle + "f 1 2 # 3\n", "mesh.obj:4: ", "2 corners");
    expect_rejected(triangle + "l 1\n", "mesh.obj:4: ", "1 corners");
    expect_rejected(triangle + "p\n", "mesh.obj:4: ", "0 corners");
}

TEST(Obj, RejectsElementsThatRepeatAVertex)
{
    expect_rejected(triangle + "f 1 2 2\n", "mesh.obj:4: ", "vertex 2 more than once");
    expect_rejected(triangle + "f 1 2 -3\n", "mesh.obj:4: ", "vertex 1 more than once");
    expect_rejected(triangle + "v 1 1 0\nf 1 2 3 4 2\n", "mesh.obj:5: ", "vertex 2 more than once");
    expect_rejected(triangle + "l 1 2 2\n", "mesh.obj:4: ", "joins vertex 2 to itself");
}

TEST(Obj, RejectsNumbersThatAreNotFinite)
{
    for (const char* number :
         {"nan", "NaN", "-nan", "nan(ind)", "inf", "-Infinity", "1.#IND", "-1.#IND", "1.#INF", "1.#QNAN", "1e999",
          "-1e999"})
        expect_rejected("v 0 0 0\nv 0 "s + number + " 0\n", "mesh.obj:2: ", "not finite");
    expect_rejected("v 0 0 0\nv 0 1.#IND 0\n", "mesh.obj:2: vertex 2 ", "1.#IND");
}

TEST(Obj, RejectsNumbersTooSmallToTellFromZero)
{
    expect_rejected("v 0 1e-400 0\n", "mesh.obj:1: vertex 1 ", "1e-400");
}

TEST(Obj, RejectsExtentsThatOverflow)
{
    for (const char* number : {"1e308", "-1e308", "1.0000000000000003e50", "-1e51"})
        expect_rejected("v 0 0 0\n\nv 0 0 "s + number, "mesh.obj:3: ", "extent overflows");
    EXPECT_EQ(parse("v 1e50 -1e50 0").vertices(0, 0), 1e50);
}

TEST(Obj, RejectsWordsThatAreNoNumbers)
{
    for (const char* number :
         {"x", "1,5", "1..2", "1e", "--1", "+-1", "+", "0x10", "1.5f", "1e5.5", "1\xc2\xa0", "1\\"})
        expect_rejected("v 0 0 0\nv 0 "s + number + " 0\n", "mesh.obj:2: vertex 2 ", "not a number");
    expect_rejected("v 1 2\n", "mesh.obj:1: ", "2 coordinates");
    expect_rejected("v\n", "mesh.obj:1: ", "0 coordinates");
    expect_rejected("v 1 2 3 4 5 6 7 8 9\n", "mesh.obj:1: ", "more than 8 values");
    expect_rejected("v 1 2 3 red\n", "mesh.obj:1: ", "'red'");
}

TEST(Obj, RejectsFreeFormGeometryAndWordsThatAreNotObj)
{
    for (const char* word : {"curv", "curv2", "surf", "cstype", "deg", "bmat", "trim", "end", "parm"})
        expect_rejected(triangle + word + " 0 1\n", "mesh.obj:4: ", "free-form geometry is not supported");
    for (const char* word : {"solid", "ply", "V", "vv", "x", "{", "f1"})
        expect_rejected(triangle + word + " 0 1\n", "mesh.obj:4: ", "not OBJ");
    expect_rejected("v 0 0 0\rv 1 0 0\rv 0 1 0\r", "mesh.obj:1: ", "not a number"); // line ends of old Macs
}

TEST(Obj, ShowsForeignBytesHarmlessly)
{
    expect_rejected("\x1b[2J\n", "mesh.obj:1: ", "'\\x1b[2J'");
    expect_rejected("v 0 0 0\n"s + std::string(5, '\0') + "\n", "mesh.obj:2: ", "\\x00");
    try {
        (void)parse(std::string(1000, 'a'));
        ADD_FAILURE();
    } catch (const InvalidInput& error) {
        EXPECT_LT(std::string(error.what()).size(), 200u);
    }
}

TEST(Obj, RejectsCompressedFilesAsSuch)
{
    expect_rejected("\x1f\x8b\x08\x00\x00"s, "mesh.obj: ", "compressed (gzip)");
    expect_rejected("PK\x03\x04\x14\x00"s, "mesh.obj: ", "compressed (zip)");
    expect_rejected("\x28\xb5\x2f\xfd"s, "mesh.obj: ", "compressed (zstd)");
    expect_rejected(
        "\xfd"
        "7zXZ\x00"s,
        "mesh.obj: ", "compressed (xz)");
    expect_rejected("BZh91AY"s, "mesh.obj: ", "compressed (bzip2)");
}

TEST(Obj, RefusesLinesOfAHundredMegabytes)
{
    for (const std::string& filling : {" 1"s, "x"s, " "s}) {
        std::string text = triangle + "f";
        text.reserve(100'000'100);
        while (text.size() < 100'000'000)
            text += filling;
        EXPECT_THROW((void)parse(text), LimitReached);
    }
    std::string continued = triangle + "f";
    while (continued.size() < 20'000'000)
        continued += " 1 2 3\\\n";
    EXPECT_THROW((void)parse(continued), LimitReached);
}

TEST(Obj, RefusesConcavePolygonsThatWouldTakeTooLong)
{
    std::string text = "v 0 1e6 0\n", face = "f 1";
    for (int i = 0; i < 30'000; ++i) {
        text += fmt::format("v {} {} 0\n", i, i % 2);
        face += fmt::format(" {}", i + 2);
    }
    EXPECT_THROW((void)parse(text + face), LimitReached);
}

// --- Files ---

TEST_F(ObjFile, ReadsWhatAFileHolds) { EXPECT_EQ(read_obj(write("a.obj", triangle + "f 1 2 3\n")).faces.rows(), 1); }

TEST_F(ObjFile, NamesTheFileAndLineOfAnError)
{
    const fs::path path = write("a.obj", triangle + "f 1 2\n");
    EXPECT_EQ(message_of<InvalidInput>(path).find(path.string() + ":4: "), 0u);
}

TEST_F(ObjFile, NamesTheResolvedPathOfAMissingFile)
{
    const fs::path path = fs::relative(folder_) / "missing.obj";
    const std::string message = message_of<InvalidInput>(path);
    EXPECT_EQ(message.find((fs::canonical(folder_) / "missing.obj").string() + ": no such file"), 0u) << message;
    EXPECT_NE(message_of<InvalidInput>(write("a.obj", triangle) / "b.obj").find("no such file"), std::string::npos);
    EXPECT_NE(message_of<InvalidInput>("").find("empty"), std::string::npos);
    EXPECT_NE(message_of<InvalidInput>("a\0b.obj"s).find("zero byte"), std::string::npos);
    EXPECT_NE(message_of<InputOutput>(std::string(5000, 'a')).find("cannot be read"), std::string::npos);
}

TEST_F(ObjFile, RejectsFoldersPipesAndDevicesWithoutWaitingForThem)
{
    EXPECT_NE(message_of<InvalidInput>(folder_).find("a folder"), std::string::npos);
    const fs::path pipe = folder_ / "pipe.obj";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_NE(message_of<InvalidInput>(pipe).find("a pipe"), std::string::npos);
    EXPECT_NE(message_of<InvalidInput>("/dev/zero").find("a device"), std::string::npos);
    EXPECT_NE(message_of<InvalidInput>("/dev/null").find("a device"), std::string::npos);
}

TEST_F(ObjFile, RejectsAnEmptyFile)
{
    EXPECT_NE(message_of<InvalidInput>(write("a.obj", "")).find("the file is empty"), std::string::npos);
}

TEST_F(ObjFile, RefusesFilesAboveTheLimitBeforeReadingThem)
{
    const fs::path path = write("a.obj", triangle);
    EXPECT_EQ(read_obj(path, {.max_bytes = triangle.size()}).vertices.rows(), 3);
    EXPECT_NE(
        message_of<LimitReached>(path, {.max_bytes = triangle.size() - 1}).find("above the limit"), std::string::npos);
    fs::resize_file(path, std::uintmax_t(5) << 30); // sparse
    EXPECT_NE(message_of<LimitReached>(path).find("5368709120 bytes"), std::string::npos);
}

TEST_F(ObjFile, ReportsAFileThatMayNotBeRead)
{
    const fs::path path = write("a.obj", triangle);
    fs::permissions(folder_, fs::perms::all);
    fs::permissions(path, fs::perms::none);
    // Root may read every file, so it becomes somebody else meanwhile.
    const uid_t user = ::geteuid();
    ASSERT_EQ(::seteuid(user == 0 ? 65534 : user), 0);
    const std::string message = message_of<InputOutput>(path);
    ASSERT_EQ(::seteuid(user), 0);
    EXPECT_NE(message.find("cannot be read (Permission denied)"), std::string::npos) << message;
}

bool same_bits(const Positions& a, const Positions& b)
{
    return a.rows() == b.rows() && a.cols() == b.cols() &&
           std::equal(a.data(), a.data() + a.size(), b.data(), [](double x, double y) {
               return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
           });
}

TEST_F(ObjFile, ReadsBackTheBitsItWrote)
{
    EXPECT_TRUE(rc::check("any finite coordinates survive", [&](std::uint32_t seed) {
        RandomStream random(seed);
        MeshData mesh;
        mesh.vertices.resize(3 + random.below(20), 3);
        for (double& x : mesh.vertices.reshaped<Eigen::RowMajor>())
            do
                x = std::bit_cast<double>(random.next_bits());
            while (!(std::abs(x) <= 1e50));
        const auto n = static_cast<std::uint32_t>(mesh.vertices.rows());
        mesh.faces.resize(random.below(10), 3);
        mesh.edges.resize(random.below(10), 2);
        for (auto&& face : mesh.faces.rowwise()) {
            const int a = static_cast<int>(random.below(n));
            face << a, (a + 1) % static_cast<int>(n), (a + 2) % static_cast<int>(n);
        }
        for (auto&& edge : mesh.edges.rowwise()) {
            const int a = static_cast<int>(random.below(n));
            edge << a, (a + 1) % static_cast<int>(n);
        }
        write_obj(folder_ / "a.obj", mesh);
        const MeshData read = read_obj(folder_ / "a.obj");
        RC_ASSERT(same_bits(read.vertices, mesh.vertices));
        RC_ASSERT(read.faces == mesh.faces);
        RC_ASSERT(read.edges == mesh.edges);
    }));
    EXPECT_EQ(num_files(), 1u);
}

TEST_F(ObjFile, KeepsTheSignOfZeroAndTheSmallestNumbers)
{
    MeshData mesh;
    mesh.vertices.resize(2, 3);
    mesh.vertices << -0.0, 0.0, std::numeric_limits<double>::denorm_min(), 1.0 / 3, 1e50, -5e-324;
    write_obj(folder_ / "a.obj", mesh);
    EXPECT_TRUE(same_bits(read_obj(folder_ / "a.obj").vertices, mesh.vertices));
}

TEST_F(ObjFile, WritesPlaneMeshesWithZeroHeight)
{
    const MeshData curve = generate::squircle({.segments = 5});
    write_obj(folder_ / "a.obj", curve);
    const MeshData read = read_obj(folder_ / "a.obj");
    EXPECT_EQ(read.vertices.leftCols(2), curve.vertices);
    EXPECT_TRUE((read.vertices.col(2).array() == 0).all());
    EXPECT_EQ(read.edges, curve.edges);
}

TEST_F(ObjFile, WritesNothingThatCouldNotBeRead)
{
    const auto rejects = [&](const MeshData& mesh) {
        EXPECT_THROW(write_obj(folder_ / "a.obj", mesh), InvalidInput);
        EXPECT_EQ(num_files(), 0u);
    };
    rejects({});
    rejects(generate::tet_box());
    MeshData mesh = generate::box();
    mesh.vertices(3, 1) = std::nan("");
    rejects(mesh);
    mesh.vertices(3, 1) = 1e101;
    rejects(mesh);
    mesh = generate::box();
    mesh.faces(2, 0) = 8;
    rejects(mesh);
    mesh.faces(2, 0) = -1;
    rejects(mesh);
    mesh.faces(2, 0) = mesh.faces(2, 2);
    rejects(mesh);
    mesh = generate::rod();
    mesh.edges(0, 1) = 0;
    rejects(mesh);
}

TEST_F(ObjFile, ReportsAFolderThatDoesNotExistOrAPathThatIsOne)
{
    for (const fs::path& path : {folder_ / "missing" / "a.obj", folder_}) {
        try {
            write_obj(path, generate::box());
            ADD_FAILURE();
        } catch (const InputOutput& error) {
            EXPECT_EQ(std::string(error.what()).find(fs::weakly_canonical(path).string() + ": cannot be written"), 0u)
                << error.what();
        }
    }
    EXPECT_EQ(num_files(), 0u);
}

TEST_F(ObjFile, LeavesTheOldFileAndNothingElseWhenTheDiskIsFull)
{
    const fs::path path = write("a.obj", triangle);
    // A limit on the size of files stands in for the disk: write() fails part of the way.
    rlimit before = {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small = {.rlim_cur = 1000, .rlim_max = before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    std::string message;
    try {
        write_obj(path, generate::icosphere());
    } catch (const InputOutput& error) {
        message = error.what();
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_NE(message.find("cannot be written (File too large)"), std::string::npos) << message;
    EXPECT_EQ(num_files(), 1u);
    EXPECT_EQ(read_obj(path).vertices.rows(), 3);
}

TEST_F(ObjFile, ReplacesAFileThatExists)
{
    const fs::path path = write("a.obj", triangle);
    write_obj(path, generate::box());
    EXPECT_EQ(read_obj(path).vertices.rows(), 8);
    EXPECT_EQ(num_files(), 1u);
}

// --- Any bytes ---

const std::string one_of_each =
    "# a mesh\nv 0 0 0\r\nv 1 0 0 0.5\nv 1 1e0 .0\nv 0 1 0\nv 0.5 0.25 -1.5e-3\nvt 0 0\ng a\n"
    "f 1 2 3\nf 1/1 2/1/1 3//1 4\nf -1 -2 \\\n-3\nl 1 2 3\np 1\nf 1 5 2 3 4\n";

TEST(Obj, ReadsOneOfEach) { EXPECT_EQ(parse(one_of_each).faces.rows(), 7); }

RC_GTEST_PROP(Obj, AnyChangeOfBytesEndsInAMeshOrAnError, (std::uint32_t seed))
{
    for (std::uint64_t repetition = 0; repetition < 50; ++repetition) {
        RandomStream random(seed, repetition);
        std::string text = one_of_each;
        const std::string_view likely = " \n\r\t\\#/-+.0123456789eEvflpninf";
        for (std::uint32_t i = 0, n = 1 + random.below(6); i < n; ++i) {
            const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
            const char byte = random.below(4) == 0 ? static_cast<char>(random.below(256))
                                                   : likely[random.below(std::uint32_t(likely.size()))];
            switch (random.below(4)) {
            case 0:
                text[at] = byte;
                break;
            case 1:
                text.insert(at, 1, byte);
                break;
            case 2:
                text.erase(at, 1 + random.below(4));
                break;
            default:
                text.insert(at, text.substr(random.below(static_cast<std::uint32_t>(text.size())), random.below(20)));
            }
        }
        try {
            const MeshData mesh = parse(text);
            const auto in_range = [&](const auto& elements) {
                return elements.size() == 0 || (elements.minCoeff() >= 0 && elements.maxCoeff() < mesh.vertices.rows());
            };
            RC_ASSERT(mesh.vertices.rows() > 0);
            RC_ASSERT(mesh.vertices.allFinite());
            RC_ASSERT(in_range(mesh.faces));
            RC_ASSERT(in_range(mesh.edges));
        } catch (const Error& error) {
            RC_ASSERT(std::string(error.what()).starts_with("mesh.obj:"));
        }
    }
}

TEST(Obj, SeveralMeshesAreObjectsOfOneFile)
{
    const auto path = std::filesystem::path(testing::TempDir()) / "abut_groups.obj";
    MeshData sheet, curve;
    sheet.vertices = (Positions(3, 2) << 0, 0, 1, 0, 0, 1.0 / 3).finished();
    sheet.faces = (Faces(1, 3) << 0, 1, 2).finished();
    curve.vertices = (Positions(3, 3) << 0, 0, 5, 1, 0, 5, 2, 0, 6).finished();
    curve.edges = (Edges(1, 2) << 0, 1).finished();
    const std::vector<ObjGroup> groups{{"my cloth", sheet}, {"line\nf 1 1 1\\", curve, {2}}};
    write_obj(path, groups, "two");
    EXPECT_EQ(
        read_file(path, 1 << 20), "# two\no my cloth\nv 0 0 0\nv 1 0 0\nv 0 0.3333333333333333 0\nf 1 2 3\n"
                                  "o line f 1 1 1\nv 0 0 5\nv 1 0 5\nv 2 0 6\nl 4 5\np 6\n");
    const MeshData back = read_obj(path);
    EXPECT_EQ(back.vertices.rows(), 6);
    EXPECT_EQ(back.edges, (Edges(1, 2) << 3, 4).finished());
    EXPECT_THROW(write_obj(path, std::vector<ObjGroup>()), InvalidInput);
}

} // namespace
} // namespace abut::test::obj_test
