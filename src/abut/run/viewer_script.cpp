#include "abut/run/viewer_script.hpp"

namespace abut {

// To be replaced by the embedded bundle of the viewer.
std::string_view viewer_script()
{
    return R"(for (const element of document.querySelectorAll(".abut-viewer"))
    element.textContent = "This build of Abut has no viewer in it.";
)";
}

} // namespace abut
