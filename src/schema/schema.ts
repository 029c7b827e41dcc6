import { builder } from "./builder.ts";
import "./types/scalars.ts";
import "./types/actor.ts";
import "./types/agent.ts";
import "./types/agent-command.ts";
import "./types/agent-token.ts";
import "./types/api-key.ts";
import "./types/audit-event.ts";
import "./types/directory-group.ts";
import "./types/directory-list.ts";
import "./types/directory-user.ts";
import "./types/eval-run.ts";
import "./types/list-version.ts";
import "./types/message.ts";
import "./types/mission.ts";
import "./types/robot.ts";
import "./types/scim-token.ts";
import "./types/session.ts";
import "./types/socket-token.ts";
import "./types/task.ts";
import "./types/token.ts";
import "./types/user.ts";
import "./types/viewer.ts";
import "./types/workspace.ts";

/** The one interface to the domain: every door speaks it. */
export const schema = builder.toSchema();
