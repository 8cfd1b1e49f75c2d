# The module that cffi makes of libsegment's public headers.
from typing import Any

ffi: Any
lib: Any
