/** The GraphQL id of a row. Dashboard paths and events contain its UUID. */
export function toGlobalId(typename: string, uuid: string): string {
  return window.btoa(`${typename}:${uuid}`);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
