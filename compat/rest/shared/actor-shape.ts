import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { toWireEnum, uuid } from "./shapes.ts";

/** Who did something. The name is the actor's at that time. */
export const actor = z
  .strictObject({
    type: z.enum(["agent", "user", "scim", "system"]),
    id: uuid.nullable(),
    name: z.string(),
  })
  .openapi("Actor");

export const ActorFields = graphql(`
  fragment ActorFields on Actor {
    type
    id: uuid
    name
  }
`);

/** Converts an actor to the REST shape. */
export function actorJson({ type, ...rest }: ResultOf<typeof ActorFields>) {
  return { type: toWireEnum(type), ...rest };
}
