#pragma once
// A run as one file of Universal Scene Description in its text form (.usda), for Houdini, Omniverse, Blender and
// others.
//
// Every object is an Xform with a Mesh for its surface, BasisCurves for its edges and Points for single vertices. What
// moves has time samples of its points and their extent; the rest has one value. Planes become squares around what they
// hold, in two dimensions lines. Names become identifiers; an object's own name is in displayName and in the custom
// datum abut:name. Lengths are metres.

#include "abut/io/position_spool.hpp"

#include <filesystem>
#include <span>

namespace abut {

struct UsdaOptions {
    double codes_per_second = 30; ///< time codes in a second of the animation, > 0
    double speed = 1;             ///< seconds of the run in a second of the animation, > 0
    bool is_z_up = false;         ///< else y is; USD knows no other
};

/// Takes frames one after the other and writes the file at the end: a long run does not have to fit into memory.
class UsdaWriter {
public:
    UsdaWriter(
        std::filesystem::path path, std::vector<ObjectLook> objects, std::vector<Plane> planes, UsdaOptions options);

    /// The next frame, as PositionSpool::add.
    void add(const Frame& frame) { spool_.add(frame); }
    /// Writes the file, in one piece as write_file does. There must be a frame.
    void finish();

private:
    std::filesystem::path path_;
    std::vector<ObjectLook> objects_;
    std::vector<Plane> planes_;
    UsdaOptions options_;
    PositionSpool spool_;
};

} // namespace abut
