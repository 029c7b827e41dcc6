import { ImageProblem } from "../image-problem.ts";

/** What paints, as attributes or as properties of `style`. */
const LOOK = [
  ...["fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap"],
  ...["stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "opacity", "color"],
  ...["display", "visibility", "stop-color", "stop-opacity", "clip-path", "clip-rule", "font-family"],
  ...["font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline", "letter-spacing"],
  ...["word-spacing", "vector-effect", "paint-order", "shape-rendering", "text-rendering"],
];
const LOOKS = new Set(LOOK);

/** Where and how large things are. */
const GEOMETRY = new Set([
  ...["x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "width", "height", "d"],
  ...["points", "transform", "pathLength", "dx", "dy", "rotate", "textLength", "lengthAdjust", "offset"],
  ...["gradientUnits", "gradientTransform", "spreadMethod", "clipPathUnits"],
]);

/** Of `style`, or of what paints. Taken apart and written at once. Editors write a few hundred characters. */
const MAX_STYLE = 4096;
const ID = /^[\w.:-]+$/;
const REFERENCE = /^url\(\s*["']?#([\w.:-]+)["']?\s*\)$/;
const NUMBERS = /^[\w\s.,%()+-]*$/;
const WORDS = /^[\w\s.,%#"'+-]*$/;
const COLOR = /^(?:rgba?|hsla?)\([\w\s.,%/+-]*\)$/;

/**
 * Lists the attributes of an element that are kept, with `style` taken apart. Of references only those to the same
 * picture are: a value can name nothing else.
 *
 * @throws {ImageProblem} for a `style`, or another attribute of what paints, of more than 4,096 characters.
 */
export function listAllowed(
  attributes: ReadonlyMap<string, string>,
  { isGradient, isInClip }: { isGradient: boolean; isInClip: boolean },
): [name: string, value: string][] {
  const kept = new Map<string, string>();
  const style = attributes.get("style") ?? "";
  requireShort(style);
  for (const [name, value] of [...attributes, ...listDeclarations(style)]) {
    // A clip path within another one could multiply what is to be drawn.
    if (name === "clip-path" && isInClip) continue;
    const clean = cleanValue(name, value.trim(), isGradient);
    if (clean !== null) kept.set(name, clean);
  }
  return [...kept];
}

/** What `style` says: it wins over attributes. */
function listDeclarations(style: string): [name: string, value: string][] {
  return style
    .split(";")
    .map((declaration): [string, string] => {
      const colon = declaration.indexOf(":");
      return [declaration.slice(0, Math.max(0, colon)).trim(), declaration.slice(colon + 1)];
    })
    .filter(([name]) => LOOKS.has(name))
    .map(([name, value]) => [name, value.replace(/!\s*important\s*$/, "")]);
}

/** Null for what is not kept. */
function cleanValue(name: string, value: string, isGradient: boolean): string | null {
  if (name === "id") return ID.test(value) ? value : null;
  if (name === "href") return isGradient && value.startsWith("#") && ID.test(value.slice(1)) ? value : null;
  if (GEOMETRY.has(name)) return NUMBERS.test(value) ? value : null;
  if (!LOOKS.has(name)) return null;
  requireShort(value);
  const [, id] = REFERENCE.exec(value) ?? [];
  if (id !== undefined) return `url(#${id})`;
  return WORDS.test(value) || COLOR.test(value) ? value : null;
}

function requireShort(style: string): void {
  if (style.length > MAX_STYLE)
    throw new ImageProblem(`must have at most ${MAX_STYLE} characters in a style`);
}
