import type { TraceSkeleton } from "../../../data/trace-skeleton.ts";

/** The spans of a trace, column by column. */
export type SpanColumns = Omit<TraceSkeleton, "next">;

/** Joins the pages of a trace's skeleton. Each page has its own list of names. */
export function joinPages(pages: readonly SpanColumns[]): SpanColumns {
  const places = new Map<string, number>();
  const name = pages.flatMap((page) => {
    const moved = page.names.map((one) => {
      const place = places.get(one) ?? places.size;
      places.set(one, place);
      return place;
    });
    return page.name.map((place) => moved[place] ?? 0);
  });
  return {
    names: [...places.keys()],
    name,
    id: pages.flatMap(({ id }) => id),
    parent: pages.flatMap(({ parent }) => parent),
    op: pages.flatMap(({ op }) => op),
    status: pages.flatMap(({ status }) => status),
    start_us: pages.flatMap(({ start_us }) => start_us),
    duration_us: pages.flatMap(({ duration_us }) => duration_us),
  };
}
