import { crc32 } from "node:zlib";
import { LIMITS } from "../kernel/limits.ts";
import { ImageProblem } from "./image-problem.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** What a picture is made of. Not kept: texts, places and times of photographs, color profiles, animations. */
const KEPT = new Set(["IHDR", "PLTE", "tRNS", "gAMA", "sRGB", "IDAT", "IEND"]);
/** Encoders write one for some kilobytes. */
const MAX_CHUNKS = 10_000;
const HEADER_BYTES = 13;
/** Of a chunk around its data: length, type and checksum. */
const FRAME_BYTES = 12;

/** The color types with the bit depths that each can have. */
const DEPTHS = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
]);

export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length));
}

/**
 * Checks a PNG's chunks and the size in its header, and keeps the chunks that make the picture.
 *
 * @throws {ImageProblem}
 * @see https://www.w3.org/TR/png-3/#5Chunk-layout
 */
export function readPng(bytes: Uint8Array): {
  image: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
} {
  const chunks = listChunks(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const [header] = chunks;
  if (header?.type !== "IHDR" || chunks.at(-1)?.type !== "IEND") throw createDamaged();
  if (!chunks.some(({ type }) => type === "IDAT")) throw createDamaged();
  const size = readHeader(header.data);
  const kept = chunks.filter(({ type }) => KEPT.has(type)).map(({ whole }) => whole);
  return { ...size, image: new Uint8Array(Buffer.concat([SIGNATURE, ...kept])) };
}

type Chunk = { type: string; data: Buffer; whole: Buffer };

function listChunks(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  while (at < png.length) {
    if (at + FRAME_BYTES > png.length) throw createDamaged();
    const end = at + FRAME_BYTES + png.readUInt32BE(at);
    if (end > png.length) throw createDamaged();
    const whole = png.subarray(at, end);
    const type = whole.toString("latin1", 4, 8);
    if (crc32(whole.subarray(4, -4)) !== whole.readUInt32BE(whole.length - 4)) throw createDamaged();
    if ((type === "IHDR") !== (chunks.length === 0)) throw createDamaged();
    if (chunks.length === MAX_CHUNKS)
      throw new ImageProblem(`must have at most ${MAX_CHUNKS} chunks: save it again`);
    chunks.push({ type, whole, data: whole.subarray(8, -4) });
    at = end;
    if (type === "IEND" && at < png.length) throw new ImageProblem("must have nothing after its end");
  }
  return chunks;
}

function readHeader(data: Buffer): { width: number; height: number } {
  if (data.length !== HEADER_BYTES) throw createDamaged();
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [depth, color] = [data.readUInt8(8), data.readUInt8(9)];
  if (width === 0 || height === 0 || DEPTHS.get(color)?.includes(depth) !== true) throw createDamaged();
  if (width * height > LIMITS.floorPlanPixels) {
    throw new ImageProblem(
      `must have at most ${LIMITS.floorPlanPixels} pixels, and has ${width} × ${height}`,
    );
  }
  return { width, height };
}

function createDamaged(): ImageProblem {
  return new ImageProblem("is a damaged PNG: save it again");
}
