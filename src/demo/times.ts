export function addSeconds(at: Date, seconds: number): Date {
  return new Date(at.getTime() + Math.round(seconds * 1000));
}

export function minDate(at: Date, other: Date): Date {
  return at < other ? at : other;
}

/** Returns the moment at a share, 0 to 1, of the time between two. */
export function pickMomentBetween(from: Date, to: Date, share: number): Date {
  return new Date(Math.round(from.getTime() + (to.getTime() - from.getTime()) * share));
}
