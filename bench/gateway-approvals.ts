import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { call } from "./call.ts";
import { type Approver, createLargeRefund } from "./gateway-seed.ts";
import type { MeasuredProcess } from "./processes.ts";

const APPROVALS = Number(process.env["BENCH_APPROVALS"] ?? 300);
/** Approvals before the first that is measured, as in every other measurement. */
const WARM_UP = 20;

type Asked = { apiKey: string; approver: Approver };

/** The time from an approval on one node to the answer that an agent waits for on another. */
export async function measureApprovals(
  [first, second]: readonly [MeasuredProcess, MeasuredProcess],
  { apiKey, approver }: Asked,
): Promise<void> {
  const cookie = await logIn(second, approver);
  const times: number[] = [];
  for (let order = 0; order < WARM_UP + APPROVALS; order++) {
    const body = { request: createLargeRefund(order), options: { wait: 25 } };
    const { token } = (await call(`${first.url}/api/v1/agent_tokens`, {
      bearer: apiKey,
      body: { agent: { handle: `billing-${order}` } },
    })) as { token: string };
    const checked = call(`${first.url}/api/v1/gateway/check`, { bearer: token, body });
    const id = await findPending(second, cookie);
    const startedMs = performance.now();
    await post(second, `/api/v1/operator/approvals/${id}/approve`, cookie);
    const { check } = (await checked) as { check: { status: string } };
    if (check.status !== "allowed") throw new Error(`the check is ${check.status}`);
    if (order >= WARM_UP) times.push(performance.now() - startedMs);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((share) => sorted[Math.floor(sorted.length * share)] ?? 0);
  process.stdout.write(
    `from an approval to the held check on another node | p50 ${p50?.toFixed(1)} ms | p99 ${p99?.toFixed(1)} ms, target <= 100 ms\n`,
  );
}

export async function logIn({ url }: MeasuredProcess, { email, password }: Approver): Promise<string> {
  const form = new URLSearchParams({ "user[email]": email, "user[password]": password });
  const answer = await fetch(`${url}/users/log-in`, {
    method: "POST",
    body: form,
    redirect: "manual",
    headers: { origin: url },
  });
  const cookie = answer.headers.getSetCookie().map((set) => set.split(";")[0]);
  if (cookie.length === 0) throw new Error(`the log-in answered ${answer.status}`);
  return cookie.join("; ");
}

/** Waits until the agent's question is there. */
async function findPending({ url }: MeasuredProcess, cookie: string): Promise<string> {
  for (;;) {
    const answer = await fetch(`${url}/api/v1/operator/approvals?status=pending&limit=1`, {
      headers: { cookie },
    });
    const { approvals } = (await answer.json()) as { approvals: { id: string }[] };
    const [approval] = approvals;
    if (approval !== undefined) return approval.id;
  }
}

export async function post({ url }: MeasuredProcess, address: string, cookie: string): Promise<void> {
  const headers = { cookie, origin: url, "content-type": "application/json" };
  const sent = request(url + address, { method: "POST", headers }).end("{}");
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  if (answer.statusCode !== 200) throw new Error(`${address} answered ${answer.statusCode ?? ""}`);
}
