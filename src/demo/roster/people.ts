import type { Role } from "../../domain/kernel/scopes.ts";

export type DemoPerson = { email: string; name: string; role: Role };

/** The person to log in as. */
export const OPERATOR: DemoPerson = { email: "demo@example.com", name: "Dana Moreau", role: "owner" };

/** The people who create tasks for agents. */
export const PEOPLE: readonly DemoPerson[] = [
  OPERATOR,
  { email: "maya.lindqvist@example.com", name: "Maya Lindqvist", role: "admin" },
  { email: "tomas.ferreira@example.com", name: "Tomás Ferreira", role: "operator" },
  { email: "priya.raman@example.com", name: "Priya Raman", role: "operator" },
  { email: "jonas.weber@example.com", name: "Jonas Weber", role: "operator" },
  { email: "aisha.bello@example.com", name: "Aisha Bello", role: "viewer" },
];
