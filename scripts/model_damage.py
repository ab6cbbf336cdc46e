"""Ways to damage a model file: by accident, and on purpose."""

import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from typing import Any

import numpy as np
from numpy.random import Generator

SCHEMA = "schema.json"
ODD_JSON = (
    "0",
    "-1",
    "1",
    "7",
    "null",
    "true",
    "[]",
    "{}",
    '"x"',
    "1e308",
    "NaN",
    "2147483648",
    "18446744073709551616",
)
ODD_VALUES: tuple[Any, ...] = (0, -1, 1, 3, 255, 2**31 - 1, -(2**31), 2**62, 1e308, float("nan"))
Damage = Callable[[bytes, Generator], bytes]


def damaged(kind: str, content: bytes, draw: Generator) -> bytes:
    """The file with one kind of damage, chosen by chance."""
    ways: list[Damage] = [flipped, cut, overwritten]
    ways += (
        [onnx_field] * 3
        if kind.startswith("onnx")
        else [skops_entry, skops_schema, skops_schema, skops_array, skops_array]
    )
    return ways[draw.integers(len(ways))](content, draw)


def flipped(content: bytes, draw: Generator) -> bytes:
    """With up to sixteen bits flipped."""
    spoilt = bytearray(content)
    for place in draw.integers(len(spoilt), size=draw.integers(1, 17)):
        spoilt[place] ^= 1 << int(draw.integers(8))
    return bytes(spoilt)


def cut(content: bytes, draw: Generator) -> bytes:
    """Without its end."""
    return content[: draw.integers(len(content))]


def overwritten(content: bytes, draw: Generator) -> bytes:
    """With up to 64 bytes replaced."""
    place = draw.integers(len(content))
    return content[:place] + draw.bytes(int(draw.integers(1, 65))) + content[place + 64 :]


def skops_entry(content: bytes, draw: Generator) -> bytes:
    """With one entry damaged by accident, in a file that is whole as a zip."""
    entries = _unpacked(content)
    name = sorted(entries)[draw.integers(len(entries))]
    way = (flipped, cut, overwritten)[draw.integers(3)]
    head = entries[name][:128] if draw.integers(2) else entries[name]  # which says what the rest is
    return _packed(entries | {name: way(head, draw) + entries[name][len(head) :]})


def skops_schema(content: bytes, draw: Generator) -> bytes:
    """With other entries in the description of the model, in a file that is whole as a zip."""
    entries = _unpacked(content)
    schema = json.loads(entries[SCHEMA])
    for _ in range(draw.integers(1, 4)):
        _spoil_entry(schema, draw)
    return _packed(entries | {SCHEMA: json.dumps(schema).encode()})


def _spoil_entry(schema: Any, draw: Generator) -> None:
    places = list(_places(schema))
    holder, key = places[draw.integers(len(places))]
    other_holder, other_key = places[draw.integers(len(places))]
    way = draw.integers(4)
    if way == 0:
        holder[key] = ODD_JSON[draw.integers(len(ODD_JSON))]
    elif way == 1:
        holder[key] = json.loads(json.dumps(other_holder[other_key]))
    elif way == 2:
        del holder[key]
    else:
        odd = draw.integers(len(ODD_JSON))
        holder[key] = json.loads(ODD_JSON[odd]) if draw.integers(20) else json.loads("[" * 900 + "]" * 900)


def _places(thing: Any) -> Iterator[tuple[Any, Any]]:
    entries = list(thing.items()) if isinstance(thing, dict) else list(enumerate(thing))
    for key, value in entries:
        yield thing, key
        if isinstance(value, (dict, list)):
            yield from _places(value)


def skops_array(content: bytes, draw: Generator) -> bytes:
    """With other numbers, another shape or another type in some of its arrays, in a file that is whole as a zip."""
    entries = _unpacked(content)
    names = sorted(name for name in entries if name.endswith(".npy"))
    for name in draw.choice(names, size=min(len(names), draw.integers(1, 4)), replace=False):
        array = np.load(BytesIO(entries[name]), allow_pickle=False)
        written = BytesIO()
        np.save(written, _spoilt_array(array, draw), allow_pickle=False)
        entries[str(name)] = written.getvalue()
    return _packed(entries)


