import { describe, expect, it } from "vitest";
import { BODY_EXAMPLES } from "../../../compat/rest/openapi/body-examples.ts";
import type { TestAnswer } from "../../support/test-client.ts";
import {
  type InputSchema,
  type BodyPlace,
  describedRoutes,
  listPlaces,
} from "../../support/described-inputs.ts";
import { addressOfPath, useDescribedWorld } from "../../support/described-world.ts";
import { expectOwnWords } from "../../support/own-words.ts";
import { expectProblem } from "../../support/problem.ts";
import { withValue } from "../../support/with-value.ts";

const made = useDescribedWorld();

/** Numbers without a range: a robot's coordinates, in metres and radians. */
const ENDLESS = new Set(["x", "y", "theta", "vx", "vy", "omega"]);
const MARK = '"<number>"';

function hasType(schema: InputSchema, type: string): boolean {
  return [schema.type ?? []].flat().includes(type);
}

/** JSON values outside of a range. */
function listOutside({ minimum = 0, maximum = 0 }: InputSchema, isWhole: boolean): string[] {
  const numbers = [
    ...[String(minimum - 1), String(maximum + 1), "-2147483649", "9223372036854775808", "1e400", "-1e400"],
    ...["1e22", "9007199254740993", "-9007199254740993"],
  ].filter((text) => Number(text) < minimum || Number(text) > maximum);
  const fractions = isWhole ? [String(minimum + 0.5), "1e-7"] : [];
  return [...numbers, ...fractions, '"1"', "true", "[]", "{}", '"NaN"'];
}

function expectRange(answer: TestAnswer, field: string, { minimum, maximum }: InputSchema): void {
  expect([400, 422]).toContain(answer.status);
  const error = answer.body.errors.find((one: { field: string }) => one.field === field);
  expect(error?.detail, `${field} ${answer.text}`).toContain(`from ${minimum} to ${maximum}`);
  expectOwnWords(answer);
}

async function tryNumber(route: string, path: string, { at, schema }: BodyPlace): Promise<void> {
  const isWhole = hasType(schema, "integer");
  const method = route.split(" ")[0] ?? "";
  const body = JSON.stringify(withValue(BODY_EXAMPLES[route], at, "<number>"));
  for (const text of listOutside(schema, isWhole)) {
    const sent = { method, body: body.replace(MARK, text) };
    expectRange(await made.world.agent.send(addressOfPath(path), sent), at.join("."), schema);
  }
  const negative = { method, body: body.replace(MARK, "-0") };
  expect((await made.world.agent.send(addressOfPath(path), negative)).status).toBeLessThan(500);
}

describe("a number in a body", () => {
  it("has a range, which the error names", async () => {
    const tried: string[] = [];
    for (const { route, path, body } of describedRoutes(made.document)) {
      for (const place of body === null ? [] : listPlaces(made.document, body)) {
        if (!hasType(place.schema, "integer") && !hasType(place.schema, "number")) continue;
        if (ENDLESS.has(place.name)) continue;
        await tryNumber(route, path, place);
        tried.push(`${route} ${place.at.join(".")}`);
      }
    }
    expect(tried).toContain("POST /missions/{id}/progress generation");
    expect(tried).toContain("PUT /robots/self/state state_seq");
    expect(tried.length).toBeGreaterThan(20);
  });

  it("must fit into a double if it has no range", async () => {
    const state = BODY_EXAMPLES["PUT /robots/self/state"];
    for (const [at, text] of [
      [["position", "x"], "1e400"],
      [["velocity", "vx"], "-1e400"],
      [["position", "theta"], '"1"'],
    ] as const) {
      const body = JSON.stringify(withValue(state, [...at], "<number>")).replace(MARK, text);
      const answer = await made.world.agent.send("/api/v1/robots/self/state", { method: "PUT", body });
      expectProblem(answer, 422, "validation_failed");
      expect(answer.body.errors.map(({ field }: { field: string }) => field)).toContain(at.join("."));
    }
  });
});

describe("a number in a query", () => {
  it("has a range, which the error names", async () => {
    const tried: string[] = [];
    for (const { route, method, path, query } of describedRoutes(made.document)) {
      for (const { name, schema } of query.filter((one) => hasType(one.schema, "integer"))) {
        const texts = [`${(schema.minimum ?? 0) - 1}`, `${(schema.maximum ?? 0) + 1}`, "2147483648", "-1"];
        for (const text of [...texts, "1.5", "1e2", "NaN", "0x1", "9".repeat(400), "-0", "+1", ""]) {
          const answer = await made.world.agent.send(
            `${addressOfPath(path)}?${name}=${encodeURIComponent(text)}`,
            {
              method,
            },
          );
          expectRange(answer, name, schema);
        }
        tried.push(`${route} ${name}`);
      }
    }
    expect(tried).toContain("GET /missions/{id} current_generation");
    expect(tried.length).toBeGreaterThan(15);
  });
});
