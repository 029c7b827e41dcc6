import { MOST_DROP_RULES } from "../../domain/traces/drop-rules/drop-rule.ts";
import { type CountedDropRule, listDropRules } from "../../domain/traces/drop-rules/list-drop-rules.ts";
import { setDropRules } from "../../domain/traces/drop-rules/set-drop-rules.ts";
import { builder } from "../builder.ts";
import { omitNulls } from "../omit-nulls.ts";

const SpanDropRule = builder.objectRef<CountedDropRule>("SpanDropRule").implement({
  description:
    "Which spans are not stored when they come, but for those that say what a call of a model used. `*` is any text.",
  fields: (t) => ({
    scope: t.exposeString("scope", { description: "The library that measured them." }),
    name: t.exposeString("name"),
    dropped: t.exposeFloat("dropped", { description: "How many it has dropped." }),
    lastDroppedAt: t.expose("lastDroppedAt", { type: "DateTime", nullable: true }),
  }),
});

const SpanDropRuleInput = builder.inputType("SpanDropRuleInput", {
  fields: (t) => ({
    scope: t.string({ description: "The library that measured them. `*`, the default, is any text." }),
    name: t.string({ description: "Default `*`. Not together with any library." }),
  }),
});

builder.queryField("spanDropRules", (t) =>
  t.field({
    type: [SpanDropRule],
    description: "Which spans are not stored, by library and name.",
    complexity: { field: 1, multiplier: MOST_DROP_RULES },
    resolve: (_root, _args, ctx) => listDropRules(ctx),
  }),
);

builder.relayMutationField(
  "setSpanDropRules",
  {
    inputFields: (t) => ({
      rules: t.field({
        type: [SpanDropRuleInput],
        required: true,
        description: `All of them, at most ${MOST_DROP_RULES}. Those that stay keep their counts.`,
      }),
    }),
  },
  {
    description: "Replaces the rules by which spans are not stored. Requires the password again. For admins.",
    complexity: { field: 1, multiplier: 1 },
    resolve: async (_root, { input: { rules } }, ctx) => ({
      rules: await setDropRules(ctx, { rules: rules.map(omitNulls) }),
    }),
  },
  { outputFields: (t) => ({ rules: t.field({ type: [SpanDropRule], resolve: ({ rules }) => rules }) }) },
);
