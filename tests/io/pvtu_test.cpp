#include "abut/io/pvtu.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace abut::test::pvtu_test {

namespace {

namespace fs = std::filesystem;

Frame filled(MeshData mesh)
{
    Frame frame;
    frame.mesh = std::move(mesh);
    const Eigen::Index n = frame.mesh.vertices.rows(), dim = frame.mesh.vertices.cols();
    frame.mesh.vertices.array() += 1.0 / 3;
    frame.velocities = Positions::Random(n, dim);
    frame.forces = Positions::Random(n, dim);
    frame.velocities(0, 0) = -0.0;
    for (Eigen::Index v = 0; v < n; ++v)
        frame.objects.push_back(static_cast<int>(v % 3));
    frame.step = 17;
    frame.time = 0.1 + 0.2;
    frame.history.set("contact.stiffness", 1e9 / 3);
    frame.history.set("plasticity.strain", {0.1, -1e-300, INFINITY, NAN, -0.0, 7});
    frame.history.set("nothing.yet", std::vector<double>());
    frame.others = Eigen::Vector3d(1, 2, 1.0 / 3);
    frame.arrows = {{0, 1, Vec3(1, 2, 3), Vec3(4, 5, 6), Vec3(7, 8, 1.0 / 7)}};
    frame.vertex_fields = {{"bond", 1, std::vector<double>(static_cast<std::size_t>(n), 0.5)}};
    return frame;
}

/// All kinds of elements, and vertices without any.
Frame mixed()
{
    MeshData mesh = generate::tet_box({.subdivisions = {2, 1, 1}});
    append(mesh, generate::box());
    append(mesh, generate::rod({.segments = 2}));
    append(mesh, {.vertices = Positions::Random(3, 3), .edges = {}, .faces = {}, .tets = {}});
    return filled(std::move(mesh));
}

std::vector<Frame> frames()
{
    return {
        mixed(), filled(generate::squircle({.segments = 8})),
        filled({.vertices = Positions::Random(5, 3), .edges = {}, .faces = {}, .tets = {}})};
}

std::vector<CellField> fields_of(const Frame& frame)
{
    CellField field{"strain", 2, std::vector<double>(2 * static_cast<std::size_t>(num_cells(frame.mesh)))};
    std::iota(field.values.begin(), field.values.end(), 0.5);
    return {field};
}

/// An empty folder, and the path of an index in it.
fs::path index_in(const std::string& name)
{
    const fs::path folder = fs::path(testing::TempDir()) / "abut_pvtu" / name;
    fs::remove_all(folder);
    fs::create_directories(folder);
    return folder / "frame_00000017.pvtu";
}

std::string error_of(const fs::path& path)
{
    try {
        (void)read_pvtu(path);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

/// What process `rank` of `count` has: every count-th element, and every count-th vertex as its own.
struct Rank {
    Frame frame;
    FramePiece piece;
    std::vector<CellField> fields;

    Rank(const Frame& whole, const std::vector<CellField>& whole_fields, int rank, int count) : frame(whole)
    {
        piece.index = rank;
        piece.count = count;
        std::int64_t before = 0;
        const auto take = [&](const auto& all, auto& some) {
            std::vector<Eigen::Index> rows;
            for (Eigen::Index e = 0; e < all.rows(); ++e)
                if ((before + e) % count == rank) {
                    rows.push_back(e);
                    piece.cells.push_back(before + e);
                }
            some.resize(static_cast<Eigen::Index>(rows.size()), all.cols());
            for (std::size_t k = 0; k < rows.size(); ++k)
                some.row(static_cast<Eigen::Index>(k)) = all.row(rows[k]);
            before += all.rows();
        };
        take(whole.mesh.tets, frame.mesh.tets);
        take(whole.mesh.faces, frame.mesh.faces);
        take(whole.mesh.edges, frame.mesh.edges);
        for (int v = rank; v < static_cast<int>(whole.mesh.vertices.rows()); v += count)
            piece.vertices.push_back(v);
        for (const CellField& field : whole_fields) {
            fields.push_back({field.name, field.components, {}});
            for (const std::int64_t cell : piece.cells)
                for (int c = 0; c < field.components; ++c)
                    fields.back().values.push_back(field.values[static_cast<std::size_t>(cell * field.components + c)]);
        }
    }
};

TEST(Pvtu, ReadsBackTheBitsOfTheVtuOfTheSameFrame)
{
    const fs::path path = index_in("bits");
    for (const Frame& frame : frames())
        for (const int count : {1, 2, 3, 64}) { // the last has pieces without anything
            const fs::path vtu = path.parent_path() / "frame_00000017.vtu";
            write_vtu(vtu, frame, fields_of(frame));
            write_pvtu(path, frame, fields_of(frame), count);
            const Frame back = read_frame(path);
            EXPECT_EQ(back, read_frame(vtu)) << count;
            EXPECT_EQ(back, frame);
            EXPECT_TRUE(std::signbit(back.velocities(0, 0)));
            // What a resumed run would write next has the same bits in its file.
            write_vtu(path.parent_path() / "again.vtu", back);
            write_vtu(vtu, read_frame(vtu));
            EXPECT_EQ(read_file(path.parent_path() / "again.vtu", 1 << 24), read_file(vtu, 1 << 24));
            EXPECT_EQ(std::distance(fs::directory_iterator(folder_of_pieces(path)), {}), count)
                << "pieces of earlier attempts are gone";
        }
}

TEST(Pvtu, IsWrittenByProcessesThatHaveScatteredElementsAndPartsOfLists)
{
    const Frame whole = mixed();
    const fs::path path = index_in("scattered");
    constexpr int count = 3;
    std::vector<PieceEntry> entries;
    for (int r = 0; r < count; ++r) {
        Rank rank(whole, fields_of(whole), r, count);
        // One list is in parts: the first two numbers and the last, the others, nothing.
        const std::vector<double> strain = *whole.history.find("plasticity.strain");
        if (r == 0) {
            rank.frame.history.set("plasticity.strain", {strain[0], strain[1], strain[5]});
            rank.piece.lists["plasticity.strain"] = {.total = 6, .ranges = {{0, 2}, {5, 1}}};
        } else {
            rank.frame.history.set(
                "plasticity.strain",
                r == 1 ? std::vector<double>{strain[2], strain[3], strain[4]} : std::vector<double>());
            rank.piece.lists["plasticity.strain"] = {
                .total = 6, .ranges = r == 1 ? std::vector<ListPart::Range>{{2, 3}} : std::vector<ListPart::Range>()};
        }
        EXPECT_FALSE(fs::exists(path));
        entries.push_back(write_piece(path, rank.frame, rank.piece, rank.fields));
    }
    write_pvtu_index(path, whole, fields_of(whole), entries);
    EXPECT_EQ(read_pvtu(path), whole);
}

TEST(Pvtu, IsWrittenByProcessesThatHaveTheWholeFrameAndAnyPartition)
{
    for (const Frame& whole : frames()) {
        const fs::path path = index_in("partition");
        std::vector<int> piece_of_cell;
        for (Eigen::Index cell = 0; cell < num_cells(whole.mesh); ++cell)
            piece_of_cell.push_back(static_cast<int>(cell * 7 % 3)); // the last of four has none
        std::vector<PieceEntry> entries;
        for (int rank = 0; rank < 4; ++rank)
            entries.push_back(write_own_piece(path, whole, fields_of(whole), rank, 4, piece_of_cell));
        write_pvtu_index(path, whole, fields_of(whole), entries);
        EXPECT_EQ(read_pvtu(path), whole);
    }
}

TEST(Pvtu, NamesThePieceThatIsMissingDamagedOrOfAnotherAttempt)
{
    const Frame frame = mixed();
    const fs::path path = index_in("damaged");
    const auto piece = [&](int k) { return folder_of_pieces(path) / fmt::format("piece_{:04d}.vtu", k); };
    const auto write = [&] { write_pvtu(path, frame, {}, 3); };
    const auto expect = [&](const std::string& name, const std::string& words) {
        const std::string error = error_of(path);
        EXPECT_NE(error.find(name), std::string::npos) << error;
        EXPECT_NE(error.find(words), std::string::npos) << error;
        EXPECT_NE(error.find("use an earlier frame"), std::string::npos) << error;
    };
    write();
    EXPECT_EQ(error_of(path), "");
    fs::remove(piece(1));
    expect("frame_00000017/piece_0001.vtu", "bring the folder frame_00000017 here");

    write();
    std::string bytes = read_file(piece(2), 1 << 24);
    write_file(piece(2), bytes.substr(0, bytes.size() / 2));
    expect("piece_0002.vtu", "cut short");

    for (std::size_t at = bytes.find("<UnstructuredGrid>") + 30; at < bytes.size() - 40; at += 997) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 4);
        write_file(piece(2), changed);
        expect("piece_0002.vtu", "");
    }

    // A run was killed while it wrote the frame again: its first piece is whole, and of another state.
    write();
    Frame other = frame;
    other.mesh.vertices(0, 0) += 1e-12;
    Rank rank(other, {}, 0, 3);
    (void)write_piece(path, rank.frame, rank.piece);
    expect("piece_0000.vtu", "is not the piece that");

    // Two pieces have changed places.
    write();
    fs::rename(piece(0), piece(9));
    fs::rename(piece(1), piece(0));
    fs::rename(piece(9), piece(1));
    expect("piece_0000.vtu", "is not the piece that");
}

TEST(Pvtu, AnIndexThatWasCutOrChangedIsRejected)
{
    const fs::path path = index_in("index");
    write_pvtu(path, mixed(), {}, 2);
    const std::string bytes = read_file(path, 1 << 20);
    for (std::size_t length = 0; length < bytes.size(); length += 13) {
        write_file(path, bytes.substr(0, length));
        EXPECT_NE(error_of(path), "") << length;
    }
    for (std::size_t at = bytes.find("<PUnstructuredGrid"); at < bytes.find("</PUnstructuredGrid>"); at += 7) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 4);
        write_file(path, changed);
        EXPECT_NE(error_of(path), "") << at;
    }
}

