import { expect, it } from "vitest";
import { describeStep } from "../../src/dashboard/views/missions/describe-step.ts";

it.each([
  ["MOVE", { station: "dock-1" }, "to dock-1"],
  ["MOVE", { position: { x: 1.25, y: 3, map_id: "hall-2" } }, "to 1.3, 3.0 on hall-2"],
  ["ACTION", { action: "lift" }, "lift"],
  ["ACTION", { action: "lift", station: "shelf 4" }, "lift at shelf 4"],
  ["WAIT", { seconds: 90 }, "for 1 min 30 s"],
  ["MOVE", {}, null],
  ["ACTION", { action: "lift", height: 3 }, null],
  ["CUSTOM", { station: "dock-1" }, null],
] as const)("describes %s %j as %j", (type, params, words) => {
  expect(describeStep({ key: "one", type, params })).toBe(words);
});
