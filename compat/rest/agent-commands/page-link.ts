/** The Link header: the first page, and the next one, which starts after the last command of this page. */
export function buildPageLink(
  url: string,
  { limit, last }: { limit: number; last: string | undefined },
): string {
  const { pathname, searchParams } = new URL(url);
  const filters = ["status", "agent_id", "batch_id"].flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [`&${name}=${encodeURIComponent(value)}`];
  });
  const first = `${pathname}?limit=${limit}${filters.join("")}`;
  const next = last === undefined ? [] : [`<${first}&before=${last}>; rel="next"`];
  return [`<${first}>; rel="first"`, ...next].join(", ");
}
