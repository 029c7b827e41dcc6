import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createLogger } from "../../../src/config/logger.ts";
import { type SchemaChecker, createSchemaChecker } from "../../../src/domain/json-schema/schema-checker.ts";
import { getErrorCode } from "../../support/callers.ts";

const TOO_SLOW = { subject: "schema", path: [], detail: "takes too long to check" };

let checker: SchemaChecker;
let logged: string[] = [];

function createChecker(): SchemaChecker {
  return createSchemaChecker(createLogger("debug", { write: (line: string) => void logged.push(line) }));
}

beforeAll(() => {
  checker = createChecker();
});

beforeEach(() => {
  logged = [];
});

afterAll(() => checker.close());

/** Waits until both threads have started or restarted. */
async function areReady(): Promise<void> {
  const ended = logged.filter((line) => line.includes("took too long")).length;
  await expect.poll(() => logged.filter((line) => line.includes("is ready")).length).toBe(ended);
}

/** Takes 2^40 steps for any value. */
function doubling(title: string): string {
  const level = (index: number) => ({
    allOf: [{ $ref: `#/$defs/l${index}` }, { $ref: `#/$defs/l${index}` }],
  });
  const levels = Array.from({ length: 40 }, (_each, index) => [`l${index + 1}`, level(index)] as const);
  const $defs = { l0: { type: "object" }, ...Object.fromEntries(levels) };
  return JSON.stringify({ $defs, $ref: "#/$defs/l40", title });
}

async function check(workspaceId: string, schema: string, value: unknown = {}): Promise<unknown> {
  return checker.check(workspaceId, { schema, value: JSON.stringify(value) });
}

describe("a schema check", () => {
  it("returns errors of the value or the schema, or none", async () => {
    const schema = JSON.stringify({ required: ["a"] });
    expect(await check("one", schema, { a: 1 })).toBe(null);
    expect(await check("one", schema)).toEqual({ subject: "value", path: ["a"], detail: "is required" });
    expect(await check("one", "1")).toMatchObject({ subject: "schema" });
    expect(await checker.check("one", { schema, value: null })).toBe(null);
    await expect.poll(() => logged.filter((line) => line.includes("is ready")).length).toBe(2);
  });

  it("is stopped if it takes too long, without blocking another workspace", async () => {
    let isOver = false;
    const slow = check("slow", doubling("slow")).finally(() => (isOver = true));
    expect(await check("quick", "{}")).toBe(null);
    expect(isOver).toBe(false);
    expect(await slow).toEqual(TOO_SLOW);
    expect(logged.join("")).toContain('"workspaceId":"slow"');
    await areReady();
  });

  it("is not retried at once after taking too long", async () => {
    expect(await check("same", doubling("same"))).toEqual(TOO_SLOW);
    await areReady();
    logged = [];
    expect(await check("same", doubling("same"))).toEqual(TOO_SLOW);
    expect(logged).toEqual([]);
  });

  it("can use only its workspace's share of time", async () => {
    const first = await Promise.all([check("greedy", doubling("1")), check("greedy", doubling("2"))]);
    expect(first).toEqual([TOO_SLOW, TOO_SLOW]);
    expect(await getErrorCode(check("greedy", "{}"))).toBe("unavailable");
    expect(await check("quick", "{}")).toBe(null);
    await areReady();
  });

  it("is stopped if it uses too much memory, and the process continues", async () => {
    const list = Array.from({ length: 30_000 }, () => 1);
    const forms = { anyOf: Array.from({ length: 600 }, () => ({ type: "string" })) };
    // The errors of all entries are collected until the end.
    const schema = JSON.stringify({ contains: forms });
    expect(await check("hungry", schema, list)).toMatchObject({ detail: expect.any(String) });
    expect(await check("quick", "{}")).toBe(null);
    await areReady();
  });

  it("is rejected if too much of its workspace is queued", async () => {
    const value = "x".repeat(1_000_000);
    const asked = Array.from({ length: 4 }, () => getErrorCode(check("much", "{}", value)));
    expect(await getErrorCode(check("quick", "{}"))).toBe("");
    expect((await Promise.all(asked)).toSorted()).toEqual(["", "", "", "unavailable"]);
    expect(await getErrorCode(check("much", "{}", value))).toBe("");
  });

  it("is rejected by a stopping server", async () => {
    const stopping = createChecker();
    const running = getErrorCode(stopping.check("one", { schema: doubling("running"), value: null }));
    await stopping.close();
    expect(await running).toBe("unavailable");
    expect(await getErrorCode(stopping.check("one", { schema: "{}", value: null }))).toBe("unavailable");
  });
});
