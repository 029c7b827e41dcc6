const TEXT = 0x81;

/**
 * Writes unmasked WebSocket text frames into one buffer. Each frame's text is `before`, the body and
 * `after`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5.2
 */
export function writeTextFrames(before: Buffer, bodies: readonly Buffer[], after: Buffer): Buffer {
  const around = before.length + after.length;
  let size = 0;
  for (const { length } of bodies) size += getHeaderLength(around + length) + around + length;
  const frames = Buffer.allocUnsafe(size);
  let at = 0;
  for (const body of bodies) {
    at = writeHeader(frames, at, around + body.length);
    for (const part of [before, body, after]) at += part.copy(frames, at);
  }
  return frames;
}

function getHeaderLength(length: number): number {
  if (length < 126) return 2;
  return length < 65_536 ? 4 : 10;
}

function writeHeader(frames: Buffer, at: number, length: number): number {
  frames[at] = TEXT;
  if (length < 126) {
    frames[at + 1] = length;
  } else if (length < 65_536) {
    frames[at + 1] = 126;
    frames.writeUInt16BE(length, at + 2);
  } else {
    frames[at + 1] = 127;
    frames.writeBigUInt64BE(BigInt(length), at + 2);
  }
  return at + getHeaderLength(length);
}
