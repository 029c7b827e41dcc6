import type { ShownPolicy, StoredRule } from "../policy-fields.ts";
import { formatLabels } from "./typed-labels.ts";

/** An entered subject or resource. `id` identifies its row; "" means not set. */
export type TypedEntity = Readonly<
  { id: number } & Record<"type" | "name" | "kind" | "labels" | "role" | "server", string>
>;

/** An entered action. */
export type TypedAction = { id: number; name: string };

/** Entered approval terms. */
export type TypedTerms = Readonly<
  Record<"role" | "persons" | "ttlSeconds" | "validSeconds" | "uses" | "scope", string> & { edits: boolean }
>;

/** Entered values. "" means not set; no subjects mean everybody, no resources anything. */
export type TypedPolicy = Readonly<
  Record<"name" | "description" | "effect" | "mode" | "when", string> & {
    enabled: boolean;
    subjects: readonly TypedEntity[];
    actions: readonly TypedAction[];
    resources: readonly TypedEntity[];
    terms: TypedTerms;
  }
>;

export type ChangePolicy = (changes: Partial<TypedPolicy>) => void;

const EMPTY_ENTITY: TypedEntity = {
  id: 1,
  type: "",
  name: "",
  kind: "",
  labels: "",
  role: "OPERATOR",
  server: "",
};

const EMPTY_TERMS: TypedTerms = {
  role: "OPERATOR",
  persons: "1",
  ttlSeconds: "900",
  validSeconds: "300",
  uses: "1",
  scope: "EXACT",
  edits: false,
};

export const EMPTY_POLICY: TypedPolicy = {
  name: "",
  description: "",
  effect: "ASK",
  mode: "ENFORCE",
  when: "",
  enabled: true,
  subjects: [],
  actions: [{ id: 1, name: "tools/call" }],
  resources: [{ ...EMPTY_ENTITY, type: "tool" }],
  terms: EMPTY_TERMS,
};

/** A new row of this type. */
export function createEntity(rows: readonly TypedEntity[], type: string): TypedEntity {
  return { ...EMPTY_ENTITY, type, id: getNextId(rows) };
}

/** An id that no row has. */
export function getNextId(rows: readonly { id: number }[]): number {
  return Math.max(0, ...rows.map(({ id }) => id)) + 1;
}

/** A stored policy as it would be entered. */
export function toTypedPolicy(policy: StoredRule): TypedPolicy {
  const { name, description, effect, mode, when, enabled, subjects, actions, resources, approval } = policy;
  return {
    name,
    effect,
    mode,
    enabled,
    description: description ?? "",
    when: when ?? "",
    subjects: (subjects ?? []).map((subject, place) => toTypedEntity({ ...subject, server: null }, place)),
    actions: actions.map((action, place) => ({ id: place + 1, name: action })),
    resources: (resources ?? []).map((resource, place) => toTypedEntity({ ...resource, role: null }, place)),
    terms: approval === null ? EMPTY_TERMS : toTypedTerms(approval),
  };
}

type Entity = NonNullable<ShownPolicy["subjects"]>[number] & { server: string | null };

function toTypedEntity({ type, name, kind, labels, role, server }: Entity, place: number): TypedEntity {
  return {
    id: place + 1,
    type,
    name: name ?? "",
    kind: kind ?? "",
    labels: formatLabels(labels),
    role: role ?? "OPERATOR",
    server: server ?? "",
  };
}

function toTypedTerms(terms: NonNullable<ShownPolicy["approval"]>): TypedTerms {
  const { role, persons, ttlSeconds, validSeconds, uses, scope, edits } = terms;
  return {
    role,
    scope,
    edits,
    persons: String(persons),
    uses: String(uses),
    ttlSeconds: String(ttlSeconds),
    validSeconds: String(validSeconds),
  };
}
