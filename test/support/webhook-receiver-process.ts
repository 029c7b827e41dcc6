import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** An event as a receiver in another process has seen it. */
export type SeenWebhook = { id: string; subject: string; sequence: string };

/** A receiver in a process of its own, on one port also after it was killed. */
export type ReceiverProcess = {
  url: string;
  seen: SeenWebhook[];
  kill: () => Promise<void>;
  restart: () => Promise<void>;
};

const PROGRAM = fileURLToPath(new URL("webhook-receiver-program.mjs", import.meta.url));

export async function startReceiverProcess(): Promise<ReceiverProcess> {
  const seen: SeenWebhook[] = [];
  let { child, port } = await start(0, seen);
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    kill: async () => {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
    restart: async () => {
      ({ child, port } = await start(port, seen));
    },
  };
}

async function start(wanted: number, seen: SeenWebhook[]): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [PROGRAM, String(wanted)], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise<number>((resolve) => {
    lines.on("line", (line) => {
      const told = JSON.parse(line);
      if (typeof told.port === "number") resolve(told.port);
      else seen.push(told);
    });
  });
  return { child, port };
}
