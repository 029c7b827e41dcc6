import type { Role } from "../../../domain/scopes.ts";

/** A person of the demo. */
export type Person = { email: string; name: string; role: Role };

/** Who one logs in as to look at the demo. */
export const OPERATOR: Person = { email: "demo@example.com", name: "Dana Moreau", role: "owner" };

/** Everybody who gives the agents work. */
export const PEOPLE: readonly Person[] = [
  OPERATOR,
  { email: "maya.lindqvist@example.com", name: "Maya Lindqvist", role: "admin" },
  { email: "tomas.ferreira@example.com", name: "Tomás Ferreira", role: "operator" },
  { email: "priya.raman@example.com", name: "Priya Raman", role: "operator" },
  { email: "jonas.weber@example.com", name: "Jonas Weber", role: "operator" },
  { email: "aisha.bello@example.com", name: "Aisha Bello", role: "viewer" },
];
