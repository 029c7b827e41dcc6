import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillCollection } from "../../support/collections.ts";
import { expectProblem } from "../../support/problem.ts";
import { LIST_ROWS, type ListRow, type Range } from "../../support/service-document.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { runs } from "../../support/property-runs.ts";

const ROWS = 41;

let world: TestWorld;
/** The ids of all rows of each collection, newest first. */
const ids: Record<string, string[]> = {};

beforeAll(async () => {
  world = await createWorld();
  // About nine rows share each timestamp.
  const start = Date.parse("2100-11-21T10:00:45.678Z");
  const instants = Array.from({ length: ROWS }, (_, index) => new Date(start + ((index * 7) % 5)));
  for (const { key } of LIST_ROWS) ids[key] = await fillCollection(world.ctx, key, instants);
  // Rows of another workspace with the same timestamps, which must not appear.
  const other = await world.another();
  for (const { key } of LIST_ROWS) await fillCollection(other.ctx, key, instants.slice(0, 3));
});

afterAll(() => world.server.close());

const PAGED = LIST_ROWS.filter(({ parameters }) => "limit" in parameters);
const WITH_OFFSET = LIST_ROWS.filter(({ parameters }) => "offset" in parameters);
const WITHOUT_OFFSET = LIST_ROWS.filter(({ parameters }) => !("offset" in parameters));
const WHOLE = LIST_ROWS.filter(({ parameters }) => Object.keys(parameters).length === 0);

function getRange({ parameters }: ListRow, name: string): Range {
  const range = parameters[name];
  if (range === undefined) throw new Error(`the list has no ${name}`);
  return range;
}

async function idsAt({ path, key }: ListRow, query: string): Promise<string[]> {
  const { status, body } = await world.agent.get(`${path}${query}`);
  expect(status).toBe(200);
  return body[key].map(({ id }: { id: string }) => id);
}

/** A number within a range, mostly close to the number of rows, with leading zeros. */
function numberWithin({ min, max }: Range): fc.Arbitrary<string> {
  const near = fc.integer({ min, max: Math.min(max, ROWS + 3) });
  const value = fc.oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: fc.integer({ min, max }) });
  return fc.tuple(value, fc.constantFrom("", "0", "000000")).map(([number, zeros]) => `${zeros}${number}`);
}

/** Strings that are no number within a range. */
function numberBeyond({ min, max }: Range): fc.Arbitrary<string> {
  return fc.oneof(
    fc.integer({ max: -1 }).map(String),
    fc.integer({ min: max + 1 }).map(String),
    fc.bigInt({ min: 2n ** 31n, max: 2n ** 200n }).map(String),
    fc.integer({ min, max }).chain((value) => fc.constantFrom(...disguises(value))),
    fc.constantFrom(
      "",
      " ",
      "NaN",
      "Infinity",
      "null",
      "undefined",
      "true",
      "[]",
      "{}",
      "٥",
      "５",
      "²",
      "五",
      "\0",
      "💯",
    ),
    fc.string({ unit: "binary" }).filter((text) => text.isWellFormed() && !/^[0-9]+$/.test(text)),
  );
}

function disguises(value: number): string[] {
  return [
    ...[`${value}.0`, `${value}.5`, `${value}e0`, `${value}E1`, `+${value}`, `-${value}`],
    ...[` ${value}`, `${value} `, `${value}\t`, `${value}\n`, `0x${value}`, `0b1`, `${value}n`, `1_${value}`],
    ...[`${value},${value}`, `"${value}"`, `${value};`, `${value}/1`, `${value}\u0660`, `\u{1D7CF}`],
  ];
}

const STRAY = fc.constantFrom(
  "",
  "&page=2",
  "&cursor=x",
  "&Limit=7",
  "&limit[]=3",
  "&__proto__=1",
  "&sort=asc",
  "&sort=oldest",
  "&=",
  "&&",
);

describe.each(PAGED)("a page of $path", (row) => {
  const limits = getRange(row, "limit");

  it("begins with the newest rows and has at most `limit` of them", async () => {
    const property = fc.asyncProperty(numberWithin(limits), STRAY, async (limit, stray) => {
      expect(await idsAt(row, `?limit=${limit}${stray}`)).toEqual(ids[row.key]?.slice(0, Number(limit)));
    });
    await fc.assert(property, { numRuns: runs(30) });
    expect(await idsAt(row, "")).toEqual(ids[row.key]?.slice(0, limits.default ?? 0));
  });

  it("rejects any other limit with its name and range", async () => {
    const property = fc.asyncProperty(numberBeyond(limits), async (limit) => {
      await expectRefused(row, `?limit=${encodeURIComponent(limit)}`, ["limit"]);
    });
    await fc.assert(property, { numRuns: runs(60) });
  });

  it("rejects two limits, even equal ones", async () => {
    await expectRefused(row, "?limit=5&limit=5", ["limit"]);
    await expectRefused(row, "?limit=5&limit=6&limit=7", ["limit"]);
    await expectRefused(row, "?limit=5&%6cimit=5", ["limit"]);
  });
});

