/**
 * A working agent: it handles tasks of the queue `examples` and executes commands until Ctrl-C.
 *
 *     npm start                          in one terminal
 *     npx tsx bench/example-agent.ts     in another
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
// In your own program, import it from "@agent-ops/client".
import { createClient } from "../src/client/client.ts";

// Written by `npm start`.
const { api_key: token = "" } = JSON.parse(readFileSync("data/demo.json", "utf8")) as Record<string, string>;
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
const url = process.argv[2] ?? "http://127.0.0.1:4000";
const client = createClient({ url, token, agent: { handle: "example-agent" } });

await client.send("POST /tasks", {
  body: { title: "Say hello", queue: "examples" },
  // One task per day, however often this agent starts: idempotency keys survive restarts.
  idempotencyKey: `hello-${new Date().toISOString().slice(0, 10)}`,
});
await Promise.all([
  client.workTasks({
    queues: ["examples"],
    handle: async (task, { attempt, progress }) => {
      progress(0.5, "halfway");
      return { output: { said: say(task.id, `task ${task.title}, attempt ${attempt}`) } };
    },
    signal: stop.signal,
  }),
  client.handleCommands({
    journal: "data/example-agent.journal",
    handlers: {
      // `recover` can do the same, because an effect that already happened isn't repeated.
      "custom.say": { run: sayParams, recover: sayParams },
    },
    signal: stop.signal,
  }),
]);

async function sayParams({ id, params }: { id: string; params?: unknown }): Promise<unknown> {
  return { said: say(id, JSON.stringify(params)) };
}

/** An effect that happens once: its key is the id of the task or command, whichever attempt it is. */
function say(key: string, text: string): string {
  const said = "data/example-agent.said";
  if (!existsSync(said) || !readFileSync(said, "utf8").includes(key)) {
    process.stdout.write(`${text}\n`);
    appendFileSync(said, `${key}\n`);
  }
  return text;
}
