import autocannon from "autocannon";
import { type MeasuredProcess, cpuMs, postgresCpuMs } from "./processes.ts";

export type Request = {
  path: string;
  headers: Record<string, string>;
  /** Sent as JSON with POST. */
  body?: object;
};

/** The result of one run. CPU milliseconds are per request. */
export type LoadResult = {
  perSecond: number;
  nodeMs: number;
  postgresMs: number;
  p50Ms: number;
  p99Ms: number;
};

const CONNECTIONS = 8;

type MeasureOptions = {
  seconds: number;
  postmaster: number;
  /** The status of all answers. */
  status?: number;
  connections?: number;
};

/** Loads a server for some seconds over a few connections. */
export async function measure(
  subject: MeasuredProcess,
  request: Request,
  { seconds, postmaster, status = 200, connections = CONNECTIONS }: MeasureOptions,
): Promise<LoadResult> {
  const before = { node: cpuMs(subject.pid), postgres: postgresCpuMs(postmaster) };
  const result = await autocannon({
    url: subject.url + request.path,
    headers: { ...request.headers, ...(request.body && { "content-type": "application/json" }) },
    ...(request.body && { method: "POST" as const, body: JSON.stringify(request.body) }),
    connections,
    duration: seconds,
  });
  const answered = result.requests.total;
  const statuses = Object.keys(result.statusCodeStats ?? {});
  if (answered === 0 || statuses.some((code) => code !== String(status))) {
    throw new Error(`${subject.name} answered ${statuses.join(", ")} to ${request.path}`);
  }
  return {
    perSecond: answered / result.duration,
    nodeMs: (cpuMs(subject.pid) - before.node) / answered,
    postgresMs: (postgresCpuMs(postmaster) - before.postgres) / answered,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}

/** Runs the cases in turn for several rounds. @returns the median run of each. */
export async function measureInTurn<Key extends string, Result extends Pick<LoadResult, "perSecond">>(
  rounds: number,
  cases: Record<Key, () => Promise<Result>>,
): Promise<Record<Key, Result>> {
  // The keys of a record are its own.
  const keys = Object.keys(cases) as Key[];
  const runs = new Map<Key, Result[]>(keys.map((key) => [key, []]));
  for (let round = 0; round < rounds; round++) {
    for (const key of keys) runs.get(key)?.push(await cases[key]());
  }
  return Object.fromEntries(keys.map((key) => [key, getMedian(runs.get(key) ?? [])])) as Record<Key, Result>;
}

function getMedian<Result extends Pick<LoadResult, "perSecond">>(runs: Result[]): Result {
  const sorted = runs.toSorted((a, b) => a.perSecond - b.perSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("nothing was measured");
  return middle;
}
