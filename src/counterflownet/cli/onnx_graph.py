"""What an ONNX file says that it computes, read from its protocol-buffer form: operators and their attributes."""

from collections.abc import Iterator
from typing import NamedTuple

MODEL_GRAPH, MODEL_FUNCTIONS = 7, 25
GRAPH_NODE, FUNCTION_NODE = 1, 7
NODE_OPERATOR, NODE_ATTRIBUTE = 4, 5
ATTRIBUTE_NAME, ATTRIBUTE_GRAPH, ATTRIBUTE_INTS, ATTRIBUTE_STRINGS, ATTRIBUTE_GRAPHS = 1, 6, 8, 9, 11
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
DEEPEST = 20


class Operator(NamedTuple):
    """One step of the computation; its attributes are read when they are asked for."""

    name: str
    attributes: dict[str, bytes]

    def ints(self, name: str) -> list[int]:
        """An attribute that is a list of whole numbers."""
        return list(_ints(self.attributes.get(name, b"")))

    def strings(self, name: str) -> list[bytes]:
        """An attribute that is a list of texts."""
        fields = _fields(self.attributes.get(name, b""))
        return [value for number, value in fields if number == ATTRIBUTE_STRINGS and isinstance(value, bytes)]


def operators(content: bytes) -> Iterator[Operator]:
    """All operators of a model, those of its functions and of graphs inside graphs too."""
    for graph in _messages(content, MODEL_GRAPH):
        yield from _of_graph(graph, GRAPH_NODE, 0)
    for function in _messages(content, MODEL_FUNCTIONS):
        yield from _of_graph(function, FUNCTION_NODE, 0)


def _of_graph(graph: bytes, field: int, depth: int) -> Iterator[Operator]:
    if depth > DEEPEST:
        raise ValueError(f"graphs are nested more than {DEEPEST} levels deep")
    for node in _messages(graph, field):
        attributes = list(_messages(node, NODE_ATTRIBUTE))
        named = {_text(attribute, ATTRIBUTE_NAME): attribute for attribute in attributes}
        yield Operator(_text(node, NODE_OPERATOR), named)
        for attribute in attributes:
            for inner in (*_messages(attribute, ATTRIBUTE_GRAPH), *_messages(attribute, ATTRIBUTE_GRAPHS)):
                yield from _of_graph(inner, GRAPH_NODE, depth + 1)


def _messages(message: bytes, number: int) -> Iterator[bytes]:
    return (value for found, value in _fields(message) if found == number and isinstance(value, bytes))


def _text(message: bytes, number: int) -> str:
    return b"".join(list(_messages(message, number))[-1:]).decode(errors="replace")


def _ints(attribute: bytes) -> Iterator[int]:
    for number, value in _fields(attribute):
        if number == ATTRIBUTE_INTS and isinstance(value, int):
            yield value
        elif number == ATTRIBUTE_INTS and isinstance(value, bytes):
            place = 0
            while place < len(value):
                entry, place = _varint(value, place)
                yield entry


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Number and value of each field; of a kind that no model has, an error."""
    place = 0
    while place < len(message):
        tag, place = _varint(message, place)
        number, kind = tag >> 3, tag & 7
        if kind == VARINT:
            value, place = _varint(message, place)
            yield number, value
            continue
        if kind == BYTES:
            length, place = _varint(message, place)
        else:
            length = {FIXED64: 8, FIXED32: 4}[kind]
        if not 0 <= length <= len(message) - place:
            raise ValueError("a field is longer than the file")
        yield number, message[place : place + length]
        place += length


def _varint(message: bytes, place: int) -> tuple[int, int]:
    """A whole number, and the place behind it; negative ones are written as if they had 64 bits."""
    value = shift = 0
    while message[place] & 0x80:
        value |= (message[place] & 0x7F) << shift
        shift += 7
        place += 1
    value = (value | message[place] << shift) & (2**64 - 1)
    return value - 2**64 if value >= 2**63 else value, place + 1
