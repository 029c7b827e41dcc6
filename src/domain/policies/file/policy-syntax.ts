import {
  type Document,
  LineCounter,
  type Node,
  type YAMLMap,
  isAlias,
  isMap,
  isNode,
  isScalar,
  parseDocument,
  visit,
} from "yaml";
import { LIMITS } from "../../kernel/limits.ts";

/** Something that is wrong in a file. Lines and columns begin with 1. */
export type PolicyFileProblem = { line: number; column: number; message: string };

/** A file that is data alone: no aliases and tags, no key twice, and not nested deeply. */
export type PolicySyntax = {
  value: unknown;
  /** Places a problem at the last part of a path such as `policies.0.name` that is there. */
  place: (path: string, message: string) => PolicyFileProblem;
};

/** A file of policies needs seven. */
const MAX_DEPTH = 24;

/** Parses YAML or JSON, in linear time. Returns at most a hundred problems. */
export function parsePolicySyntax(text: string): PolicySyntax | { problems: PolicyFileProblem[] } {
  const lines = new LineCounter();
  const document = parseLinearly(text, lines);
  const deep = document.errors.find(({ code }) => code === "RESOURCE_EXHAUSTION");
  if (deep !== undefined) return { problems: [toProblem(lines, deep.pos[0], TOO_DEEP)] };
  const broken = document.errors.map(({ pos, message }) => toProblem(lines, pos[0], message));
  const problems = broken.length > 0 ? broken : findForeign(document, lines);
  if (problems.length > 0) return { problems: problems.slice(0, LIMITS.fieldErrors) };
  return {
    value: document.toJS(),
    place: (path, message) => toProblem(lines, findOffset(document, path), message),
  };
}

const TOO_DEEP = "is nested too deeply";

/**
 * Pretty errors and unique keys take quadratic time. Stacks of errors, of which there may be one for each character, take
 * more than everything else.
 */
function parseLinearly(text: string, lineCounter: LineCounter): Document {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false, logLevel: "error" });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Aliases and tags would let a short file become a long one, or something else than data. */
function findForeign(document: Document, lines: LineCounter): PolicyFileProblem[] {
  const found: PolicyFileProblem[] = [];
  function add(node: Node, message: string): symbol | undefined {
    found.push(toProblem(lines, getOffset(node), message));
    return found.length < LIMITS.fieldErrors ? undefined : visit.BREAK;
  }
  visit(document, {
    Node: (_key, node, { length: depth }) => {
      if (depth > MAX_DEPTH) {
        add(node, TOO_DEEP);
        return visit.BREAK;
      }
      if (isAlias(node)) return add(node, "aliases can't be used");
      if (typeof node.tag === "string") return add(node, "tags can't be used");
      const wrong = isMap(node) ? findWrongKey(node) : null;
      return wrong === null ? undefined : add(wrong.key, wrong.message);
    },
  });
  return found;
}

/** The first key that is no text, or is there twice. */
function findWrongKey({ items }: YAMLMap): { key: Node; message: string } | null {
  const names = new Set<string>();
  for (const { key } of items) {
    if (!isNode(key)) continue;
    if (!isScalar<string | number | boolean | null>(key) || key.value === null)
      return { key, message: "keys must be texts" };
    const name = String(key.value);
    if (names.has(name)) return { key, message: "keys must be unique" };
    names.add(name);
  }
  return null;
}

function findOffset(document: Document, path: string): number {
  const parts = path === "" ? [] : path.split(".");
  for (let length = parts.length; length > 0; length--) {
    const keys = parts.slice(0, length).map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    const node = document.getIn(keys, true);
    if (isNode(node)) return getOffset(node);
  }
  return 0;
}

function getOffset({ range }: Node): number {
  return range?.[0] ?? 0;
}

function toProblem(lines: LineCounter, offset: number, message: string): PolicyFileProblem {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1), message };
}
