import { SEARCH_KINDS } from "../../domain/search/searched-kinds.ts";
import { type SearchHit, search } from "../../domain/search/search.ts";
import { builder } from "../builder.ts";
import { addEnum, toEnumValues } from "../enum.ts";

const SearchKind = addEnum("SearchKind", toEnumValues(SEARCH_KINDS), "What can be found.");

const Hit = builder.objectRef<SearchHit>("SearchHit").implement({
  description: "Something that was found.",
  fields: (t) => ({
    kind: t.expose("kind", { type: SearchKind }),
    uuid: t.expose("id", { type: "UUID" }),
    name: t.exposeString("name", { nullable: true }),
    status: t.exposeString("status", {
      nullable: true,
      description: "Its status; of an agent, its control state. Null for what has none.",
    }),
    detail: t.exposeString("detail", {
      nullable: true,
      description: "What tells it from others of the same name, such as a task's queue.",
    }),
    createdAt: t.expose("createdAt", {
      type: "DateTime",
      description: "Of a conversation when something was said last.",
    }),
  }),
});

builder.queryFields((t) => ({
  search: t.field({
    type: [Hit],
    description:
      "What a text finds, by words of its name or by the first 8 or more characters of its id: the newest five of " +
      "each kind. For people.",
    args: {
      text: t.arg.string({ required: true, description: "1 to 100 characters." }),
      kinds: t.arg({ type: [SearchKind], description: "Default: all." }),
    },
    complexity: 30,
    resolve: (_root, args, ctx) => search(ctx, args),
  }),
}));
