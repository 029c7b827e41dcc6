import { DomainError } from "../domain/kernel/errors.ts";

/** Awaits a creation, unless another process has filled in the same at the same time. @returns whether it was created. */
export async function ignoreExisting(creation: Promise<unknown>): Promise<boolean> {
  try {
    await creation;
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === "already_exists") return false;
    throw error;
  }
}
