"""trim_font.py IN.ttf OUT.ttf: a TrueType font without what the program never draws: outlines of characters outside RANGES, and
tables about shaping. Numbers of glyphs, their widths and their kerning stay."""
import pathlib
import struct
import sys

# Those of the panels (app/panels/widgets/style.cpp), and Cyrillic for the names of files in the view.
RANGES = [(0x20, 0x24F), (0x391, 0x3D6), (0x400, 0x45F), (0x2010, 0x2044), (0x2070, 0x2094), (0x2200, 0x22FF), (0xFFFD, 0xFFFD)]
DROPPED = {b"GDEF", b"GSUB", b"DSIG", b"LTSH", b"VDMX", b"hdmx", b"name"}


def read_tables(font):
    count = struct.unpack_from(">H", font, 4)[0]
    rows = (struct.unpack_from(">4sIII", font, 12 + 16 * i) for i in range(count))
    return {tag: font[offset:offset + length] for tag, _, offset, length in rows}


def glyphs_of(cmap):
    """Glyph by character, from the subtable of the Basic Multilingual Plane."""
    for i in range(struct.unpack_from(">H", cmap, 2)[0]):
        platform, _, at = struct.unpack_from(">HHI", cmap, 4 + 8 * i)
        if platform not in (0, 3) or struct.unpack_from(">H", cmap, at)[0] != 4:
            continue
        count = struct.unpack_from(">H", cmap, at + 6)[0] // 2
        ends, starts, deltas, offsets = (struct.unpack_from(f">{count}H", cmap, at + 14 + 2 * count * part + (2 if part else 0))
                                         for part in range(4))
        found = {}
        for s in range(count):
            for code in range(starts[s], min(ends[s], 0xFFFE) + 1):
                glyph = code
                if offsets[s]:
                    place = at + 16 + 6 * count + 2 * s + offsets[s] + 2 * (code - starts[s])
                    glyph = struct.unpack_from(">H", cmap, place)[0]
                    if glyph == 0:
                        continue
                found[code] = (glyph + deltas[s]) & 0xFFFF
        return found
    raise SystemExit("the font has no table of characters of format 4")


def parts_of(outline):
    """The glyphs that a composite one consists of."""
    if len(outline) < 10 or struct.unpack_from(">h", outline)[0] >= 0:
        return
    at, more = 10, True
    while more:
        flags, glyph = struct.unpack_from(">HH", outline, at)
        yield glyph
        at += 4 + (4 if flags & 1 else 2) + (2 if flags & 8 else 4 if flags & 0x40 else 8 if flags & 0x80 else 0)
        more = flags & 0x20


def main():
    tables = read_tables(pathlib.Path(sys.argv[1]).read_bytes())
    count = struct.unpack_from(">H", tables[b"maxp"], 4)[0]
    is_long = struct.unpack_from(">h", tables[b"head"], 50)[0] == 1
    loca = struct.unpack(f">{count + 1}{'I' if is_long else 'H'}", tables[b"loca"][:(count + 1) * (4 if is_long else 2)])
    place = [at if is_long else 2 * at for at in loca]
    outlines = [tables[b"glyf"][a:b] for a, b in zip(place, place[1:])]
    kept = {0} | {glyph for code, glyph in glyphs_of(tables[b"cmap"]).items() if any(a <= code <= b for a, b in RANGES)}
    waiting = list(kept)
    while waiting:
        for part in parts_of(outlines[waiting.pop()]):
            if part not in kept:
                kept.add(part)
                waiting.append(part)
    glyf, places = b"", []
    for number, outline in enumerate(outlines):
        places.append(len(glyf))
        glyf += outline + b"\0" * (-len(outline) % 4) if number in kept else b""
    tables[b"glyf"] = glyf
    tables[b"loca"] = struct.pack(f">{count + 1}I", *places, len(glyf))
    tables[b"head"] = tables[b"head"][:50] + struct.pack(">h", 1) + tables[b"head"][52:]
    rows = [(tag, table) for tag, table in sorted(tables.items()) if tag not in DROPPED]
    power = 1 << (len(rows).bit_length() - 1)
    out = struct.pack(">IHHHH", 0x00010000, len(rows), 16 * power, power.bit_length() - 1, 16 * (len(rows) - power))
    at = 12 + 16 * len(rows)
    body = b""
    for tag, table in rows:
        out += struct.pack(">4sIII", tag, 0, at + len(body), len(table))
        body += table + b"\0" * (-len(table) % 4)
    pathlib.Path(sys.argv[2]).write_bytes(out + body)


main()
