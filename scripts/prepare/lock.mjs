import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, readText } from "./files.mjs";

const LOCK = ".prepare-lock";
const OWNER = `${LOCK}/owner`;
const HEARTBEAT_MS = 1_000;
const STALE_MS = 30_000;
const POLL_MS = 100;
const POLLS_BEFORE_NOTICE = 10;

/**
 * Waits until this process is the only one that prepares the folder. The lock is released when the process
 * exits. It is a folder with a file named after its holder, who touches it every second.
 * @param {() => void} onWait called once, if it takes a while
 */
export async function takeLock(onWait) {
  const owner = `${randomUUID()} ${process.pid} ${os.hostname()}`;
  let seen = "";
  let seenAt = performance.now();
  for (let polls = 0; !makeLock(owner); polls += 1) {
    const state = lockState();
    if (state !== seen) [seen, seenAt] = [state, performance.now()];
    const isStale = isHolderGone() || performance.now() - seenAt > STALE_MS;
    if (isStale && takeOver(state, owner)) break;
    if (polls === POLLS_BEFORE_NOTICE) onWait();
    await sleep(POLL_MS);
  }
  holdLock(owner);
}

/** @param {string} owner @returns {boolean} false if another process holds the lock */
function makeLock(owner) {
  try {
    fs.mkdirSync(LOCK);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
  fs.writeFileSync(OWNER, owner);
  return true;
}

/** The holder and its last touch, as a text that changes while the holder is running. */
function lockState() {
  const touched = fs.statSync(OWNER, { throwIfNoEntry: false })?.mtimeMs;
  return `${readText(OWNER) ?? ""} ${touched ?? ""}`;
}

/** Only a process on this machine can be checked. Others are judged by their touches. */
function isHolderGone() {
  const [, pid, host] = (readText(OWNER) ?? "").split(" ");
  if (pid === undefined || host !== os.hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return hasCode(error, "ESRCH");
  }
}

/**
 * Takes over a stale lock in place. If several processes try, one wins: only one can create `takeover`, and
 * the state is read again inside it.
 * @param {string} judged the state that was judged stale
 * @param {string} owner
 */
function takeOver(judged, owner) {
  const takeover = `${LOCK}/takeover`;
  try {
    fs.mkdirSync(takeover);
  } catch (error) {
    if (hasCode(error, "EEXIST") || hasCode(error, "ENOENT")) return false;
    throw error;
  }
  const isSame = lockState() === judged;
  if (isSame) fs.writeFileSync(OWNER, owner);
  fs.rmSync(takeover, { recursive: true, force: true });
  return isSame;
}

/** @param {string} owner */
function holdLock(owner) {
  const heartbeat = setInterval(() => {
    const time = new Date();
    fs.utimes(OWNER, time, time, () => {});
  }, HEARTBEAT_MS);
  heartbeat.unref();
  process.once("exit", () => {
    if (readText(OWNER) === owner) fs.rmSync(LOCK, { recursive: true, force: true });
  });
}
