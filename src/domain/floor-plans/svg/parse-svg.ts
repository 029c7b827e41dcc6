import { type SaxesTagNS, SaxesParser } from "saxes";
import type { Steps } from "../../kernel/turns.ts";
import { ImageProblem } from "../image-problem.ts";

/** An element of an SVG. Its attributes are those without a prefix, and `href` of XLink. */
export type SvgElement = {
  name: string;
  attributes: ReadonlyMap<string, string>;
  /** Elements and texts in their order. */
  children: (SvgElement | string)[];
};

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";
const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 64;
/** Of an element. A tag's are looked at together. */
const MAX_ATTRIBUTES = 200;
/** Characters that are parsed in a step. */
const STEP = 16_384;
/** After so many, the parser's text is made one again: each time costs as much as it is long. */
const STEPS_WITH_PIECES = 8;

/**
 * Parses an SVG strictly: well-formed XML in UTF-8 without declarations of its own. Elements of other namespaces, such
 * as an editor's, are left out with all that is in them.
 *
 * @throws {ImageProblem}
 */
export function* parseSvg(bytes: Uint8Array): Steps<SvgElement> {
  const text = decode(bytes);
  if (!/^\s*</.test(text)) throw new ImageProblem("must be a PNG or an SVG");
  const tree = createTree();
  const parser = createParser(tree);
  for (let step = 0; step * STEP < text.length; step++) {
    parser.write(text.slice(step * STEP, (step + 1) * STEP));
    if (step % STEPS_WITH_PIECES === 0) flatten(parser["text"] as string);
    yield;
  }
  parser.close();
  return tree.end();
}

/**
 * Has the engine store a text that was put together from pieces as one: moving a million pieces, as of a comment of
 * hyphens, would hold the event loop for a tenth of a second.
 */
function flatten(text: string): void {
  text.charCodeAt(0);
}

type Tree = ReturnType<typeof createTree>;

/** A parser that stops at the first problem. */
function createParser(tree: Tree): SaxesParser<{ xmlns: true }> {
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", () => {
    throw new ImageProblem(`must be well-formed XML: see line ${parser.line}`);
  });
  parser.on("xmldecl", ({ encoding }) => {
    if (encoding !== undefined && !/^(?:utf-8|us-ascii)$/i.test(encoding)) throw createEncodingProblem();
  });
  parser.on("doctype", (doctype) => {
    if (doctype.includes("[")) throw new ImageProblem("must not declare entities: save it as a plain SVG");
  });
  parser.on("opentagstart", tree.begin);
  parser.on("attribute", tree.countAttribute);
  parser.on("opentag", tree.open);
  parser.on("closetag", tree.close);
  parser.on("text", tree.addText);
  parser.on("cdata", tree.addText);
  return parser;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw createEncodingProblem();
  }
}

function createEncodingProblem(): ImageProblem {
  return new ImageProblem("must be a PNG, or an SVG in UTF-8");
}

/** Collects the elements as the parser finds them. */
function createTree() {
  const open: SvgElement[] = [];
  let [root, count, skipped]: [SvgElement | null, number, number] = [null, 0, 0];
  let attributes = 0;
  return {
    begin: () => {
      attributes = 0;
    },
    countAttribute: () => {
      attributes++;
      if (attributes > MAX_ATTRIBUTES) {
        throw new ImageProblem(`must have at most ${MAX_ATTRIBUTES} attributes in an element`);
      }
    },
    open: (tag: SaxesTagNS) => {
      count++;
      if (count > MAX_ELEMENTS) throw new ImageProblem(`must have at most ${MAX_ELEMENTS} elements`);
      if (open.length + skipped >= MAX_DEPTH) {
        throw new ImageProblem(`must be nested at most ${MAX_DEPTH} levels deep`);
      }
      if (skipped > 0 || tag.uri !== SVG) {
        skipped++;
        return;
      }
      const element = { name: tag.local, attributes: readAttributes(tag), children: [] };
      open.at(-1)?.children.push(element);
      root ??= element;
      open.push(element);
    },
    close: () => {
      if (skipped > 0) skipped--;
      else open.pop();
    },
    addText: (text: string) => {
      if (skipped === 0) open.at(-1)?.children.push(text);
    },
    end: (): SvgElement => {
      if (root?.name === "svg") return root;
      throw new ImageProblem('must be a PNG or an SVG, whose root is svg in "http://www.w3.org/2000/svg"');
    },
  };
}

function readAttributes({ attributes }: SaxesTagNS): Map<string, string> {
  return new Map(
    Object.values(attributes)
      .filter(({ uri, local }) => uri === "" || (uri === XLINK && local === "href"))
      .map(({ local, value }) => [local, value]),
  );
}