TEST(Pvtu, PiecesThatDoNotMakeAFrameAreFound)
{
    const Frame whole = mixed();
    const fs::path path = index_in("wrong");
    const auto write = [&](const auto& change) {
        std::vector<PieceEntry> entries;
        for (int r = 0; r < 2; ++r) {
            Rank rank(whole, {}, r, 2);
            change(rank, r);
            entries.push_back(write_piece(path, rank.frame, rank.piece));
        }
        write_pvtu_index(path, whole, {}, entries);
    };
    EXPECT_THROW(write([](Rank& rank, int) { rank.piece.vertices.pop_back(); }), InvalidInput) << "vertices left out";
    EXPECT_FALSE(fs::exists(path)) << "before the index is there";
    write([](Rank& rank, int) { rank.piece.cells[1] = rank.piece.cells[0]; });
    EXPECT_NE(error_of(path).find("have an element twice"), std::string::npos) << error_of(path);
    write([](Rank& rank, int r) { rank.frame.velocities(0, 1) += r; });
    EXPECT_NE(error_of(path).find("do not agree on vertex 0"), std::string::npos) << error_of(path);
    write([](Rank& rank, int) { rank.piece.lists["contact.stiffness"] = {.total = 2, .ranges = {{0, 1}}}; });
    EXPECT_NE(error_of(path).find("leave out numbers of 'contact.stiffness'"), std::string::npos) << error_of(path);
    write([](Rank&, int) {});
    EXPECT_EQ(error_of(path), "");
}

TEST(Pvtu, APieceAloneIsNoFrame)
{
    const fs::path path = index_in("alone");
    write_pvtu(path, mixed(), {}, 2);
    try {
        (void)read_frame(folder_of_pieces(path) / "piece_0000.vtu");
        FAIL() << "read";
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find("open the .pvtu file"), std::string::npos) << error.what();
    }
}

} // namespace

} // namespace abut::test::pvtu_test
