/**
 * Shifts the clock of a process that preloads this by CLOCK_SHIFT_MS. With CLOCK_STEPS, it jumps back and
 * forth every second.
 */
const realNow = Date.now;
const shiftMs = Number(process.env["CLOCK_SHIFT_MS"]);
const steps = process.env["CLOCK_STEPS"] === "1";

function getShiftedNow(): number {
  const isBack = steps && Math.floor(performance.now() / 1000) % 2 === 1;
  return realNow() + (isBack ? -shiftMs : shiftMs);
}

Date.now = getShiftedNow;
globalThis.Date = new Proxy(Date, {
  construct: (real, given) =>
    given.length === 0 ? new real(getShiftedNow()) : Reflect.construct(real, given),
});
