#include "support/reference_scene.hpp"

namespace abut::test {

ReferenceScene read_reference_scene(const std::string& name)
{
    const nlohmann::json scene = read_oracle(name);
    const auto elements_of = [&](const char* key, int corners) {
        return scene.at(key).empty() ? Elements(0, corners) : Elements(to_matrix(scene.at(key)).cast<int>());
    };
    return {
        CollisionMesh(Positions(to_matrix(scene.at("rest"))), elements_of("edges", 2), elements_of("faces", 3)),
        to_matrix(scene.at("vertices")), to_matrix(scene.at("vertices_t1")), scene.at("queries")};
}

} // namespace abut::test
