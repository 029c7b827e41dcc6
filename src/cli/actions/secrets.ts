import { rotateSecrets } from "../../auth/secrets/rotate-secrets.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import type { CommandContext } from "../run-command.ts";
import type { CommandAnswer } from "../terminal.ts";

/** Seals all secrets with the first key. */
export async function runSecretsRotate({ services }: CommandContext): Promise<CommandAnswer> {
  if (services.sealedBox === null)
    throw new DomainError("invalid_request", "There is no key: set SECRETS_KEY.");
  const { sealed, unreadable } = await rotateSecrets(services, services.sealedBox);
  return {
    json: { sealed, unreadable },
    lines: [
      `Sealed ${sealed} with the first key.`,
      ...(unreadable > 0
        ? [`${unreadable} can't be opened: add the key that sealed them, or set them again.`]
        : []),
    ],
    ...(unreadable > 0 && { exitCode: 1 }),
  };
}
