import { execFile } from "node:child_process";

/** The account that runs a program; undefined for the current one. */
export type SystemUser = { uid: number; gid: number } | undefined;

/** Runs a program to its end. `output` is what it wrote to both streams, `ok` whether it succeeded. */
export function run(
  file: string,
  args: string[],
  options: { user?: SystemUser; cwd?: string } = {},
): Promise<{ ok: boolean; output: string }> {
  // A fixed environment: the operator's PGDATA, PGOPTIONS and so on must not affect this cluster.
  const env = {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    LC_ALL: "C",
    TZ: "UTC",
  };
  return new Promise((resolve) => {
    execFile(file, args, { ...options.user, cwd: options.cwd, env }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      resolve({ ok: error === null, output: output === "" && error ? error.message : output });
    });
  });
}

/** Whether an error has one of these codes, of the operating system (`EEXIST`) or of PostgreSQL (`3D000`). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.some((code) => code === error.code);
}

/** Whether a process with this id exists, whoever owns it. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
