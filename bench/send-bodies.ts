import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

type Sending = {
  apiKey: string;
  type: string;
  connections: number;
  /** Requests per second. Default: as many as the server takes. */
  perSecond?: number;
};

/** Posts each body once. @throws {Error} if one is not answered with 200. */
export async function sendBodies(
  address: string,
  bodies: readonly Buffer[],
  { apiKey, type, connections, perSecond }: Sending,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": type };
  const waiting = bodies.entries();
  const startedMs = performance.now();
  async function send(): Promise<void> {
    for (const [at, body] of waiting) {
      const dueMs = perSecond === undefined ? 0 : (at / perSecond) * 1000;
      const leftMs = startedMs + dueMs - performance.now();
      if (leftMs > 0) await sleep(leftMs);
      await post(body);
    }
  }
  async function post(body: Buffer): Promise<void> {
    const options = { agent, method: "POST", headers: { ...headers, "content-length": body.length } };
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request(address, options, (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode));
      })
        .once("error", reject)
        .end(body);
    });
    if (status !== 200) throw new Error(`${address} answered ${status ?? ""}`);
  }
  await Promise.all(Array.from({ length: connections }, send));
  agent.destroy();
}
