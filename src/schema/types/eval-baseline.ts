import { LATEST_BASELINE } from "../../domain/eval-runs/create-eval-run.ts";
import { fromOptionalGlobalId } from "../global-id.ts";

/**
 * Returns a run's uuid, `latest_baseline` or null.
 *
 * @throws {DomainError} validation_failed if the id is not an eval run's.
 */
export function parseBaseline(field: string, id: string | null | undefined): string | null {
  return id === LATEST_BASELINE ? id : fromOptionalGlobalId(field, "EvalRun", id);
}
