import { type SearchPage, searchEntities } from "../../domain/gateway-checks/search-entities.ts";
import { builder } from "../builder.ts";

const SearchedPart = builder.enumType("GatewaySearchedPart", {
  description: "What a search is for.",
  values: {
    SUBJECT: { value: "subject" },
    RESOURCE: { value: "resource" },
    ACTION: { value: "action" },
  } as const,
});

const GatewaySearch = builder.objectRef<SearchPage>("GatewaySearch").implement({
  description: "A page of what policies allow.",
  fields: (t) => ({
    names: t.exposeStringList("names", { description: "Ids of subjects or resources, or names of actions." }),
    next: t.exposeString("next", {
      nullable: true,
      description: "Where the next page begins. Null on the last one: pages may be shorter than their limit.",
    }),
  }),
});

builder.queryField("searchGateway", (t) =>
  t.field({
    type: GatewaySearch,
    description:
      "The subjects, resources or actions that policies would allow, among those that the workspace knows. Needs `gateway:check`; for other subjects `gateway:delegate`; for agents `agents:read`.",
    args: {
      of: t.arg({ type: SearchedPart, required: true }),
      requestText: t.arg.string({
        required: true,
        description: "The request as JSON text, as in AuthZEN 1.0: what is searched for has no id or name.",
      }),
      first: t.arg.int({ description: "At most 100. Default: 50." }),
      after: t.arg.string({ description: "`next` of the page before, for the same request." }),
    },
    // Up to 200 ms.
    complexity: 2000,
    resolve: (_root, { first: limit, ...args }, ctx) => searchEntities(ctx, { ...args, limit }),
  }),
);
