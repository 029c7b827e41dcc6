import type { CaptureContent } from "../../db/generated/enums.ts";

/** What is stored of the content of a request's spans. */
export type Capture = {
  /** Of the sender's. */
  own: CaptureContent;
  /** Of those of agents that the sender may name and of which less is stored, by their ids and handles. */
  ofAgents: ReadonlyMap<string, CaptureContent>;
};

const FROM_MOST: readonly CaptureContent[] = ["full", "redacted", "off"];

/** The one by which less is stored. */
export function getStricter(one: CaptureContent, other: CaptureContent | null | undefined): CaptureContent {
  return FROM_MOST.indexOf(one) >= FROM_MOST.indexOf(other ?? "full") ? one : (other ?? one);
}

/** What is stored of a span that names an agent, or none. */
export function findCapture({ own, ofAgents }: Capture, agent: string | null): CaptureContent {
  return ofAgents.size === 0 || agent === null ? own : getStricter(own, ofAgents.get(agent));
}

/** What is stored of what may be about any of the agents. */
export function findStrictest({ own, ofAgents }: Capture): CaptureContent {
  return [...ofAgents.values()].reduce(getStricter, own);
}
