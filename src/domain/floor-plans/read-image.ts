import { createFieldError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Steps } from "../kernel/turns.ts";
import { ImageProblem } from "./image-problem.ts";
import { isPng, readPng } from "./read-png.ts";
import { cleanSvg } from "./svg/clean-svg.ts";

/** A picture that browsers can show without a risk, and its size in pixels. */
export type PlanImage = {
  image: Uint8Array<ArrayBuffer>;
  mediaType: "image/png" | "image/svg+xml";
  width: number;
  height: number;
};

/**
 * Reads a PNG or an SVG, whatever it is called, and leaves out what is not needed to show it. In steps: a large SVG takes a
 * second.
 *
 * @throws {DomainError} validation_failed for any other file, or one that is too large or not safe.
 */
export function* readImage(bytes: Uint8Array): Steps<PlanImage> {
  if (bytes.byteLength > LIMITS.floorPlanBytes) {
    throw createFieldError("image", `must have at most ${LIMITS.floorPlanBytes} bytes`);
  }
  try {
    if (isPng(bytes)) return { ...readPng(bytes), mediaType: "image/png" };
    const { svg, width, height } = yield* cleanSvg(bytes);
    const image = new Uint8Array(Buffer.from(svg));
    if (image.byteLength > LIMITS.floorPlanBytes) throw new ImageProblem("is too large");
    return { image, width, height, mediaType: "image/svg+xml" };
  } catch (error) {
    if (error instanceof ImageProblem) throw createFieldError("image", error.message);
    throw error;
  }
}
