import { VERSIONED_LISTS, readListVersion } from "../../domain/kernel/list-version.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";

const VersionedList = addEnum(
  "VersionedList",
  Object.fromEntries(VERSIONED_LISTS.map((name) => [name, name])) as {
    [Key in (typeof VERSIONED_LISTS)[number]]: Key;
  },
  "Lists whose version changes with every visible change.",
);

builder.queryFields((t) => ({
  listVersion: t.string({
    description:
      "The version of a list, without reading the list. If the version is the same, nothing has changed.",
    args: {
      of: t.arg({ type: VersionedList, required: true }),
      status: t.arg.string({ description: "The version for one status only, such as `input_required`." }),
    },
    resolve: (_root, { of, status }, ctx) => readListVersion(ctx, of, status),
  }),
}));
