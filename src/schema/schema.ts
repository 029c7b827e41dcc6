import { builder } from "./builder.ts";
import "./types/scalars.ts";
import "./types/actor.ts";
import "./types/agent.ts";
import "./types/agent-command.ts";
import "./types/agent-token.ts";
import "./types/eval-run.ts";
import "./types/list-version.ts";
import "./types/message.ts";
import "./types/mission.ts";
import "./types/robot.ts";
import "./types/socket-token.ts";
import "./types/task.ts";
import "./types/token.ts";
import "./types/viewer.ts";

/** The one interface to the domain: every door speaks it. */
export const schema = builder.toSchema();
