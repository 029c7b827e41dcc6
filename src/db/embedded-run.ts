import { execFile } from "node:child_process";

/** The account that runs a program; `undefined` stands for the one that runs this process. */
export type SystemUser = { uid: number; gid: number } | undefined;

/** Runs a program to its end. `output` is what it said on both streams, `ok` whether it succeeded. */
export function run(
  file: string,
  args: string[],
  options: { user?: SystemUser; cwd?: string } = {},
): Promise<{ ok: boolean; output: string }> {
  // A fixed environment: PGDATA, PGOPTIONS and their like in the operator's shell are not meant for this cluster.
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

/** Whether an error carries one of these codes, of the operating system (`EEXIST`) or of PostgreSQL (`3D000`). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.some((code) => code === error.code);
}

/** Whether a process of this id is alive, whoever owns it. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
