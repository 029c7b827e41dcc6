/** The GraphQL id of a row. Dashboard paths and events contain its UUID. */
export function toGlobalId(typename: string, uuid: string): string {
  return window.btoa(`${typename}:${uuid}`);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The UUID that a text is, with or without hyphens, as traces have it. Null if it is none. */
export function findUuid(text: string): string | null {
  const uuid = text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5").toLowerCase();
  return isUuid(uuid) ? uuid : null;
}
