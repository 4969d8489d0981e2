/** The failures of the drill: each breaks one thing under load and waits until the cluster is whole again. */
import type { Cluster } from "./cluster.ts";
import { waitUntil } from "./wait-until.ts";

export interface Failure {
  readonly name: string;
  /** Resolves when the cluster is whole again. */
  run(cluster: Cluster): Promise<void>;
}

const WHOLE_MS = 90_000;
const whole = (cluster: Cluster) => waitUntil("the cluster is whole", cluster.isWhole, WHOLE_MS);

export const FAILURES: readonly Failure[] = [
  {
    name: "primary killed",
    async run({ postgres, ...cluster }) {
      const { name, restart } = await postgres.killPrimary();
      // As on a machine that comes back after another one took over.
      await waitUntil(`a server other than ${name} is the primary`, () => postgres.hasPrimaryBesides(name), WHOLE_MS);
      restart();
      await whole({ postgres, ...cluster });
    },
  },
  {
    name: "primary frozen",
    async run({ postgres, ...cluster }) {
      const { name, restart } = await postgres.freezePrimary();
      // Reset before it wakes up: only a watchdog keeps a primary that hung from believing that it still is one.
      await waitUntil(`a server other than ${name} is the primary`, () => postgres.hasPrimaryBesides(name), WHOLE_MS);
      await restart();
      await whole({ postgres, ...cluster });
    },
  },
  {
    name: "replica killed",
    async run(cluster) {
      const { restart } = await cluster.postgres.killReplica();
      restart();
      await whole(cluster);
    },
  },
  {
    name: "gateway killed",
    async run(cluster) {
      await cluster.installation.killProcess("gateway");
      await whole(cluster);
    },
  },
  {
    name: "jobs killed",
    async run(cluster) {
      await cluster.installation.killProcess("jobs");
      await whole(cluster);
    },
  },
  {
    name: "etcd leader killed",
    async run({ etcd, ...cluster }) {
      const { name, restart } = await etcd.killLeader();
      await waitUntil(`etcd has a leader other than ${name}`, () => etcd.hasLeaderBesides(name), WHOLE_MS);
      restart();
      await whole({ etcd, ...cluster });
    },
  },
];
