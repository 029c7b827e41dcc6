import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { toWireEnum, uuid } from "./shapes.ts";

/** Who did something, as it was then. */
export const actor = z
  .strictObject({
    type: z.enum(["agent", "user", "scim", "system"]),
    id: uuid.nullable(),
    name: z.string(),
  })
  .openapi("Actor");

/** What of an actor is asked for. */
export const ActorFields = graphql(`
  fragment ActorFields on Actor {
    type
    id: uuid
    name
  }
`);

/** An actor as the wire spells it. */
export function actorJson({ type, ...rest }: ResultOf<typeof ActorFields>) {
  return { type: toWireEnum(type), ...rest };
}
