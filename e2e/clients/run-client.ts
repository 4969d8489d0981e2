/** One run of a genuine client, from its start to its end. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { ClientSetup, GenuineClient } from "./clients.ts";

/** After which it is killed and has failed. The relay of a gate waits 110 seconds for a person's answer. */
export const RUN_MS_MAX = 180_000;

/** The programs that a client finds: another Node first, where one is installed for clients. */
export function searchPath(clients: string): string {
  const ownNode = join(clients, "node", "node_modules", ".bin");
  const node = existsSync(join(ownNode, "node")) ? ownNode : dirname(process.execPath);
  return [node, process.env.PATH ?? ""].join(delimiter);
}

/** Everything that it printed. It sees nothing of ours but PATH, and can reach nothing but this machine. */
export function runClient(client: GenuineClient, program: string, prompt: string, place: ClientSetup, clients: string) {
  const nowhere = "http://127.0.0.1:9";
  return new Promise<string>((resolve) => {
    const child = spawn(program, [...client.args(prompt, place)], {
      cwd: place.project,
      env: {
        NODE_ENV: "production",
        PATH: searchPath(clients),
        HOME: place.home,
        TMPDIR: place.home,
        HTTPS_PROXY: nowhere,
        NO_PROXY: "127.0.0.1,localhost",
        ...client.env(place),
      },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let said = "";
    const hear = (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-20_000);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    // Its whole group: clients start shells and servers of their own.
    const end = () => child.pid !== undefined && killGroup(child.pid);
    const timer = setTimeout(end, RUN_MS_MAX);
    const finish = () => {
      clearTimeout(timer);
      end();
      resolve(said);
    };
    child.once("error", (error) => {
      said += String(error);
      finish();
    });
    child.once("exit", finish);
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}
