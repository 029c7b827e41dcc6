import { describe, expect, it } from "vitest";
import { buildLinkHeader, toPagination } from "../../../../compat/rest/shared/parameters.ts";

const URL = "http://127.0.0.1/api/v1/tasks";

describe("toPagination", () => {
  it.each([
    [{ offset: 99_950, count: 50 }, 100_000],
    [{ offset: 99_951, count: 50 }, null],
    [{ offset: 0, count: 50 }, 50],
  ])("of %o continues at %s", (place, next) => {
    const page = toPagination({ limit: 50, total: null, hasMore: true, ...place }, 100_000);
    expect(page).toEqual({
      ...{ limit: 50, offset: place.offset, total: null, has_more: true, next_offset: next },
    });
    expect(buildLinkHeader(URL, page).includes('rel="next"')).toBe(next !== null);
  });

  it("has no next offset at the end of a list", () => {
    const page = toPagination({ limit: 50, offset: 50, count: 50, total: 100, hasMore: false }, 100_000);
    expect(page.next_offset).toBeNull();
    expect(buildLinkHeader(URL, page)).toBe(
      '</api/v1/tasks?limit=50&offset=0>; rel="first", </api/v1/tasks?limit=50&offset=0>; rel="prev"',
    );
  });
});
