import { DomainError } from "../../domain/kernel/errors.ts";

/**
 * Waits for the last step of a log-in.
 *
 * @param otherwise what is returned if the person was suspended or deleted or changed the password meanwhile, or may log
 *   in by the workspace's provider only.
 */
export async function catchChange<Outcome>(step: Promise<Outcome>, otherwise: Outcome): Promise<Outcome> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof DomainError && ["unauthenticated", "not_found"].includes(error.code))
      return otherwise;
    throw error;
  }
}
