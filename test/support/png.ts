import { crc32, deflateSync } from "node:zlib";

/** Builds a chunk of a PNG. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Builds the header of a gray picture. */
export function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return pngChunk("IHDR", header);
}

/** Builds a gray picture. */
export function buildPng(width: number, height: number, others: readonly Buffer[] = []): Buffer {
  const rows = Buffer.alloc((width + 1) * height, 0xcd);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  const data = pngChunk("IDAT", deflateSync(rows));
  const end = pngChunk("IEND", Buffer.alloc(0));
  return Buffer.concat([PNG_SIGNATURE, pngHeader(width, height), ...others, data, end]);
}
