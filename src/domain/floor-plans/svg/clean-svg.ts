import { LIMITS } from "../../kernel/limits.ts";
import type { Steps } from "../../kernel/turns.ts";
import { ImageProblem } from "../image-problem.ts";
import { listAllowed } from "./allowed-attributes.ts";
import { type SvgElement, parseSvg } from "./parse-svg.ts";

const GRADIENTS = new Set(["linearGradient", "radialGradient"]);
const KEPT = new Set([
  ...[
    "svg",
    "g",
    "defs",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "text",
    "tspan",
  ],
  ...[...GRADIENTS, "stop", "clipPath"],
]);
const ELEMENTS_IN_STEP = 50;
/** Characters of a text that are written in a step. */
const CHARACTERS_IN_STEP = 16_384;
/** Longer ones are no view boxes. */
const BOX_LENGTH = 200;
/** Without these the picture would be another one. All others, such as scripts and metadata, are left out. */
const REFUSED = new Map([
  ["use", "save its copies as shapes of their own"],
  ["image", "save a picture of pixels as PNG"],
  ["foreignObject", "save its text as text of SVG"],
  ["style", "save its styles as presentation attributes"],
  ["switch", "save one of its variants"],
  ["textPath", "save its text as paths"],
]);

/**
 * Writes an SVG anew, with nothing but shapes, texts, gradients and clip paths: no scripts, no links, no styles, nothing
 * that loads.
 *
 * @returns the size is in the units of its view box.
 * @throws {ImageProblem} for what is no SVG, and for one that shows more than that.
 */
export function* cleanSvg(bytes: Uint8Array): Steps<{ svg: string; width: number; height: number }> {
  const root = yield* parseSvg(bytes);
  const { x, y, width, height } = readBox(root);
  const frame = `viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}"`;
  const look = writeAttributes(root, false, new Set(["x", "y", "width", "height", "transform", "id"]));
  const content = yield* writeAll(root.children, { isInClip: false, isText: false });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${frame} preserveAspectRatio="none"${look}>${content}</svg>`;
  return { svg, width, height };
}

type Place = { isInClip: boolean; isText: boolean };

function* writeAll(children: SvgElement["children"], place: Place): Steps<string> {
  let written = "";
  for (const [index, child] of children.entries()) {
    written += yield* write(child, place);
    if (index % ELEMENTS_IN_STEP === ELEMENTS_IN_STEP - 1) yield;
  }
  return written;
}

function* write(child: SvgElement | string, { isInClip, isText }: Place): Steps<string> {
  if (typeof child === "string") return isText ? yield* writeText(child) : "";
  const advice = REFUSED.get(child.name);
  if (advice !== undefined && !isBlankStyle(child)) {
    throw new ImageProblem(`has a ${child.name} element, which can't be shown: ${advice}`);
  }
  // A link is what is in it.
  const name = child.name === "a" ? "g" : child.name;
  if (!KEPT.has(name)) return "";
  if (name === "svg") throw new ImageProblem("has an svg element within another one: save them as one");
  const inner = { isInClip: isInClip || name === "clipPath", isText: name === "text" || name === "tspan" };
  const content = yield* writeAll(child.children, inner);
  return `<${name}${writeAttributes(child, isInClip || name === "clipPath")}>${content}</${name}>`;
}

function* writeText(text: string): Steps<string> {
  let written = "";
  for (let at = 0; at < text.length; at += CHARACTERS_IN_STEP) {
    written += escape(text.slice(at, at + CHARACTERS_IN_STEP));
    yield;
  }
  return written;
}

function isBlankStyle({ name, children }: SvgElement): boolean {
  return name === "style" && children.every((child) => typeof child === "string" && child.trim() === "");
}

function writeAttributes(
  { name, attributes }: SvgElement,
  isInClip: boolean,
  without: ReadonlySet<string> = new Set(),
): string {
  return listAllowed(attributes, { isGradient: GRADIENTS.has(name), isInClip })
    .filter(([attribute]) => !without.has(attribute))
    .map(([attribute, value]) => ` ${attribute}="${escape(value)}"`)
    .join("");
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? "");
}

/** The view box, or what a width and a height in pixels mean. */
function readBox({ attributes }: SvgElement): { x: number; y: number; width: number; height: number } {
  const size = [attributes.get("width"), attributes.get("height")].map((value) => value?.replace(/px$/, ""));
  const box = attributes
    .get("viewBox")
    ?.slice(0, BOX_LENGTH)
    .trim()
    .split(/[\s,]+/) ?? ["0", "0", ...size];
  const [x = NaN, y = NaN, width = NaN, height = NaN] = box.map((value) => (value ? Number(value) : NaN));
  const isBox = [x, y, width, height].every((value) => Math.abs(value) <= LIMITS.floorPlanSvgSide);
  if (isBox && box.length === 4 && width > 0 && height > 0) return { x, y, width, height };
  throw new ImageProblem(
    `must have a viewBox, or a width and a height in pixels, of at most ${LIMITS.floorPlanSvgSide} units`,
  );
}
