import { describe, expect, it } from "vitest";
import { compileSchema } from "../../../src/domain/json-schema/compile-schema.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";

function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_each, index) => make(index));
}

function createNested(depth: number): object {
  return depth === 0 ? {} : { not: createNested(depth - 1) };
}

function byName<Value>(count: number, make: (index: number) => Value): Record<string, Value> {
  return Object.fromEntries(times(count, (index) => [`p${index}`, make(index)]));
}

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

describe("a schema", () => {
  it.each<[string[], string, unknown]>([
    [["$schema"], "must be https", { $schema: "http://json-schema.org/draft-04/schema#" }],
    [[], "must have at most 2000 values", { enum: times(LIMITS.schemaNodes, String) }],
    [[], "must be nested at most 64 levels deep", createNested(LIMITS.schemaDepth + 1)],
    [
      ["allOf", "100", "$ref"],
      "more than 100 references",
      { allOf: times(101, () => ({ $ref: "#/$defs/a" })) },
    ],
    [["$ref"], "must start with #", { $ref: "https://example.com/a.json" }],
    [["items", "$dynamicRef"], "must start with #", { items: { $dynamicRef: "other#a" } }],
    [["$ref"], "must start with #", { $ref: 1 }],
    [["$async"], "is not supported", { $async: true }],
    [
      ["properties", "p100", "pattern"],
      "more than 100 patterns",
      { properties: byName(101, () => ({ pattern: "a" })) },
    ],
    [["patternProperties"], "more than 100 patterns", { patternProperties: byName(101, () => true) }],
    [["pattern"], "must have at most 256 characters", { pattern: "x".repeat(257) }],
    ...[
      "(?=a)",
      "(?<!a)b",
      "(a)\\1",
      "(",
      "(a{1000}){1000}",
      "((a{10}){10}){11}",
      "\\p{L}{1000}".repeat(20),
    ].map(
      (pattern) =>
        [["pattern"], "must be a regular expression in RE2's syntax", { pattern }] satisfies [
          string[],
          string,
          object,
        ],
    ),
    [["patternProperties"], "must be a regular expression", { patternProperties: { "(?=a)": true } }],
    [
      ["$defs", "a", "dependentSchemas", "b", "pattern"],
      "must be",
      { $defs: { a: { dependentSchemas: { b: { pattern: "(" } } } } },
    ],
    [["type"], "is not valid JSON Schema", { type: "strange" }],
    [["properties", "a", "minimum"], "is not valid JSON Schema", { properties: { a: { minimum: "1" } } }],
    [["items"], "is not valid JSON Schema", { items: [{}] }],
    [[], "must be a JSON Schema", null],
    [[], "must be a JSON Schema", []],
    [[], "can't be resolved", { $ref: "#/$defs/a" }],
    [[], "has a reference that never ends", { $ref: "#" }],
    [
      [],
      "never ends",
      { $schema: DRAFT_07, definitions: { a: { $ref: "#/definitions/a" } }, $ref: "#/definitions/a" },
    ],
  ])("is rejected at %j with: %s", (path, detail, schema) => {
    expect(compileSchema(schema)).toEqual({ path, detail: expect.stringContaining(detail) });
  });

  it.each([
    ["an empty one", {}],
    ["true", true],
    ["the maximum size", { enum: times(LIMITS.schemaNodes - 2, String) }],
    [
      "properties side by side",
      { properties: byName(LIMITS.schemaNodes / 2 - 1, () => ({ type: "string" })) },
    ],
    [
      "the maximum number of references",
      { $defs: { a: {} }, allOf: times(100, () => ({ $ref: "#/$defs/a" })) },
    ],
    ["a tree", { $ref: "#/$defs/a", $defs: { a: { items: { $ref: "#/$defs/a" } } } }],
    ["keywords as property names", { properties: { pattern: { type: "string" }, $ref: {}, default: {} } }],
    [
      "data that looks like keywords",
      { default: { pattern: "(" }, examples: [{ $ref: "x" }], enum: [{ $async: true }] },
    ],
    ["the older draft", { $schema: DRAFT_07, items: [{ type: "string" }], additionalItems: false }],
    ["an id", { $id: "https://example.com/a", $defs: { b: { $id: "b" } }, $ref: "#/$defs/b" }],
  ])("can be %s", (_what, schema) => {
    expect(compileSchema(schema)).toBeTypeOf("function");
  });

  it("doesn't conflict with another by its $id", () => {
    const named = (type: string) => ({ $id: "https://example.com/same", type });
    const [texts, lists] = [compileSchema(named("string")), compileSchema(named("array"))];
    expect(typeof texts === "function" && texts([])).toMatchObject({ detail: "must be of the type string" });
    expect(typeof lists === "function" && lists([])).toBe(null);
  });
});

