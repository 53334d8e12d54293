"""Makes the sync client from the async one: every file of `aio` except `wire.py`, without `async` and `await`.

python scripts/make_sync.py           writes src/bellwether_exchange/sync
python scripts/make_sync.py --check   fails if a file there differs
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "bellwether_exchange"
BY_HAND = "wire.py"
NOTICE = "# Made from bellwether_exchange/aio by scripts/make_sync.py: edit that file, not this one.\n"

WORDS = [
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync(Client|Iterator)\b", r"\1"),
    (r"\b__a(iter|next|enter|exit)__\b", r"__\1__"),
    (r"bellwether_exchange\.aio\b", "bellwether_exchange.sync"),
]


def sync_text(text: str) -> str:
    """The sync form of a file."""
    for pattern, replacement in WORDS:
        text = re.sub(pattern, replacement, text)
    return NOTICE + text


def sync_files() -> dict[Path, str]:
    """Every file that is made, with its text."""
    sources = [file for file in sorted((PACKAGE / "aio").glob("*.py")) if file.name != BY_HAND]
    made = {PACKAGE / "sync" / file.name: sync_text(file.read_text(encoding="utf-8")) for file in sources}
    made[PACKAGE / "sync" / "__init__.py"] = sync_init()
    return made


def sync_init() -> str:
    text = sync_text((PACKAGE / "aio" / "__init__.py").read_text(encoding="utf-8"))
    text = re.sub(r'""".*?"""', '"""The sync client."""', text, count=1, flags=re.S)
    # Names are sorted, and one of them has become another.
    head, names = text.split("__all__ = [\n")
    ordered = sorted(names.replace("]", "").split("\n"))
    return head + "__all__ = [\n" + "".join(f"{name}\n" for name in ordered if name) + "]\n"


def main() -> None:
    differing = [path for path, text in sync_files().items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv[1:]:
        if differing:
            sys.exit(f"run scripts/make_sync.py: {', '.join(path.name for path in differing)} would change")
        return
    for path, text in sync_files().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
