import { execute, parse } from "graphql";
import { expect, it } from "vitest";
import { ANSWER_LIMITS, meteredDefault, startMeter } from "../../src/schema/meter.ts";
import { schema } from "../../src/schema/schema.ts";

it("throws one error for all remaining fields when a limit is exceeded", () => {
  const aliases = Array.from({ length: 400 }, (_, index) => `a${index}: description`).join(" ");
  const contextValue = {};
  const meter = startMeter(contextValue);
  const document = parse(`{ __schema { types { ${aliases} } } }`);
  const result = execute({ schema, document, contextValue, fieldResolver: meteredDefault });
  const { errors = [] } = "then" in result ? {} : result;
  expect(meter.passed()).toBe(`more than ${ANSWER_LIMITS.fields} fields`);
  expect(errors.length).toBeGreaterThan(1);
  expect(new Set(errors).size).toBe(1);
});

it("stops a document that passes one variable to many fields", async () => {
  const aliases = Array.from({ length: 100 }, (_, index) => `a${index}: node(id: $id) { id }`).join(" ");
  const contextValue = {};
  const meter = startMeter(contextValue);
  const document = parse(`query ($id: ID!) { ${aliases} }`);
  const variableValues = { id: "a".repeat(100_000) };
  const { errors = [] } = await execute({ schema, document, contextValue, variableValues });
  expect(meter.passed()).toBe(`arguments of more than ${ANSWER_LIMITS.given} characters in all`);
  const passed = errors.filter(({ message }) => message === meter.passed());
  expect(passed).toHaveLength(100 - Math.floor(ANSWER_LIMITS.given / 100_000));
});

it("counts a value that is selected again as three, but not for what is read", () => {
  const value = { text: "x".repeat(1_000_000) };
  const meter = startMeter({});
  meter.value(value);
  meter.value(value);
  expect(meter.size()).toBeGreaterThan(2_000_000);
  expect(meter.size()).toBeLessThan(2_100_000);
  expect(() => meter.value(value)).toThrow(`more than ${ANSWER_LIMITS.characters} characters`);
});

const PAGES = {
  texts: () => "x".repeat(4_194_304),
  // PostgreSQL stores each in four bytes.
  booleans: () => Array.from({ length: 1_048_576 }, () => true),
};

it.each(Object.entries(PAGES))("allows one page of the largest rows, not two: %s", (_what, create) => {
  const meter = startMeter({});
  meter.value(create());
  expect(() => meter.value(create())).toThrow(`more than ${ANSWER_LIMITS.characters} characters`);
});
