import type { Listed, Page, PageRequest } from "../domain/page.ts";

const SIZE = 100;

/** Reads a list page by page to its end. */
export async function listAll<Row extends Listed>(
  read: (page: PageRequest) => Promise<Page<Row>>,
): Promise<Page<Row>["nodes"]> {
  const all: Page<Row>["nodes"] = [];
  for (;;) {
    const { nodes } = await read({ first: SIZE, offset: all.length });
    all.push(...nodes);
    if (nodes.length < SIZE) return all;
  }
}
