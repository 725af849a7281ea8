#include "support/data_folders.hpp"

namespace abut::test {

std::filesystem::path oracle_folder() { return ABUT_ORACLE_DIR; }
std::filesystem::path reference_folder() { return ABUT_REFERENCE_DIR; }
std::filesystem::path scene_folder() { return ABUT_SCENE_DIR; }

} // namespace abut::test
