import { DomainError } from "../../domain/kernel/errors.ts";
import { UpstreamError } from "./upstream-error.ts";

/** What this node has under way to MCP servers. */
export type UpstreamTraffic = {
  /** Throws if a server can get no other request at the moment. */
  requireRoom: (serverId: string) => void;
  /**
   * Counts work with a server while it is under way.
   *
   * @throws {UpstreamError} while the server is taken for down.
   */
  run: <Result>(serverId: string, work: () => Promise<Result>) => Promise<Result>;
};

type Line = { underWay: number; failures: number; downUntilMs: number };

const MOST_UNDER_WAY = 64;
/** After so many requests in a row for which there was no connection, a server is left alone for a while. */
const MOST_FAILURES = 5;
const DOWN_MS = 10_000;

export function createUpstreamTraffic(): UpstreamTraffic {
  const lines = new Map<string, Line>();

  function enter(serverId: string): Line {
    const line = lines.get(serverId) ?? { underWay: 0, failures: 0, downUntilMs: 0 };
    lines.set(serverId, line);
    line.underWay++;
    return line;
  }

  function leave(serverId: string, line: Line): void {
    line.underWay--;
    if (line.underWay === 0 && line.failures === 0) lines.delete(serverId);
  }

  return {
    requireRoom: (serverId) => {
      if ((lines.get(serverId)?.underWay ?? 0) < MOST_UNDER_WAY) return;
      const message = `At most ${MOST_UNDER_WAY} requests to an MCP server can be under way at once. Try again later.`;
      throw new DomainError("rate_limited", message);
    },
    run: async (serverId, work) => {
      const line = enter(serverId);
      try {
        if (line.downUntilMs > performance.now()) {
          throw new UpstreamError("down", "No connection could be made of late.", false);
        }
        const result = await work();
        line.failures = 0;
        return result;
      } catch (error) {
        noteFailure(line, error);
        throw error;
      } finally {
        leave(serverId, line);
      }
    },
  };
}

function noteFailure(line: Line, error: unknown): void {
  const isUnconnected = error instanceof UpstreamError && error.health === "down" && !error.isSent;
  if (!isUnconnected) {
    line.failures = 0;
    return;
  }
  line.failures++;
  const isDown = line.failures >= MOST_FAILURES && line.downUntilMs <= performance.now();
  if (isDown) line.downUntilMs = performance.now() + DOWN_MS;
}
