import type { Task } from "../../db/generated/client.ts";
import type { ActorRecord } from "../../domain/kernel/actor.ts";
import type { Random } from "../random.ts";
import type { Writer } from "../writer.ts";
import type { TaskCourse } from "./task-course.ts";
import type { JobProfile } from "./job-profile.ts";

/** A task, with what its messages and commands need. */
export type TaskScenario = {
  task: Task;
  profile: JobProfile;
  course: TaskCourse;
  worker: ActorRecord & { id: string };
  asker: ActorRecord;
  write: Writer;
  random: Random;
};
