import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLORS = 256;

/** An image without transparency, three bytes for each pixel. */
type Image = { width: number; height: number; pixels: Buffer };

/**
 * Writes a PNG with a palette, which is half as large: the 256 most frequent colors, and the nearest of them for others.
 *
 * @param png as Chromium writes it: eight bits for each of red, green and blue, not interlaced.
 * @see https://www.w3.org/TR/png-3/
 */
export function indexColors(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const color = pixels.readUIntBE(at, 3);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const palette = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, COLORS)
    .map(([color]) => color);
  const indexes = new Map([...counts.keys()].map((color) => [color, findNearest(color, palette)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    // Each row begins with its filter: none.
    const at = pixel + Math.floor(pixel / width) + 1;
    rows[at] = indexes.get(pixels.readUIntBE(pixel * 3, 3)) ?? 0;
  }
  const colors = Buffer.alloc(palette.length * 3);
  for (const [index, color] of palette.entries()) colors.writeUIntBE(color, index * 3, 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  return Buffer.concat([
    SIGNATURE,
    writeChunk("IHDR", header),
    writeChunk("PLTE", colors),
    writeChunk("IDAT", deflateSync(rows, { level: 9 })),
    writeChunk("IEND", Buffer.alloc(0)),
  ]);
}

function findNearest(color: number, palette: number[]): number {
  let [nearest, least] = [0, Infinity];
  for (const [index, other] of palette.entries()) {
    const away = [16, 8, 0].reduce(
      (sum, shift) => sum + (((color >> shift) & 255) - ((other >> shift) & 255)) ** 2,
      0,
    );
    if (away < least) [nearest, least] = [index, away];
  }
  return nearest;
}

function decode(png: Buffer): Image {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const [depth, kind] = [png[24], png[25]];
  if (depth !== 8 || (kind !== 2 && kind !== 6))
    throw new Error("the PNG has neither RGB nor RGBA of 8 bits");
  const size = kind === 2 ? 3 : 4;
  const rows = unfilter(inflateSync(readData(png)), width * size, size);
  const pixels = Buffer.alloc(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++)
    rows.copy(pixels, pixel * 3, pixel * size, pixel * size + 3);
  return { width, height, pixels };
}

function readData(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    const start = at + 8;
    if (png.toString("latin1", at + 4, start) === "IDAT")
      parts.push(png.subarray(start, start + png.readUInt32BE(at)));
  }
  return Buffer.concat(parts);
}

/** Undoes the filters of all rows, of which each begins with its own. */
function unfilter(filtered: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  const rows = Buffer.alloc((filtered.length / (rowBytes + 1)) * rowBytes);
  for (let at = 0; at < rows.length; at++) {
    const row = Math.floor(at / rowBytes);
    const isFirst = at % rowBytes < pixelBytes;
    const left = isFirst ? 0 : (rows[at - pixelBytes] ?? 0);
    const above = row === 0 ? 0 : (rows[at - rowBytes] ?? 0);
    const corner = isFirst || row === 0 ? 0 : (rows[at - rowBytes - pixelBytes] ?? 0);
    const guesses = [0, left, above, (left + above) >> 1, guessByPaeth(left, above, corner)];
    rows[at] = (filtered[at + row + 1] ?? 0) + (guesses[filtered[row * (rowBytes + 1)] ?? 0] ?? 0);
  }
  return rows;
}

function guessByPaeth(left: number, above: number, corner: number): number {
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((one) =>
    Math.abs(left + above - corner - one),
  );
  if ((toLeft ?? 0) <= (toAbove ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left;
  return (toAbove ?? 0) <= (toCorner ?? 0) ? above : corner;
}

function writeChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, "latin1");
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
  return chunk;
}
