import type { Mission, MissionStep } from "../../db/generated/client.ts";
import type { ActorRecord } from "../../domain/kernel/actor.ts";

/** A mission with its steps and its robot. */
export type MissionScenario = Mission & { steps: MissionStep[]; robot: ActorRecord | null };
