import type { ActorRecord } from "../../domain/kernel/actor.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";

export const ActorType = addEnum(
  "ActorType",
  { agent: "agent", user: "user", scim: "scim", system: "system" } as const,
  "The kinds of actor.",
);

builder.objectType("Actor", {
  description: "Who did something, recorded at that time.",
  fields: (t) => ({
    type: t.expose("type", { type: ActorType }),
    uuid: t.expose("id", { type: "UUID", nullable: true, description: "Null for `SYSTEM`." }),
    name: t.exposeString("name"),
  }),
});

/** Casts an actor column's JSON to its record. */
export function toActorRecord(json: unknown): ActorRecord {
  // Only createActorRecord() writes these columns.
  return json as ActorRecord;
}