def _spoilt_array(array: np.ndarray, draw: Generator) -> np.ndarray:
    ways: list[Callable[[], np.ndarray]] = [
        lambda: array[: len(array) // 2] if array.ndim else array.reshape(1),
        lambda: np.concatenate([array] * (2 if draw.integers(2) else 5000)) if array.ndim else np.stack([array, array]),
        lambda: array.reshape(-1)[:0],
        lambda: array[..., None],
        lambda: array.astype(np.float32) if array.dtype.kind in "if" else array.astype("S9"),
        lambda: np.frombuffer(bytes(array.nbytes), dtype=array.dtype).reshape(array.shape),
        lambda: np.frombuffer(draw.bytes(array.nbytes), dtype=array.dtype).reshape(array.shape),
    ]
    if array.size and draw.integers(2):
        return _with_odd_values(array, draw) if draw.integers(2) else _with_the_same_sum(array, draw)
    try:
        return ways[draw.integers(len(ways))]()
    except (TypeError, ValueError):
        return array.reshape(-1)[:1]


def _with_odd_values(array: np.ndarray, draw: Generator) -> np.ndarray:
    spoilt = array.copy().reshape(-1)
    fields = list(array.dtype.names or [None])
    for place in draw.integers(spoilt.size, size=draw.integers(1, 4)):
        field = fields[draw.integers(len(fields))]
        cells = spoilt if field is None else spoilt[field]
        if cells.dtype.kind in "iufb":
            with np.errstate(all="ignore"):
                odd = np.array(ODD_VALUES[draw.integers(len(ODD_VALUES))], dtype=np.float64)
                cells[place] = odd.astype(cells.dtype)
    return spoilt.reshape(array.shape)


def _with_the_same_sum(array: np.ndarray, draw: Generator) -> np.ndarray:
    """With impossible numbers that a check of their sum does not notice."""
    spoilt = array.copy().reshape(-1)
    if spoilt.size > 1 and array.dtype.kind in "if":
        one, other = draw.choice(spoilt.size, size=2, replace=False)
        amount = spoilt.dtype.type(10 ** int(draw.integers(1, 10)))
        with np.errstate(all="ignore"):
            spoilt[one] += amount
            spoilt[other] -= amount
    return spoilt.reshape(array.shape)


def onnx_field(content: bytes, draw: Generator) -> bytes:
    """With other values in some fields of the graph, in a file that is whole as a message."""
    from onnx import ModelProto  # noqa: PLC0415 - for two kinds only

    model = ModelProto.FromString(content)
    for _ in range(draw.integers(1, 4)):
        fields = list(_fields(model))
        message, field, place = fields[draw.integers(len(fields))]
        _spoil_field(message, field, place, draw)
    return model.SerializeToString()


def _fields(message: Any) -> Iterator[tuple[Any, Any, int | None]]:
    """Every field that is set, with the place in it if it is a list."""
    for field, value in message.ListFields():
        listed = hasattr(value, "__len__") and not isinstance(value, (str, bytes))
        for place, entry in enumerate(value) if listed else [(None, value)]:
            yield message, field, place
            if hasattr(entry, "ListFields"):
                yield from _fields(entry)


def _spoil_field(message: Any, field: Any, place: int | None, draw: Generator) -> None:
    value = getattr(message, field.name)
    entry = value if place is None else value[place]
    if place is not None and draw.integers(3) == 0:
        del value[place]
        return
    odd = _odd_like(entry, draw)
    if odd is None:
        message.ClearField(field.name)
    with suppress(ValueError):  # some numbers are names, and only some names are known
        if odd is not None and place is None:
            setattr(message, field.name, odd)
        elif odd is not None:
            value[place] = odd


def _odd_like(entry: Any, draw: Generator) -> Any:
    if isinstance(entry, int):
        return int([0, -1, 1, 2, 255, 2**31 - 1, -(2**31)][draw.integers(7)])
    if isinstance(entry, float):
        return float([0.0, -1.0, 1e30, float("nan"), float("inf")][draw.integers(5)])
    if isinstance(entry, bytes):
        return flipped(entry, draw) if entry and draw.integers(2) else entry[: len(entry) // 2]
    return "x" if isinstance(entry, str) else None


def _unpacked(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _packed(entries: dict[str, bytes]) -> bytes:
    written = BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, entry in entries.items():
            archive.writestr(name, entry)
    return written.getvalue()
