import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { createFieldsError } from "../../../src/domain/kernel/field-errors.ts";
import { parseInput } from "../../../src/domain/kernel/input.ts";

/** The error of an input that a shape rejects. */
function reject(shape: z.ZodType, input: unknown): DomainError {
  try {
    parseInput(shape, input);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error("the input was accepted");
}

/** The details for a field with this shape. */
function explain(shape: z.ZodType, value: unknown): string[] {
  return (reject(z.object({ at: shape }), { at: value }).details.errors ?? []).map(({ detail }) => detail);
}

describe("the detail of a field error", () => {
  it.each<[string, z.ZodType, unknown]>([
    ["is required", z.string(), undefined],
    ["must be a string", z.string(), 1],
    ["must be a number", z.number(), "1"],
    ["must be a number from -1 to 2.5", z.number().min(-1).max(2.5), "1"],
    ["must be a number", z.number().min(3), "1"],
    ["must be a whole number from 0 to 9", z.int().min(0).max(9), 10],
    ["must be a whole number from 0 to 9", z.int().min(0).max(9), -1],
    ["must be true or false", z.boolean(), "yes"],
    ["must be a list", z.array(z.string()), {}],
    ["must be an object", z.object({}), []],
    ["must be an object", z.record(z.string(), z.string()), []],
    ["must be a date", z.date(), "today"],
    ["must be of another type", z.symbol(), "x"],
    ["must be on", z.literal("on"), "off"],
    ["must be one of on, off", z.enum(["on", "off"]), "x"],
    ["must have at least 2 characters", z.string().min(2), "a"],
    ["must have at least 1 character", z.string().min(1), ""],
    ["must have at most 1 character", z.string().max(1), "ab"],
    ["must have at least 2 entries", z.array(z.int()).min(2), [1]],
    ["must have at most 1 entry", z.array(z.int()).max(1), [1, 2]],
    ["must be at least 9", z.bigint().min(9n), 8n],
    ["must be at most 9", z.bigint().max(9n), 10n],
    ["has an invalid format", z.record(z.enum(["a"]), z.int()).or(z.never()), { b: 1 }],
    ["has an invalid format", z.string().regex(/^a$/), "b"],
  ])("can be: %s", (detail, shape, value) => {
    expect(explain(shape, value)).toEqual([detail]);
  });

  it("names a record's invalid key", () => {
    const shape = z.record(z.string().regex(/^[a-z]$/), z.int());
    expect(explain(shape, { B: 1 })).toEqual(["has a name that is not allowed"]);
  });
});

describe("an input's error", () => {
  const shape = z.strictObject({
    title: z.string(),
    parts: z.array(z.strictObject({ text: z.string() })).optional(),
  });

  it("names the path of the field", () => {
    const { code, message, details } = reject(shape, { title: "x", parts: [{ text: "a" }, { text: 1 }] });
    expect({ code, message, ...details }).toEqual({
      ...{ code: "validation_failed", message: "parts.1.text: must be a string", field: "parts.1.text" },
      errors: [{ field: "parts.1.text", detail: "must be a string" }],
    });
  });

  it("lists unknown fields first, and suggests known ones", () => {
    const { code, message, details } = reject(shape, { titel: "x", parts: [{ text: "a", txt: 1, zzz: 1 }] });
    expect({ code, message, ...details }).toEqual({
      ...{ code: "unknown_field", field: "parts.0.txt" },
      message: "parts.0.txt: is unknown: did you mean text?",
      errors: expect.arrayContaining([
        { field: "titel", detail: "is unknown: did you mean title?" },
        { field: "parts.0.txt", detail: "is unknown: did you mean text?" },
        { field: "parts.0.zzz", detail: "is unknown" },
        { field: "title", detail: "is required" },
      ]),
    });
    expect(details.errors?.at(-1)?.field).toBe("title");
    expect(details.errors).toHaveLength(4);
  });

  it("is that of the whole input without a path", () => {
    const { message, details } = reject(shape, "x");
    expect({ message, ...details }).toEqual({
      ...{ message: "must be an object", errors: [{ field: "", detail: "must be an object" }] },
    });
  });

  it("lists at most 100 fields, unknown or invalid", () => {
    const unknown = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`x${at}`, 1]));
    expect(reject(shape, unknown).details.errors).toHaveLength(100);
    const numbers = Array.from({ length: 150 }, () => 1);
    expect(reject(z.array(z.string()), numbers).details.errors).toHaveLength(100);
    const both = reject(z.strictObject({ list: z.array(z.string()) }), { ...unknown, list: numbers });
    expect(both.details.errors).toHaveLength(100);
  });

  it("truncates the names of unknown fields", () => {
    const { details } = reject(shape, { title: "x", ["n".repeat(1000)]: 1 });
    expect(details.field).toMatch(/^n{200}…$/);
    expect(reject(shape, { title: "x", ["n".repeat(200)]: 1 }).details.field).toBe("n".repeat(200));
  });
});

describe("createFieldsError", () => {
  it("says something without fields, too", () => {
    const { message, details } = createFieldsError("invalid_parameter", []);
    expect({ message, ...details }).toEqual({ message: "The input is not valid.", errors: [] });
  });
});
