import type { Message } from "../../../db/generated/client.ts";
import { createRandom } from "../random.ts";
import { PEOPLE } from "../roster/people.ts";
import { secondsAfter } from "../times.ts";
import type { World } from "../world.ts";
import { createWriter } from "../writer.ts";
import { CONVERSATIONS } from "./conversations.ts";
import { type Said, threadRows } from "./thread.ts";

/** A conversation that begins at a moment. What would be said after the end of the month is not said yet. */
export function conversationAt(world: World, number: number, begin: Date): Message[] {
  const name = `conversation ${number}`;
  const random = createRandom(name);
  const write = createWriter(name);
  const person = random.pick(PEOPLE.filter(({ role }) => role !== "viewer")).email;
  const said: Said[] = [];
  let at = begin;
  for (const { by, to, kind, text } of random.pick(CONVERSATIONS)) {
    if (at > world.end) break;
    said.push({
      at,
      by: by === "person" ? world.person(person) : world.agent(by),
      to: to === undefined || to === "person" ? null : world.agent(to).id,
      kind: kind ?? "text",
      text: write(text),
    });
    at = secondsAfter(at, by === "person" ? random.between(4, 60) : random.between(8, 900));
  }
  return threadRows(world, { name, contextId: world.idOf(`${name} context`, begin), taskId: null }, said);
}
