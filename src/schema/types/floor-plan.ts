import { deleteFloorPlan } from "../../domain/floor-plans/delete-floor-plan.ts";
import type { FloorPlan as Plan } from "../../domain/floor-plans/floor-plan.ts";
import { listFloorPlans } from "../../domain/floor-plans/list-floor-plans.ts";
import { setFloorPlan } from "../../domain/floor-plans/set-floor-plan.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { builder } from "../builder.ts";
import { omitNulls } from "../omit-nulls.ts";
import { toActorRecord } from "./actor.ts";

const MIB = 1_048_576;

const FloorPlan = builder.objectRef<Plan>("FloorPlan").implement({
  description:
    "A picture of a map of robots, and where it is: the pose of its lower left corner and its resolution, as in the `map.yaml` of ROS.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    mapId: t.exposeString("mapId", {
      description: "As in the positions of robots. Unique in the workspace.",
    }),
    mediaType: t.exposeString("mediaType", { description: "`image/png` or `image/svg+xml`." }),
    imagePath: t.string({
      description: "Where people who are logged in get the image. Another one has another path.",
      resolve: ({ id, imageHash }) => `/floor-plans/${id}?v=${imageHash.slice(0, 16)}`,
    }),
    width: t.exposeFloat("width", { description: "In pixels; of an SVG, in the units of its view box." }),
    height: t.exposeFloat("height"),
    sizeBytes: t.exposeInt("sizeBytes"),
    resolution: t.exposeFloat("resolution", { description: "Metres per pixel." }),
    originX: t.exposeFloat("originX", { description: "Of the lower left corner, in metres." }),
    originY: t.exposeFloat("originY"),
    originYaw: t.exposeFloat("originYaw", { description: "In radians, counterclockwise." }),
    createdBy: t.field({ type: "Actor", resolve: (plan) => toActorRecord(plan.createdBy) }),
    updatedBy: t.field({ type: "Actor", resolve: (plan) => toActorRecord(plan.updatedBy) }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

builder.queryField("floorPlans", (t) =>
  t.field({
    type: [FloorPlan],
    description: "The floor plans of all maps, by the maps' ids.",
    complexity: { field: 1, multiplier: LIMITS.floorPlans },
    resolve: (_root, _args, ctx) => listFloorPlans(ctx),
  }),
);

builder.relayMutationField(
  "setFloorPlan",
  {
    inputFields: (t) => ({
      mapId: t.string({ required: true }),
      image: t.string({
        description: `A PNG or an SVG in Base64, of at most ${LIMITS.floorPlanBytes / MIB} MiB and ${LIMITS.floorPlanPixels} pixels. Required for a map without a floor plan. An SVG is written anew without scripts, styles and references.`,
      }),
      resolution: t.float({ required: true, description: "Metres per pixel." }),
      originX: t.float({ required: true, description: "Of the lower left corner, in metres." }),
      originY: t.float({ required: true }),
      originYaw: t.float({ description: "In radians, counterclockwise. Default: 0." }),
    }),
  },
  {
    description: `Creates the floor plan of a map, or replaces it. A workspace has at most ${LIMITS.floorPlans}, of ${LIMITS.floorPlansBytes / MIB} MiB together. For operators.`,
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, mapId, resolution, originX, originY, image, ...fields } = input;
      return {
        floorPlan: await setFloorPlan(ctx, {
          ...{ mapId, resolution, originX, originY, ...omitNulls(fields) },
          image: image ? fromBase64(image) : null,
        }),
      };
    },
  },
  {
    outputFields: (t) => ({ floorPlan: t.field({ type: FloorPlan, resolve: ({ floorPlan }) => floorPlan }) }),
  },
);

builder.relayMutationField(
  "deleteFloorPlan",
  { inputFields: (t) => ({ mapId: t.string({ required: true }) }) },
  {
    description: "Deletes the floor plan of a map. For operators.",
    resolve: async (_root, { input: { mapId } }, ctx) => ({
      floorPlan: await deleteFloorPlan(ctx, { mapId }),
    }),
  },
  {
    outputFields: (t) => ({ floorPlan: t.field({ type: FloorPlan, resolve: ({ floorPlan }) => floorPlan }) }),
  },
);

/** @throws {DomainError} validation_failed for other text than Base64. */
function fromBase64(text: string): Uint8Array {
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return Buffer.from(text, "base64");
  throw createFieldError("image", "must be Base64");
}
