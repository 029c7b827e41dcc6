import type { ActorRecord } from "../../domain/kernel/actor.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";

export const ActorType = addEnum(
  "ActorType",
  { agent: "agent", user: "user", scim: "scim", system: "system" } as const,
  "Who can act.",
);

builder.objectType("Actor", {
  description: "Who did something, as it was then.",
  fields: (t) => ({
    type: t.expose("type", { type: ActorType }),
    uuid: t.expose("id", { type: "UUID", nullable: true, description: "Null for the service itself." }),
    name: t.exposeString("name"),
  }),
});

/** Reads the actor that a row keeps as JSON. */
export function toActorRecord(json: unknown): ActorRecord {
  // Only recordOf() writes these columns.
  return json as ActorRecord;
}
