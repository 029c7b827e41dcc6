import type { TraceSkeleton } from "../../../data/trace-skeleton.ts";

/** The spans of a trace, column by column. */
export type SpanColumns = Omit<TraceSkeleton, "next">;

/** Joins the pages of a trace's skeleton. Each page has its own lists of names and models. */
export function joinPages(pages: readonly SpanColumns[]): SpanColumns {
  const names = joinTexts(pages.map(({ names: texts, name: places }) => ({ texts, places })));
  const models = joinTexts(pages.map(({ models: texts, model: places }) => ({ texts, places })));
  return {
    names: names.texts,
    // Each span has a name.
    name: names.places.map((place) => place ?? 0),
    models: models.texts,
    model: models.places,
    id: pages.flatMap(({ id }) => id),
    parent: pages.flatMap(({ parent }) => parent),
    op: pages.flatMap(({ op }) => op),
    service: pages.flatMap(({ service }) => service),
    status: pages.flatMap(({ status }) => status),
    start_us: pages.flatMap(({ start_us }) => start_us),
    duration_us: pages.flatMap(({ duration_us }) => duration_us),
    tokens: pages.flatMap(({ tokens }) => tokens),
    cost_usd: pages.flatMap(({ cost_usd }) => cost_usd),
    sum: pages.flatMap(({ sum }) => sum),
  };
}

/** Adds spans that came later to those that are known, which they replace. */
export function mergeSpans(known: SpanColumns, later: readonly SpanColumns[]): SpanColumns {
  const all = joinPages([known, ...later]);
  const latest = new Map(all.id.map((id, at) => [id, at]));
  const kept = [...latest.values()];
  function keep<Value>(column: readonly Value[]): Value[] {
    // Each column has a value at each place.
    return kept.map((at) => column[at] as Value);
  }
  return {
    names: all.names,
    models: all.models,
    name: keep(all.name),
    model: keep(all.model),
    id: keep(all.id),
    parent: keep(all.parent),
    op: keep(all.op),
    service: keep(all.service),
    status: keep(all.status),
    start_us: keep(all.start_us),
    duration_us: keep(all.duration_us),
    tokens: keep(all.tokens),
    cost_usd: keep(all.cost_usd),
    sum: keep(all.sum),
  };
}

type Places = { texts: readonly string[]; places: readonly (number | null)[] };

function joinTexts(pages: readonly Places[]): { texts: string[]; places: (number | null)[] } {
  const joined = new Map<string, number>();
  const places = pages.flatMap((page) => {
    const moved = page.texts.map((text) => {
      const place = joined.get(text) ?? joined.size;
      joined.set(text, place);
      return place;
    });
    return page.places.map((place) => (place === null ? null : (moved[place] ?? 0)));
  });
  return { texts: [...joined.keys()], places };
}
