import { describe, expect, it } from "vitest";
import { BODY_EXAMPLES } from "../../../compat/rest/openapi/body-examples.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { type BodyPlace, describedRoutes, listPlaces } from "../../support/described-inputs.ts";
import { addressOfPath, useDescribedWorld } from "../../support/described-world.ts";
import { expectProblem } from "../../support/problem.ts";
import { withValue } from "../../support/with-value.ts";

const made = useDescribedWorld();

/** As many as a body has room for. */
const LIST = Array.from({ length: LIMITS.bodyValues - 1000 }, () => 0);
const OBJECT = Object.fromEntries(
  LIST.slice(0, LIMITS.bodyMembers - 1000).map((_, at) => [at.toString(36), false]),
);

type Place = BodyPlace & { route: string; path: string };

/** The places of all bodies with a schema of this type. */
function placesOf(type: string): Place[] {
  return describedRoutes(made.document).flatMap(({ route, path, body }) =>
    (body === null ? [] : listPlaces(made.document, body))
      .filter(({ schema }) => [schema.type ?? []].flat().includes(type))
      .map((place) => ({ ...place, route, path })),
  );
}

/** Sends a body's example with a value in one of its places. */
async function send({ route, path, at }: Place, value: unknown) {
  const method = route.split(" ")[0] ?? "";
  const body = JSON.stringify(withValue(BODY_EXAMPLES[route], at, value));
  return made.world.agent.send(addressOfPath(path), { method, body });
}

describe("a list in a body", () => {
  it("has a length, and a longer one gets an error for itself alone", async () => {
    const places = placesOf("array");
    expect(places.length).toBeGreaterThan(10);
    for (const place of places) {
      const { maxItems } = place.schema;
      expect(maxItems, `${place.route} ${place.at.join(".")}`).toBeGreaterThan(0);
      const answer = await send(place, LIST);
      expectProblem(answer, 422, "validation_failed");
      const field = place.at.join(".");
      const detail = `must have at most ${maxItems} ${maxItems === 1 ? "entry" : "entries"}`;
      expect(answer.body.errors).toEqual([{ field, detail }]);
    }
  });
});

describe("an object in a body whose members have a schema", () => {
  it("has a size, and a larger one gets an error for itself alone", async () => {
    const places = placesOf("object").filter(({ schema: { additionalProperties: members } }) => {
      return typeof members === "object" && Object.keys(members).length > 0;
    });
    expect(places.length).toBeGreaterThan(1);
    for (const place of places) {
      const { maxProperties } = place.schema;
      expect(maxProperties, `${place.route} ${place.at.join(".")}`).toBeGreaterThan(0);
      const answer = await send(place, OBJECT);
      expectProblem(answer, 422, "validation_failed");
      // Some examples also conflict with it.
      expect(answer.body.errors.length).toBeLessThan(3);
      expect(answer.body.errors[0].detail).toContain(`must have at most ${maxProperties} `);
    }
  });
});
