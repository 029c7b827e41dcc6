/**
 * An agent that works: it takes tasks of the queue `examples` and carries out commands, until Ctrl-C.
 *
 *     npm start                          in one terminal
 *     npx tsx bench/example-agent.ts     in another
 */
import { readFileSync } from "node:fs";
// In a program of your own: from "agent-ops/client".
import { createClient } from "../src/client/client.ts";

// Written by `npm start`.
const { api_key: token = "" } = JSON.parse(readFileSync("data/demo.json", "utf8")) as Record<string, string>;
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
const url = process.argv[2] ?? "http://127.0.0.1:4000";
const client = createClient({ url, token, agent: { handle: "example-agent" } });

await client.send("POST /tasks", {
  body: { title: "Say hello", queue: "examples" },
  idempotencyKey: crypto.randomUUID(),
});
await Promise.all([
  client.workTasks({
    queues: ["examples"],
    handle: async (task, { attempt, progress }) => {
      progress(0.5, "halfway");
      process.stdout.write(`task ${task.title}, attempt ${attempt}\n`);
      return { output: { said: "hello" } };
    },
    signal: stop.signal,
  }),
  client.handleCommands({
    journal: "data/example-agent.journal",
    handlers: {
      "custom.say": {
        run: async ({ params }) => {
          process.stdout.write(`command ${JSON.stringify(params)}\n`);
          return { said: params };
        },
        // Saying it twice does no harm: so after a crash it is said again.
        recover: async ({ params }) => ({ said: params }),
      },
    },
    signal: stop.signal,
  }),
]);