describe.each(WITH_OFFSET)("a page of $path", (row) => {
  const [limits, offsets] = [getRange(row, "limit"), getRange(row, "offset")];

  it("is exactly the requested slice of the list", async () => {
    const property = fc.asyncProperty(
      numberWithin(limits),
      numberWithin(offsets),
      STRAY,
      async (limitText, offsetText, stray) => {
        const [limit, offset] = [Number(limitText), Number(offsetText)];
        const { status, body } = await world.agent.get(
          `${row.path}?offset=${offsetText}&limit=${limitText}${stray}`,
        );
        expect(status).toBe(200);
        const expected = ids[row.key]?.slice(offset, offset + limit) ?? [];
        expect(body[row.key].map(({ id }: { id: string }) => id)).toEqual(expected);
        if (row.responseKeys.includes("count")) expect(body.count).toBe(expected.length);
        if (!row.responseKeys.includes("pagination")) return;
        const next = offset + expected.length;
        const hasMore = limit > 0 && next < ROWS;
        const pagination = {
          limit,
          offset,
          total: ROWS,
          has_more: hasMore,
          next_offset: hasMore ? next : null,
        };
        expect(body.pagination).toEqual(pagination);
      },
    );
    await fc.assert(property, { numRuns: runs(50) });
  });

  it("follows the previous one without gaps or repeated rows", async () => {
    const property = fc.asyncProperty(fc.integer({ min: 1, max: ROWS + 1 }), async (size) => {
      const seen: string[] = [];
      for (let offset = 0; offset < ROWS; offset += size) {
        seen.push(...(await idsAt(row, `?limit=${size}&offset=${offset}`)));
      }
      expect(seen).toEqual(ids[row.key]);
    });
    await fc.assert(property, { numRuns: runs(5), examples: [[7]] });
  });

  it("rejects any other offset with its name and range", async () => {
    const property = fc.asyncProperty(numberBeyond(offsets), async (offset) => {
      await expectRefused(row, `?offset=${encodeURIComponent(offset)}`, ["offset"]);
    });
    await fc.assert(property, { numRuns: runs(60) });
    await expectRefused(row, "?offset=0&offset=0", ["offset"]);
  });

  it("names both if limit and offset are invalid", async () => {
    await expectRefused(row, "?limit=-1&offset=x", ["limit", "offset"]);
  });

  it("begins at the start by default", async () => {
    expect(await idsAt(row, "?limit=3")).toEqual(await idsAt(row, "?limit=3&offset=0"));
  });
});

describe("an unknown parameter", () => {
  it.each(WITHOUT_OFFSET)("is ignored by $path: offset", async (row) => {
    expect(WITHOUT_OFFSET.map(({ key }) => key)).toEqual(["agent_commands", "robots", "missions"]);
    const all = await idsAt(row, "");
    const property = fc.asyncProperty(
      fc.oneof(
        numberWithin({ min: 0, max: 1e6, default: null }),
        numberBeyond({ min: 0, max: 1e6, default: null }),
      ),
      async (offset) => {
        expect(await idsAt(row, `?offset=${encodeURIComponent(offset)}&offset=1`)).toEqual(all);
      },
    );
    await fc.assert(property, { numRuns: runs(15) });
  });

  it.each(WHOLE)("is ignored by $path: limit", async (row) => {
    const property = fc.asyncProperty(
      fc.oneof(
        numberWithin({ min: 0, max: 100, default: null }),
        numberBeyond({ min: 0, max: 100, default: null }),
      ),
      async (limit) => {
        expect(await idsAt(row, `?limit=${encodeURIComponent(limit)}`)).toEqual(ids[row.key]);
      },
    );
    await fc.assert(property, { numRuns: runs(15) });
  });
});

async function expectRefused(row: ListRow, query: string, names: string[]): Promise<void> {
  const refused = await world.agent.get(`${row.path}${query}`);
  expectProblem(refused, 400, "invalid_parameter");
  expect(refused.body.errors.map(({ field }: { field: string }) => field)).toEqual(names);
  for (const { field, detail } of refused.body.errors) {
    const { min, max } = getRange(row, field);
    expect(detail).toContain(`${min} to ${max}`);
  }
}
