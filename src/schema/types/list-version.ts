import { COLLECTIONS } from "../../domain/events.ts";
import { readListVersion } from "../../domain/list-version.ts";
import { builder } from "../builder.ts";
import { enumOf } from "../enum.ts";

const Collection = enumOf(
  "Collection",
  // One entry for each collection, under its own name.
  Object.fromEntries(COLLECTIONS.map((name) => [name, name])) as {
    [Key in (typeof COLLECTIONS)[number]]: Key;
  },
  "The workspace's lists.",
);

builder.queryFields((t) => ({
  listVersion: t.string({
    description: "The version of a list, without reading it: unchanged since, unchanged all.",
    args: { of: t.arg({ type: Collection, required: true }) },
    resolve: (_root, { of }, ctx) => readListVersion(ctx, of),
  }),
}));
