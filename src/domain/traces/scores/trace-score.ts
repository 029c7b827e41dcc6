import type { AnnotatorKind } from "../../../db/generated/enums.ts";
import type { ActorRecord } from "../../kernel/actor.ts";

/** What a person, code or a model thinks of a trace. */
export type GivenScore = {
  /** The trace's UUID. */
  traceId: string;
  /** Null for the whole trace. */
  spanId: string | null;
  name: string;
  value: number | null;
  label: string | null;
  comment: string | null;
  annotatorKind: AnnotatorKind;
};

/** A score that telemetry has, and the item of an evaluation run that it is for. */
export type SentScore = GivenScore & { item: { runId: string; itemKey: string } | null };

/** A score as it is stored. */
export type TraceScore = GivenScore & {
  id: string;
  givenBy: ActorRecord;
  generation: number;
  createdAt: Date;
  updatedAt: Date;
};

/** The columns of scores `s`. */
export const SCORE_COLUMNS = `s.id, s.trace_id AS "traceId", NULLIF(encode(s.span_id, 'hex'), '') AS "spanId", s.name,
  s.value, s.label, s.comment, s.annotator_kind AS "annotatorKind", s.given_by AS "givenBy", s.generation,
  s.created_at AS "createdAt", s.updated_at AS "updatedAt"`;
