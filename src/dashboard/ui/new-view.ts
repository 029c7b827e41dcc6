let isNew = false;

/** Notes that another view was gone to: its heading is to be read. */
export function noteNewView(): void {
  isNew = true;
}

/** Whether a view was gone to whose heading nobody has read yet. */
export function takeNewView(): boolean {
  const was = isNew;
  isNew = false;
  return was;
}