describe("a value", () => {
  it.each([
    [{ type: ["string", "null"] }, 1, [], "must be of the type string or null"],
    [{ required: ["a/b"] }, {}, ["a/b"], "is required"],
    [{ required: ["toString"] }, {}, ["toString"], "is required"],
    [
      { properties: { constructor: { type: "string" } }, additionalProperties: false },
      { b: 1 },
      ["b"],
      "is not declared",
    ],
    [
      { properties: { "a/b": { items: { type: "string" } } } },
      { "a/b": ["", 1] },
      ["a/b", "1"],
      "must be of the type string",
    ],
    [{ unevaluatedProperties: false }, { a: 1 }, ["a"], "is not declared"],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, ["b"], "is required if a is present"],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, ["ab"], "has a property name that is not declared"],
    [{ properties: { a: false } }, { a: 1 }, ["a"], "is not allowed"],
    [{ enum: ["a", 1] }, "b", [], 'must be one of ["a",1]'],
    [{ enum: ["x".repeat(300)] }, "b", [], "must be one of what is declared"],
    [{ const: { a: 1 } }, "b", [], 'must be {"a":1}'],
    [{ minimum: 2 }, 1, [], "must be at least 2"],
    [{ exclusiveMaximum: 2 }, 2, [], "must be less than 2"],
    [{ multipleOf: 2 }, 3, [], "must be a multiple of 2"],
    [{ minLength: 1 }, "", [], "must have at least 1 character"],
    [{ maxItems: 2 }, [1, 2, 3], [], "must have at most 2 entries"],
    [{ prefixItems: [{}], items: false }, [1, 2], [], "must have at most 1 entry"],
    [{ minProperties: 2 }, {}, [], "must have at least 2 members"],
    [{ pattern: "^a+$" }, "b", [], "must match ^a+$"],
    [{ uniqueItems: true }, [1, 1], [], "must not have duplicate entries"],
    [
      { uniqueItems: true },
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      [],
      "must not have duplicate entries",
    ],
    [
      { contains: { type: "string" }, minContains: 2 },
      ["a"],
      [],
      "must have at least 2 of the declared entries",
    ],
    [
      { anyOf: [{ type: "string" }, { required: ["a"], type: "object" }] },
      {},
      [],
      "must match one of the declared schemas",
    ],
    [{ oneOf: [{}, {}] }, {}, [], "must match exactly one of the declared schemas"],
    [{ not: {} }, {}, [], "must not match the declared schema"],
    // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
    [{ if: { required: ["a"] }, then: { required: ["b"] } }, { a: 1 }, ["b"], "is required"],
    [{ additionalProperties: false }, { ["x".repeat(500)]: 1 }, [`${"x".repeat(200)}…`], "is not declared"],
  ])("of %j gets our own error messages", (schema, value, ...errors) => {
    const [path, detail] = errors;
    const validator = compileSchema(schema);
    expect(typeof validator === "function" && validator(value)).toEqual({ path, detail });
  });

  it("is searched for duplicate objects in linear time", () => {
    const validator = compileSchema({ uniqueItems: true });
    const entries = times(50_000, (index) => ({ index }));
    expect(typeof validator === "function" && validator(entries)).toBe(null);
    expect(typeof validator === "function" && validator([...entries, { index: 0 }])).toMatchObject({
      detail: "must not have duplicate entries",
    });
  });

  it.each([
    [{}, [1, 1]],
    [{ uniqueItems: false }, [1, 1]],
    [{ uniqueItems: true }, [1, "1", [1], { a: 1 }, { a: 2 }, null, "null"]],
  ])("may have entries that %j allows: %j", (schema, value) => {
    const validator = compileSchema(schema);
    expect(typeof validator === "function" && validator(value)).toBe(null);
  });

  it("must match each of several patterns, by whole characters", () => {
    const validator = compileSchema({ properties: { a: { pattern: "^a$" }, b: { pattern: "^[^a]$" } } });
    const check = (value: object) => typeof validator === "function" && validator(value);
    expect(check({ a: "a", b: "😀" })).toBe(null);
    expect(check({ a: "a", b: "a" })).toMatchObject({ path: ["b"] });
  });
});
