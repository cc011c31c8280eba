#!/usr/bin/env python3
"""Writes a small capture for Bounding Volume Lab, as FORMAT.md describes it: write_bvcap.py FILE.bvcap [FRAMES]."""
import struct
import sys


def var(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))

def delta(value, before):
    d = value - before
    return var(2 * d if d >= 0 else -2 * d - 1)

def text(string):
    data = string.encode()
    return var(len(data)) + data

def chunk(kind, body):
    return b"\xbc" + kind + b"\1\0" + struct.pack("<I", len(body)) + body

def box(x, size):
    return struct.pack("<6f", x, 0, 0, x + size, size, size)

def ids(values):
    return var(len(values)) + b"".join(delta(v, w) for v, w in zip(values, [0, *values]))

def frame(number, bodies):
    """Two boxes that drift apart, their tree, a query of the left one, and a mark."""
    yield chunk(b"F", var(number) + struct.pack("<d", number / 60))
    if number == 0:
        yield chunk(b"S", b"\1" + var(len(bodies)) + b"".join(
            b"\x0a" + delta(i, w) + box(bodies[i], 1) + text(f"body {i}") for i, w in zip(bodies, [0, *bodies])))
    moves = b"".join(b"\x45" + delta(i, w) + box(bodies[i], 1) for i, w in zip(bodies, [0, *bodies]) if number)
    query = b"\x10" + box(bodies[7], 0.5) + var(0) + var(3) + var(3) + ids([7]) + ids([100, 7, 9])
    yield chunk(b"E", moves + query + b"\x20" + text(f"frame {number}"))
    leaves = b"".join(b"\x10" + delta(i, w) + var(0) + var(1) + delta(i, w) + box(x, 1)
                      for (i, x), w in zip(bodies.items(), [0, *bodies]))
    root = b"\x10" + delta(100, 9) + var(2) + var(0) + delta(7, 100) + delta(9, 7) + struct.pack(
        "<6f", bodies[7], 0, 0, bodies[9] + 1, 1, 1)
    yield chunk(b"T", b"\1" + var(100) + text("python") + leaves + root + b"\xff" + var(3))
    yield chunk(b"Z", bytes([0, 2 if number else 0, 0, 1, 1, 1, 3, 0]))

with open(sys.argv[1], "wb") as out:
    out.write(b"BVCAP\r\n\x1a" + chunk(b"H", b"\3" + struct.pack("<f", 0) + text("write_bvcap.py") + text("two boxes")))
    for n in range(int(sys.argv[2]) if len(sys.argv) > 2 else 3):
        out.write(b"".join(frame(n, {7: -n * 0.25, 9: 3 + n * 0.25})))
