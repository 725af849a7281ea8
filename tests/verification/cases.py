"""All cases, in the order of the page."""

import motion  # noqa: F401
import hertz  # noqa: F401
import rods  # noqa: F401
import statics  # noqa: F401
import plastic  # noqa: F401
from table import CASES  # noqa: F401
