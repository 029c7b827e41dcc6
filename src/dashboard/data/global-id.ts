/** What GraphQL calls a row by: addresses of the dashboard and events have its uuid. */
export function toGlobalId(typename: string, uuid: string): string {
  return window.btoa(`${typename}:${uuid}`);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is an id. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
