import { describe, expect, it } from "vitest";
import { findFirstPlace, listPlaces, measure } from "../../src/dashboard/views/missions/form/first-place.ts";
import { EMPTY_STEP } from "../../src/dashboard/views/missions/form/step-types.ts";

const SPOT = { x: 3, y: 4, mapId: "hall" };
const PLACES = listPlaces([
  { station: "dock-1", x: 3, y: 4, map_id: "hall" },
  { station: "dock-1", x: 9, y: 9, map_id: "hall" },
  { station: "dock-2", position: { x: 1, y: 1, map_id: "yard" } },
  { station: "dock-3" },
  null,
]);

describe("the first step's place", () => {
  it.each([
    ["a place on the map", [{ ...EMPTY_STEP, spot: SPOT }], SPOT],
    ["a station that earlier steps placed", [{ ...EMPTY_STEP, station: "dock-1" }], SPOT],
    [
      "the step after a wait",
      [
        { ...EMPTY_STEP, type: "WAIT" as const, seconds: "5" },
        { ...EMPTY_STEP, spot: SPOT },
      ],
      SPOT,
    ],
    ["JSON", [{ ...EMPTY_STEP, json: '{"x": 3, "y": 4, "map_id": "hall"}' }], SPOT],
  ])("is %s", (_what, steps, place) => {
    expect(findFirstPlace(steps, PLACES)).toMatchObject(place);
  });

  it("is not known of a station that nobody placed, nor of JSON that is being typed", () => {
    expect(
      findFirstPlace(
        [
          { ...EMPTY_STEP, station: "dock-3" },
          { ...EMPTY_STEP, spot: SPOT },
        ],
        PLACES,
      ),
    ).toBeNull();
    expect(findFirstPlace([{ ...EMPTY_STEP, json: "{" }], PLACES)).toBeNull();
  });

  it("is measured on the same map only", () => {
    expect(measure({ x: 0, y: 0, map_id: "hall" }, SPOT)).toBe(5);
    expect(measure({ x: 0, y: 0, map_id: "yard" }, SPOT)).toBeNull();
    expect(measure({ x: 0, y: 0 }, { ...SPOT, mapId: "no map" })).toBeNull();
    expect(measure(null, SPOT)).toBeNull();
  });
});
