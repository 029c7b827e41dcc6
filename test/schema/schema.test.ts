import { readFile } from "node:fs/promises";
import { isEnumType, isObjectType, isScalarType, isSpecifiedScalarType } from "graphql";
import { describe, expect, it } from "vitest";
import { printSortedSchema } from "../../src/schema/print.ts";
import { schema } from "../../src/schema/schema.ts";
import { rootFields } from "../support/graphql-document.ts";

/** Types that Relay makes for each list and mutation; what they are for stands at the field that has them. */
const OF_RELAY = /^(PageInfo|Query\w+Connection(Edge)?|\w+Payload)$/;

describe("schema.graphql", () => {
  it("is what src/schema prints (renew it: npx tsx scripts/print-schema.ts)", async () => {
    const kept = await readFile(new URL("../../schema.graphql", import.meta.url), "utf8");
    expect(kept).toBe(printSortedSchema());
  });
});

describe("the schema", () => {
  it("describes every type", () => {
    const types = Object.values(schema.getTypeMap()).filter(
      (type) =>
        (isObjectType(type) || isEnumType(type) || (isScalarType(type) && !isSpecifiedScalarType(type))) &&
        !type.name.startsWith("__") &&
        !OF_RELAY.test(type.name),
    );
    expect(types.length).toBeGreaterThan(20);
    expect(types.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
  });

  it("describes every query and mutation", () => {
    const fields = [...rootFields("query"), ...rootFields("mutation")];
    expect(fields.length).toBeGreaterThan(15);
    expect(fields.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
  });
});
