import fc from "fast-check";
import { createEntityAgent, createRequest } from "./policies.ts";

const names = fc.constantFrom("a", "ab", "abc", "b", "b.c", "a*", "ab*", "*", "*c", "b.*", "a*c");
const texts = fc.constantFrom("a", "ab", "abc", "b", "b.c", "ac", "b.", "commands");
const types = fc.constantFrom("agent", "tool", "user");
const optional = { requiredKeys: ["type"] as ["type"] };
const rules = fc.record(
  {
    subjects: fc.array(fc.record({ type: types, name: names }, optional), { minLength: 1, maxLength: 2 }),
    resources: fc.array(fc.record({ type: types, name: names }, optional), { minLength: 1, maxLength: 2 }),
    actions: fc.array(fc.oneof(names, fc.constant("commands")), { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ["actions"] },
);
const servers = fc.record({ resources: fc.tuple(fc.record({ type: fc.constant("tool"), server: names })) });
const entities = fc.record({ type: types, id: texts }).map(({ type, id }) => ({
  ...{ type, id, properties: {}, role: null },
  agent: type === "agent" ? createEntityAgent({ handle: id }) : null,
}));

/** Requests that are often in {@link scopes}. */
export const requests = fc
  .record({
    subject: entities,
    resource: entities,
    action: fc.record({ name: texts, isCommand: fc.boolean() }),
  })
  .map(createRequest);

/** What rules are for: subjects, actions and resources with names that overlap. */
export const scopes = fc.oneof(rules, servers);
