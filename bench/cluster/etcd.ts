/** Three etcd: where Patroni keeps who is the primary. */
import { join } from "node:path";
import { freePort } from "../../e2e/fixtures/free-port.ts";
import { type BackgroundProcess, startProgram } from "./background-process.ts";
import { waitUntil } from "./wait-until.ts";

const MEMBERS = 3;
const START_MS = 30_000;

export interface Etcd {
  /** `host:port` of every member, for Patroni. */
  readonly hosts: readonly string[];
  /** Kills the member that leads. Answers its name, and what starts it again. */
  killLeader(): Promise<{ readonly name: string; restart(): void }>;
  /** True if another member than that one leads. */
  hasLeaderBesides(name: string): Promise<boolean>;
  /** True if every member answers and names the same leader. */
  isWhole(): Promise<boolean>;
  stop(): Promise<void>;
}

interface Member {
  readonly name: string;
  readonly host: string;
  readonly command: readonly string[];
  process: BackgroundProcess | null;
}

export async function startEtcd(folder: string): Promise<Etcd> {
  const names = Array.from({ length: MEMBERS }, (_, index) => `etcd-${index + 1}`);
  const ports = await Promise.all(names.map(async () => [await freePort(), await freePort()] as const));
  const peers = ports.map(([, peer], index) => `${names[index]}=http://127.0.0.1:${peer}`).join(",");
  const members = names.map((name, index): Member => {
    const [port, peer] = ports[index] ?? [0, 0];
    const [client, other] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer}`];
    const addresses = ["--listen-client-urls", client, "--advertise-client-urls", client];
    const among = ["--listen-peer-urls", other, "--initial-advertise-peer-urls", other, "--initial-cluster", peers];
    const data = ["--name", name, "--data-dir", join(folder, name), "--initial-cluster-state", "new"];
    return { name, host: `127.0.0.1:${port}`, command: ["etcd", ...data, ...addresses, ...among], process: null };
  });
  const start = (member: Member) => {
    const { name, command } = member;
    member.process = startProgram({ name, command, logFile: join(folder, `${name}.log`), onOrphaned: "KILL" });
  };
  const stop = async () => {
    await Promise.all(members.map((member) => member.process?.stop()));
  };

  async function isWhole(): Promise<boolean> {
    const seen = await Promise.all(members.map(statusOf));
    return new Set(seen.map(({ leader }) => leader)).size === 1 && seen.some(({ isLeader }) => isLeader);
  }

  for (const member of members) start(member);
  try {
    await waitUntil("etcd has a leader", isWhole, START_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    hosts: members.map(({ host }) => host),
    isWhole,
    stop,
    async hasLeaderBesides(name) {
      const seen = await Promise.all(members.filter((member) => member.name !== name).map(statusOf));
      return seen.some(({ isLeader }) => isLeader);
    },
    async killLeader() {
      const seen = await Promise.all(members.map(async (member) => ({ member, ...(await statusOf(member)) })));
      const leader = seen.find(({ isLeader }) => isLeader)?.member;
      if (leader === undefined) throw new Error("no member of etcd leads");
      await leader.process?.kill();
      return { name: leader.name, restart: () => start(leader) };
    },
  };
}

async function statusOf({ host }: Member): Promise<{ readonly leader: string; readonly isLeader: boolean }> {
  const response = await fetch(`http://${host}/v3/maintenance/status`, {
    method: "POST",
    body: "{}",
    signal: AbortSignal.timeout(2_000),
  });
  const status = (await response.json()) as { header: { member_id: string }; leader?: string }; // etcd's own shape
  const leader = status.leader ?? "0";
  return { leader, isLeader: leader === status.header.member_id };
}
