import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { type DefinitionNode, Kind, Source, buildSchema, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const FOLDER = path.join(ROOT, "src/dashboard");

/** A document with the fragments that are passed to it, and where it is. */
type Document = { file: string; definitions: readonly DefinitionNode[]; passed: readonly string[] };

const CALL = /\bgraphql\(\s*`([^`]*)`(?:,\s*\[([^\]]*)\])?/g;

function readDocuments(): Document[] {
  return readSources().flatMap(({ file, text }) =>
    [...text.matchAll(CALL)].map(([, body = "", passed = ""]) => ({
      file,
      definitions: parse(new Source(body, file)).definitions,
      passed: passed
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    })),
  );
}

function readSources(): { file: string; text: string }[] {
  return readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(path.join(FOLDER, file), "utf8") }));
}

/** The fragment of a document that is one, by its name, which is also its constant's. */
function indexFragments(documents: readonly Document[]): Map<string, Document> {
  const fragments = new Map<string, Document>();
  for (const document of documents) {
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
      const name = definition.name.value;
      expect({ name, isTwice: fragments.has(name) }).toEqual({ name, isTwice: false });
      fragments.set(name, document);
    }
  }
  return fragments;
}

/** A document's definitions with those of the fragments that are passed to it, and to those. */
function joinFragments(document: Document, fragments: ReadonlyMap<string, Document>): Set<DefinitionNode> {
  const definitions = new Set(document.definitions);
  for (const name of document.passed) {
    const fragment = fragments.get(name);
    if (fragment === undefined) throw new Error(`${document.file}: no fragment is called ${name}`);
    for (const definition of joinFragments(fragment, fragments)) definitions.add(definition);
  }
  return definitions;
}

function isOperation({ definitions }: Document): boolean {
  return definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);
}

describe("the dashboard's documents", () => {
  const documents = readDocuments();

  it("are all found", () => {
    const calls = readSources().flatMap(({ text }) => text.match(/\bgraphql\(/g) ?? []);
    expect(documents).toHaveLength(calls.length);
  });

  it("are valid against schema.graphql, with the fragments that are passed to them", () => {
    const schema = buildSchema(readFileSync(path.join(ROOT, "schema.graphql"), "utf8"));
    const fragments = indexFragments(documents);
    const errors = documents
      .filter(isOperation)
      .flatMap((document) =>
        validate(schema, { kind: Kind.DOCUMENT, definitions: [...joinFragments(document, fragments)] }).map(
          ({ message }) => `${document.file}: ${message}`,
        ),
      );
    expect(errors).toEqual([]);
  });
});
