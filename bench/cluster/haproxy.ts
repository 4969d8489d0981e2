/** HAProxy before PostgreSQL: one port leads to whoever is the primary, another one to the replicas. */
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "../../e2e/fixtures/free-port.ts";
import { startProgram } from "./background-process.ts";
import type { Server } from "./patroni.ts";
import { waitUntil } from "./wait-until.ts";

const START_MS = 15_000;

export interface Proxy {
  readonly primaryPort: number;
  readonly replicasPort: number;
  stop(): Promise<void>;
}

export async function startProxy(folder: string, servers: readonly Server[]): Promise<Proxy> {
  const [primaryPort, replicasPort] = [await freePort(), await freePort()];
  const file = join(folder, "haproxy.cfg");
  await writeFile(file, proxySettings(servers, { primaryPort, replicasPort }));
  const command = ["haproxy", "-db", "-f", file];
  const proxy = startProgram({ name: "haproxy", command, logFile: join(folder, "haproxy.log"), onOrphaned: "KILL" });
  try {
    await waitUntil("HAProxy listens", () => canConnect(primaryPort), START_MS);
  } catch (error) {
    await proxy.stop();
    throw error;
  }
  return { primaryPort, replicasPort, stop: () => proxy.stop() };
}

/** A connection to a server that is no longer what it was is cut, so that nobody waits for its answer. */
function proxySettings(servers: readonly Server[], ports: Pick<Proxy, "primaryPort" | "replicasPort">): string {
  const section = (name: string, port: number, path: string) => `
listen ${name}
  bind 127.0.0.1:${port}
  option httpchk OPTIONS ${path}
  http-check expect status 200
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map((server) => `  server ${server.name} 127.0.0.1:${server.port} check port ${server.restPort}`).join("\n")}
`;
  return `global
  maxconn 2000
defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  timeout client 30m
  timeout server 30m
  option clitcpka
  option srvtcpka
${section("primary", ports.primaryPort, "/primary")}${section("replicas", ports.replicasPort, "/replica")}`;
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (isThere: boolean) => () => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", answer(true)).once("error", answer(false));
  });
}
