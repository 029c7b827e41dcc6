import { VERSIONED_LISTS, readListVersion } from "../../domain/kernel/list-version.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";

const VersionedList = addEnum(
  "VersionedList",
  // One entry for each list, under its own name.
  Object.fromEntries(VERSIONED_LISTS.map((name) => [name, name])) as {
    [Key in (typeof VERSIONED_LISTS)[number]]: Key;
  },
  "The lists whose version tells of every visible change.",
);

builder.queryFields((t) => ({
  listVersion: t.string({
    description: "The version of a list, without reading it: unchanged since, unchanged all.",
    args: {
      of: t.arg({ type: VersionedList, required: true }),
      status: t.arg.string({ description: "Of its part of this status alone, such as `input_required`." }),
    },
    resolve: (_root, { of, status }, ctx) => readListVersion(ctx, of, status),
  }),
}));
