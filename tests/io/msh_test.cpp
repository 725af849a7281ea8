#include "abut/io/msh.hpp"

#include "abut/base/error.hpp"
#include "abut/base/random.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "abut/mesh/validate.hpp"
#include "support/data_folders.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace abut::test::msh_test {
namespace {

namespace fs = std::filesystem;

const std::string format_4 = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
const std::string format_2 = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
const std::string nodes_4 = "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n";
const std::string nodes_2 = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n";
const std::string tet_4 = "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";
const std::string tet_2 = "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";

MeshData parse(const std::string& text) { return parse_msh(text, "mesh.msh"); }

/// Expects InvalidInput with a message that starts with `place`, contains `part` and gives a cure.
void expect_rejected(const std::string& text, const std::string& place, const std::string& part)
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

void expect_one_tet(const MeshData& mesh)
{
    Positions corner(4, 3);
    corner << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
    EXPECT_EQ(mesh.vertices, corner);
    EXPECT_EQ(mesh.tets, (Tets(1, 4) << 0, 1, 2, 3).finished());
    EXPECT_EQ(mesh.faces.rows(), 0);
    EXPECT_EQ(mesh.edges.rows(), 0);
}

TEST(Msh, ReadsBothVersions)
{
    expect_one_tet(parse(format_4 + nodes_4 + tet_4));
    expect_one_tet(parse(format_2 + nodes_2 + tet_2));
}

TEST(Msh, ReadsTrianglesWhereThereAreNoTets)
{
    const MeshData mesh =
        parse(format_4 + nodes_4 + "$Elements\n2 3 1 3\n1 1 1 1\n1 1 2\n2 1 2 2\n2 1 2 3\n3 1 3 4\n$EndElements\n");
    EXPECT_EQ(mesh.vertices.rows(), 4);
    EXPECT_EQ(mesh.faces, (Faces(2, 3) << 0, 1, 2, 0, 2, 3).finished());
    EXPECT_EQ(mesh.tets.rows(), 0);
}

TEST(Msh, LeavesOutTheTrianglesOfASolidAndTheVerticesOfNoElement)
{
    // Node 7 is the centre of a circle, say; a point and a line mark it.
    const MeshData mesh = parse(
        format_2 + "$Nodes\n5\n7 9 9 9\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n" +
        "$Elements\n4\n1 15 2 0 1 7\n2 1 2 0 1 7 1\n3 2 2 0 1 1 3 2\n4 4 2 0 1 1 2 3 4\n$EndElements\n");
    expect_one_tet(mesh);
}

TEST(Msh, SkipsSectionsItDoesNotKnow)
{
    const std::string names = "$PhysicalNames\n1\n3 1 \"$Nodes\"\n$EndPhysicalNames\n",
                      surface = "$Surface\n1\n1 2 3\n$EndSurface\n";
    expect_one_tet(parse(format_4 + names + nodes_4 + surface + tet_4 + surface));
    expect_one_tet(parse(names + format_2 + "\n\n" + nodes_2 + tet_2 + "\n"));
}

TEST(Msh, TakesAnyLineEndsTabsAndByteOrderMark)
{
    std::string text = "\xef\xbb\xbf" + format_4 + nodes_4 + tet_4, windows;
    for (const char c : text)
        windows += c == '\n' ? "\r\n" : c == ' ' ? "\t " : std::string(1, c);
    expect_one_tet(parse(windows));
    text.pop_back(); // no line end at the end
    expect_one_tet(parse(text));
}

TEST(Msh, ReadsParametersOfNodesAndDropsThem)
{
    expect_one_tet(parse(
        format_4 +
        "$Nodes\n2 4 1 4\n2 1 1 2\n1\n2\n0 0 0 0.5 0.5\n1 0 0 0.1 0\n3 1 0 2\n3\n4\n0 1 0\n0 0 1\n$EndNodes\n" +
        tet_4));
}

TEST(Msh, NodeNumbersMayHaveGapsAndAnyOrder)
{
    expect_one_tet(parse(
        format_2 + "$Nodes\n4\n1000000000 0 0 0\n5 1 0 0\n999999999999 0 1 0\n0 0 0 1\n$EndNodes\n" +
        "$Elements\n1\n1 4 0 1000000000 5 999999999999 0\n$EndElements\n"));
}

TEST(Msh, RoundsCoordinatesCorrectly)
{
    const MeshData mesh = parse(
        format_2 + "$Nodes\n4\n1 0.1 1e-3 -0\n2 +1.5 0 0\n3 0 123456789.123456789 0\n4 0 0 2e49\n$EndNodes\n" + tet_2);
    EXPECT_EQ(mesh.vertices(0, 0), 0.1);
    EXPECT_EQ(mesh.vertices(0, 1), 1e-3);
    EXPECT_EQ(mesh.vertices(1, 0), 1.5);
    EXPECT_EQ(mesh.vertices(2, 1), 123456789.123456789);
    EXPECT_EQ(mesh.vertices(3, 2), 2e49);
}

TEST(Msh, RefusesOtherFormats)
{
    expect_rejected("", "mesh.msh", "the file is empty");
    expect_rejected("\x1f\x8b....", "mesh.msh", "compressed (gzip)");
    expect_rejected("PK\x03\x04....", "mesh.msh", "compressed (zip)");
    expect_rejected("v 0 0 0\n", "mesh.msh:1", "expected a section such as $Nodes, got 'v'");
    expect_rejected("$MeshFormat\n4.1 1 8\n", "mesh.msh:2: $MeshFormat", "binary");
    expect_rejected("$MeshFormat\n4.1 7 8\n", "mesh.msh:2: $MeshFormat", "file type 7");
    expect_rejected("$MeshFormat\n4 0 8\n", "mesh.msh:2: $MeshFormat", "version '4' is not supported");
    expect_rejected("$MeshFormat\n1.0 0 8\n", "mesh.msh:2: $MeshFormat", "version '1.0'");
    expect_rejected("$MeshFormat\n4.1 0\n", "mesh.msh:2: $MeshFormat", "the data size");
    expect_rejected("$MeshFormat\n4.1 0 8\n", "mesh.msh:1: $MeshFormat", "'$EndMeshFormat' is missing");
    expect_rejected("$MeshFormat\n", "mesh.msh:1: $MeshFormat", "the file ends");
    expect_rejected(format_4 + format_4, "mesh.msh:4: $MeshFormat", "a second time");
    expect_rejected(format_4, "mesh.msh", "no section $Nodes");
    expect_rejected(format_4 + nodes_4, "mesh.msh", "no section $Elements");
    expect_rejected("$Nodes\n4\n", "mesh.msh:1: $Nodes", "before $MeshFormat");
    expect_rejected("$Other\n$EndOther\n", "mesh.msh", "no section $MeshFormat");
    expect_rejected(format_4 + "$Other\n1 2 3\n", "mesh.msh:4: $Other", "'$EndOther' is missing");
    expect_rejected(format_4 + nodes_4 + nodes_4, "mesh.msh:16: $Nodes", "a second time");
    expect_rejected(format_4 + nodes_4 + tet_4 + "rest", "mesh.msh:21", "got 'rest'");
}

TEST(Msh, RefusesMalformedNodesWithTheLine)
{
    const auto rejected_2 = [](const std::string& body, int line, const std::string& part) {
        expect_rejected(
            format_2 + "$Nodes\n" + body + "$EndNodes\n" + tet_2, fmt::format("mesh.msh:{}: $Nodes", line), part);
    };
    rejected_2("x\n", 5, "the number of nodes is not an integer ('x')");
    rejected_2("1.5\n", 5, "not an integer");
    rejected_2("-4\n", 5, "the number of nodes is -4");
    rejected_2("2\n1 0 0 0\n", 7, "the section ends where a node should follow");
    rejected_2("1\n1 0 0 0\n2 0 0 0\n", 7, "expected '$EndNodes', got '2'");
    rejected_2("1\n1 0 0\n", 6, "node 1 has 2 values");
    rejected_2("1\n1 0 0 0 0\n", 6, "more values");
    rejected_2("1\n-1 0 0 0\n", 6, "the number -1");
    rejected_2("1\n1 0 nan 0\n", 6, "node 1 is not finite");
    rejected_2("1\n1 0 0 inf\n", 6, "node 1 is not finite");
    rejected_2("1\n1 0 0 1.#IND\n", 6, "node 1 is not finite");
    rejected_2("1\n1 0 0 1e999\n", 6, "node 1 is not finite");
    rejected_2("1\n1 0 0 1e51\n", 6, "the extent overflows");
    rejected_2("1\n1 0 0 1,5\n", 6, "not a number ('1,5')");
    expect_rejected(
        format_2 + "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n3 5 5 5\n$EndNodes\n" + tet_2, "mesh.msh: $Nodes",
        "the number 3 belongs to two nodes");
    const auto rejected_4 = [](const std::string& body, int line, const std::string& part) {
        expect_rejected(
            format_4 + "$Nodes\n" + body + "$EndNodes\n" + tet_4, fmt::format("mesh.msh:{}: $Nodes", line), part);
    };
    rejected_4("1 4 1\n", 5, "the largest tag");
    rejected_4("1 1 1 1\n4 0 0 1\n1\n0 0 0\n", 6, "dimension 4");
    rejected_4("1 1 1 1\n3 0 2 1\n1\n0 0 0\n", 6, "parametric flag 2");
    rejected_4("1 2 1 1\n3 0 0 1\n1\n0 0 0\n", 8, "hold 1 nodes, but it announces 2");
    rejected_4("1 1 1 1\n3 0 0 1\n1 0\n0 0 0\n", 7, "more values");
    rejected_4("1 1 1 1\n2 0 1 1\n1\n0 0 0\n", 8, "node 1 has 3 values; it needs 5");
}

TEST(Msh, RefusesMalformedElementsWithTheLine)
{
    const auto rejected_2 = [](const std::string& body, int line, const std::string& part) {
        expect_rejected(
            format_2 + nodes_2 + "$Elements\n" + body + "$EndElements\n", fmt::format("mesh.msh:{}: $Elements", line),
            part);
    };
    rejected_2("1\n7 4 0 1 2 3 3\n", 13, "element 7 uses node 3 twice");
    rejected_2("1\n7 4 0 1 2 3 5\n", 13, "element 7 uses node 5, which $Nodes does not define");
    rejected_2("1\n7 4 0 1 2 3 -1\n", 13, "uses node -1");
    rejected_2("1\n7 4 0 1 2 3\n", 13, "a node of the element");
    rejected_2("1\n7 4 0 1 2 3 4 5\n", 13, "more values");
    rejected_2("1\n7 4 -1 1 2 3 4\n", 13, "element 7 has -1 tags");
    rejected_2("1\n7 4 9 1 2 3 4\n", 13, "a tag");
    rejected_2("1\n7 99 0 1\n", 13, "type 99 is unknown");
    rejected_2("2\n1 4 0 1 2 3 4\n", 14, "the section ends");
    const auto rejected_4 = [](const std::string& body, int line, const std::string& part) {
        expect_rejected(
            format_4 + nodes_4 + "$Elements\n" + body + "$EndElements\n", fmt::format("mesh.msh:{}: $Elements", line),
            part);
    };
    rejected_4("1 2 1 2\n3 1 4 1\n1 1 2 3 4\n", 19, "hold 1 elements, but it announces 2");
    rejected_4("1 1 1 1\n3 1 4 1\n1 1 2 3 2\n", 19, "uses node 2 twice");
    rejected_4("1 1 1 1\n3 1 4\n", 18, "the number of elements in the block");
}

TEST(Msh, RefusesElementsWhoseLossWouldLeaveHoles)
{
    const std::string tet = "1 4 0 1 2 3 4\n", triangle = "2 2 0 1 2 3\n";
    const auto file = [](const std::string& elements, int count) {
        return format_2 + nodes_2 + fmt::format("$Elements\n{}\n", count) + elements + "$EndElements\n";
    };
    expect_rejected(file(tet + "3 5 0 1 2 3 4 5 6 7 8\n", 2), "mesh.msh:14: $Elements", "type 5 are not supported");
    expect_rejected(file(triangle + "3 3 0 1 2 3 4\n", 2), "mesh.msh:14: $Elements", "type 3 are not supported");
    expect_one_tet(parse(file(tet + "3 3 0 1 2 3 4\n", 2))); // a square beside a solid
    expect_rejected(file("1 11 0 1 2 3 4 5 6 7 8 9 10\n", 1), "mesh.msh", "only types 11");
    expect_rejected(file("1 15 0 1\n2 1 0 1 2\n", 2), "mesh.msh", "only types 15, 1");
    expect_rejected(file("", 0), "mesh.msh", "no elements at all");
}

TEST(Msh, RefusesTetsWithoutPositiveVolumeByName)
{
    for (const char* nodes : {"1 3 2 4", "2 1 3 4"})
        try {
            (void)parse(format_2 + nodes_2 + "$Elements\n2\n5 4 0 1 2 3 4\n8 4 0 " + nodes + "\n$EndElements\n");
            ADD_FAILURE() << nodes;
        } catch (const InvalidStart& error) {
            const std::string message = error.what();
            EXPECT_TRUE(message.starts_with("mesh.msh:14: $Elements: 1 of 2 tetrahedra")) << message;
            EXPECT_NE(message.find("element 8"), std::string::npos) << message;
        }
    EXPECT_THROW(
        (void)parse(format_2 + "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n$EndNodes\n" + tet_2), InvalidStart)
        << "flat";
}

TEST(Msh, RefusesCountsThatTheFileCannotHold)
{
    for (const char* count : {"353535235358", "4000000000", "9223372036854775807"}) {
        expect_rejected(format_2 + "$Nodes\n" + count + "\n1 0 0 0\n$EndNodes\n", "mesh.msh:5: $Nodes", "bytes follow");
        expect_rejected(
            format_4 + nodes_4 + "$Elements\n1 " + count + " 1 1\n", "mesh.msh:17: $Elements", "bytes follow");
        expect_rejected(format_4 + "$Nodes\n1 1 1 1\n3 0 0 " + count + "\n1\n", "mesh.msh:6: $Nodes", "bytes follow");
    }
    expect_rejected(format_2 + "$Nodes\n99999999999999999999\n$EndNodes\n", "mesh.msh:5: $Nodes", "is not an integer");
}

TEST(Msh, EveryPrefixOfAFileIsRefusedOrWhole)
{
    for (const std::string& text : {format_4 + nodes_4 + tet_4, format_2 + nodes_2 + tet_2})
        for (std::size_t size = 0; size + 1 < text.size(); ++size)
            EXPECT_THROW((void)parse(text.substr(0, size)), InvalidInput) << size;
}

TEST(Msh, DamagedFilesEndInAnErrorOrAMesh)
{
    RandomStream random(1);
    for (const std::string& whole : {format_4 + nodes_4 + tet_4, format_2 + nodes_2 + tet_2})
        for (int k = 0; k < 3000; ++k) {
            std::string text = whole;
            for (int flips = 0; flips < 3; ++flips)
                text[std::size_t(random.uniform(0, double(text.size())))] =
                    static_cast<char>(static_cast<unsigned char>(random.uniform(0, 256)));
            try {
                const MeshData mesh = parse(text);
                validate_positions(mesh.vertices, "vertices");
                if (mesh.tets.rows() > 0)
                    validate_tets(mesh.vertices, mesh.tets);
            } catch (const Error&) {
            }
        }
}

/// A folder that disappears with the test.
class MshFile : public testing::Test {
protected:
    void SetUp() override
    {
        std::string pattern = (fs::temp_directory_path() / "abut-msh-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override { fs::remove_all(folder_); }

    fs::path folder_;
};

TEST_F(MshFile, IsReadFromDiskWithinItsLimit)
{
    std::ofstream(folder_ / "a.msh") << format_4 << nodes_4 << tet_4;
    expect_one_tet(read_msh(folder_ / "a.msh"));
    EXPECT_THROW((void)read_msh(folder_ / "a.msh", {.max_bytes = 10}), LimitReached);
    EXPECT_THROW((void)read_msh(folder_ / "b.msh"), InvalidInput);
    EXPECT_THROW((void)read_msh(folder_), InvalidInput);
}

TEST_F(MshFile, IsAGeometryOfScenesByItsExtension)
{
    std::ofstream(folder_ / "a.MSH") << format_4 << nodes_4 << tet_4;
    std::ofstream(folder_ / "a.stl") << "solid";
    const auto scene = [&](const std::string& file) {
        return parse_scene(
            R"({"format": 1, "objects": [{"geometry": {"file": ")" + file + R"("}}]})", "scene.json", folder_);
    };
    expect_one_tet(scene("a.MSH").objects.at(0).mesh);
    EXPECT_EQ(scene("a.MSH").objects.at(0).kind, ObjectKind::solid);
    try {
        (void)scene("a.stl");
        ADD_FAILURE();
    } catch (const InvalidInput& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("/objects/0/geometry/file"), std::string::npos) << message;
        EXPECT_NE(message.find(".obj"), std::string::npos) << message;
        EXPECT_NE(message.find(".msh"), std::string::npos) << message;
    }
}

TEST_F(MshFile, IsABodyInThePlaneWhereTheSceneSaysSo)
{
    std::ofstream(folder_ / "flat.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    std::ofstream(folder_ / "bent.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 1e-9\nf 1 2 3\n";
    std::ofstream(folder_ / "tet.msh") << format_4 << nodes_4 << tet_4;
    const auto scene = [&](const std::string& geometry) {
        return parse_scene(R"({"format": 1, "objects": [{"geometry": {)" + geometry + R"(}}]})", "scene.json", folder_);
    };
    const SceneObject flat = scene(R"("file": "flat.obj", "in_plane": true)").objects.at(0);
    EXPECT_EQ(flat.kind, ObjectKind::planar);
    EXPECT_EQ(flat.mesh.vertices, (Positions(3, 2) << 0, 0, 1, 0, 0, 1).finished());
    EXPECT_EQ(flat.mesh.faces.rows(), 1);
    for (const char* geometry : {R"("file": "flat.obj")", R"("file": "flat.obj", "in_plane": false)"})
        EXPECT_EQ(scene(geometry).objects.at(0).kind, ObjectKind::shell);
    const auto expect_refused = [&](const std::string& geometry, const std::string& part) {
        try {
            (void)scene(geometry);
            ADD_FAILURE() << geometry;
        } catch (const InvalidInput& error) {
            const std::string message = error.what();
            EXPECT_NE(message.find("/objects/0/geometry/in_plane"), std::string::npos) << message;
            EXPECT_NE(message.find(part), std::string::npos) << message;
            EXPECT_NE(message.find("leave "), std::string::npos) << message;
        }
    };
    expect_refused(R"("file": "bent.obj", "in_plane": true)", "z of vertex 2 is 1e-09");
    expect_refused(R"("file": "tet.msh", "in_plane": true)", "tetrahedra");
    expect_refused(R"("generate": "rectangle", "in_plane": true)", "only with \"file\"");
    expect_refused(R"("generate": "box", "in_plane": false)", "only with \"file\"");
}

TEST(Msh, ReadsMeshesOfTheReference)
{
    const fs::path scenes = reference_folder() / "scenes";
    if (!fs::is_directory(scenes))
        GTEST_SKIP() << "the meshes are not in " << scenes;
    const MeshData mat = read_msh(scenes / "ipc_mat40x40_twist" / "mat40x40.msh");
    EXPECT_EQ(mat.vertices.rows(), 3200);
    EXPECT_EQ(mat.tets.rows(), 9126);
    const MeshData dolphin = read_msh(scenes / "ipc_dolphin_funnel" / "dolphin5K.msh");
    EXPECT_EQ(dolphin.vertices.rows(), 8111);
    EXPECT_EQ(dolphin.tets.rows(), 36304);
}

} // namespace
} // namespace abut::test::msh_test
