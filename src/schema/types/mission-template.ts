import type { MissionTemplate as Template } from "../../db/generated/client.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { deleteMissionTemplate } from "../../domain/mission-templates/delete-mission-template.ts";
import { listMissionTemplates } from "../../domain/mission-templates/list-mission-templates.ts";
import { setMissionTemplate } from "../../domain/mission-templates/set-mission-template.ts";
import type { NewStep } from "../../domain/missions/mission-plan.ts";
import { builder } from "../builder.ts";
import { omitNulls } from "../omit-nulls.ts";
import { toActorRecord } from "./actor.ts";
import { NewMissionStep, RobotSelector } from "./mission-work.ts";
import { MissionKindEnum, MissionStepTypeEnum } from "./mission.ts";

const MissionTemplateStep = builder.objectRef<NewStep>("MissionTemplateStep").implement({
  description: "A step of the missions.",
  fields: (t) => ({
    key: t.exposeString("key"),
    type: t.expose("type", { type: MissionStepTypeEnum }),
    params: t.expose("params", { type: "JSON" }),
  }),
});

const MissionTemplate = builder.objectRef<Template>("MissionTemplate").implement({
  description: "A mission that people create again and again: what `createMission` takes, without its robot.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    name: t.exposeString("name", { description: "Unique in the workspace." }),
    title: t.exposeString("title", { description: "Of the missions." }),
    kind: t.expose("kind", { type: MissionKindEnum }),
    steps: t.field({
      type: [MissionTemplateStep],
      description: "In order.",
      // They were parsed when they were stored.
      resolve: ({ steps }) => steps as NewStep[],
    }),
    selector: t.expose("selector", { type: "JSON", nullable: true }),
    minBatteryPercent: t.exposeFloat("minBatteryPercent", { nullable: true, description: "0 to 100." }),
    priority: t.exposeInt("priority", { description: "0 to 9." }),
    estimatedDurationSeconds: t.exposeInt("estimatedDurationSeconds", { nullable: true }),
    createdBy: t.field({ type: "Actor", resolve: (template) => toActorRecord(template.createdBy) }),
    updatedBy: t.field({ type: "Actor", resolve: (template) => toActorRecord(template.updatedBy) }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

builder.queryField("missionTemplates", (t) =>
  t.field({
    type: [MissionTemplate],
    description: "All templates of missions, by name.",
    complexity: { field: 1, multiplier: LIMITS.missionTemplates },
    resolve: (_root, _args, ctx) => listMissionTemplates(ctx),
  }),
);

builder.relayMutationField(
  "setMissionTemplate",
  {
    inputFields: (t) => ({
      name: t.string({ required: true, description: `1 to ${LIMITS.nameLength} characters.` }),
      title: t.string({ required: true, description: "Of the missions: 1 to 200 characters." }),
      kind: t.field({ type: MissionKindEnum, required: true }),
      selector: t.field({
        type: RobotSelector,
        description: "The robots that the missions may be assigned to. Default: any robot.",
      }),
      steps: t.field({ type: [NewMissionStep], required: true, description: "1 to 100." }),
      priority: t.int({ description: "0 to 9. Default 5." }),
      minBatteryPercent: t.float({ description: "The least battery level for the robot, 0 to 100." }),
      estimatedDurationSeconds: t.int({ description: "1 to 2,592,000." }),
    }),
  },
  {
    description: `Creates a template of missions, or replaces the one of this name. A workspace has at most ${LIMITS.missionTemplates}. For operators.`,
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, selector, steps, name, title, kind, ...rest } = input;
      const missionTemplate = await setMissionTemplate(ctx, {
        ...{ name, title, kind, ...omitNulls(rest) },
        // setMissionTemplate() validates the shapes.
        selector: selector as Parameters<typeof setMissionTemplate>[1]["selector"],
        steps: steps.map(
          (step) => omitNulls(step) as Parameters<typeof setMissionTemplate>[1]["steps"][number],
        ),
      });
      return { missionTemplate };
    },
  },
  {
    outputFields: (t) => ({
      missionTemplate: t.field({
        type: MissionTemplate,
        resolve: ({ missionTemplate }) => missionTemplate,
      }),
    }),
  },
);

builder.relayMutationField(
  "deleteMissionTemplate",
  { inputFields: (t) => ({ name: t.string({ required: true }) }) },
  {
    description: "Deletes a template of missions. For operators.",
    resolve: async (_root, { input: { name } }, ctx) => ({
      missionTemplate: await deleteMissionTemplate(ctx, { name }),
    }),
  },
  {
    outputFields: (t) => ({
      missionTemplate: t.field({
        type: MissionTemplate,
        resolve: ({ missionTemplate }) => missionTemplate,
      }),
    }),
  },
);
