import { createStore } from "./store.ts";

/** Answers a request for the password: whether the user confirmed it. Null if nothing asks. */
export const passwordRequest = createStore<((isConfirmed: boolean) => void) | null>(null);

/** Asks the user for the password, in a dialog. Resolves to false if they close it. */
export async function askForPassword(): Promise<boolean> {
  const isConfirmed = await new Promise<boolean>((resolve) => passwordRequest.set(resolve));
  passwordRequest.set(null);
  return isConfirmed;
}
