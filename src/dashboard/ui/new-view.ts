let isNew = false;

/** Records a navigation to another view, whose heading should be focused. */
export function noteNewView(): void {
  isNew = true;
}

/** Whether there was a navigation since the last call. */
export function takeNewView(): boolean {
  const was = isNew;
  isNew = false;
  return was;
}
