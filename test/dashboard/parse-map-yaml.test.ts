import { describe, expect, it } from "vitest";
import { parseMapYaml } from "../../src/dashboard/views/robots/map/parse-map-yaml.ts";

describe("parseMapYaml", () => {
  it.each([
    ["in brackets", "image: hall.pgm\nresolution: 0.05\norigin: [-10.5, 4.2, 1.57]\nnegate: 0\n"],
    ["one a line", "resolution: 0.05\norigin:\n- -10.5\n- 4.2\n- 1.57\noccupied_thresh: 0.65\n"],
  ])("reads the resolution and an origin %s", (_how, text) => {
    expect(parseMapYaml(text)).toEqual({
      ...{ resolution: "0.05", originX: "-10.5", originY: "4.2", originYaw: "1.57" },
    });
  });

  it("reads only what is there", () => {
    expect(parseMapYaml("origin: [1, 2]")).toEqual({ originX: "1", originY: "2", originYaw: "0" });
    expect(parseMapYaml("resolution: 1e-1")).toEqual({ resolution: "1e-1" });
    expect(parseMapYaml("resolution: small\norigin: here")).toEqual({});
  });
});
