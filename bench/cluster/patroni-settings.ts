/** The settings of one PostgreSQL server under Patroni; docs/cluster.md explains them. JSON is YAML. */
import { join } from "node:path";

/** In seconds. A primary that vanished is replaced when its key in etcd ends: `ttl` after it was last renewed. */
const TIMES = { ttl: 20, loop_wait: 5, retry_timeout: 5 };

export interface ServerSettings {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly restPort: number;
  readonly etcdHosts: readonly string[];
  readonly password: string;
}

export const dataDirectoryOf = (folder: string, name: string): string => join(folder, `${name}-data`);

export function patroniSettings({ name, folder, port, restPort, etcdHosts, password }: ServerSettings): string {
  return JSON.stringify({
    scope: "quarterdeck",
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts: etcdHosts },
    bootstrap: {
      dcs: {
        ...TIMES,
        maximum_lag_on_failover: 1_048_576,
        // A commit is answered when a second server has it; without one, nothing is committed.
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { max_connections: 200, password_encryption: "scram-sha-256", wal_keep_size: "256MB" },
        },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
      pg_hba: ["host replication replicator 127.0.0.1/32 scram-sha-256", "host all all 127.0.0.1/32 scram-sha-256"],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: dataDirectoryOf(folder, name),
      bin_dir: "/usr/lib/postgresql/15/bin",
      pgpass: join(folder, `${name}.pgpass`),
      authentication: {
        superuser: { username: "postgres", password },
        replication: { username: "replicator", password },
        rewind: { username: "rewinder", password },
      },
      parameters: { unix_socket_directories: folder, shared_buffers: "64MB", jit: "off", timezone: "UTC" },
    },
    watchdog: { mode: "off" },
  });
}
