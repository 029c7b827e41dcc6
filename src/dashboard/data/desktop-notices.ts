import { createStore } from "./store.ts";

const KEY = "desktop-notices";

/** Whether the user wants notifications by the desktop, and the browser lets the page show them. */
export const desktopNotices = createStore(window.localStorage.getItem(KEY) === "on" && mayNotify());

/** Turns them on or off. Asks the browser's user for permission if need be. @returns whether they are as wanted. */
export async function chooseDesktopNotices(isOn: boolean): Promise<boolean> {
  const isGranted =
    isOn && "Notification" in window && (await Notification.requestPermission()) === "granted";
  if (isGranted) window.localStorage.setItem(KEY, "on");
  else window.localStorage.removeItem(KEY);
  desktopNotices.set(isGranted);
  return isGranted === isOn;
}

function mayNotify(): boolean {
  return "Notification" in window && Notification.permission === "granted";
}
