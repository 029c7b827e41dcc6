import { LATEST_BASELINE } from "../../domain/eval-runs/create-eval-run.ts";
import { fromOptionalGlobalId } from "../global-id.ts";

/**
 * The baseline that an argument names: a run's uuid, `latest_baseline`, or null.
 *
 * @throws {DomainError} validation_failed for the id of anything else.
 */
export function parseBaseline(field: string, id: string | null | undefined): string | null {
  return id === LATEST_BASELINE ? id : fromOptionalGlobalId(field, "EvalRun", id);
}
