import type { ListedRow, ListPage, PageArgs } from "../domain/kernel/page.ts";

const SIZE = 100;

/** Reads all pages of a list. */
export async function listAll<Row extends ListedRow>(
  read: (page: PageArgs) => Promise<ListPage<Row>>,
): Promise<ListPage<Row>["nodes"]> {
  const all: ListPage<Row>["nodes"] = [];
  for (;;) {
    const { nodes } = await read({ first: SIZE, offset: all.length });
    all.push(...nodes);
    if (nodes.length < SIZE) return all;
  }
}
