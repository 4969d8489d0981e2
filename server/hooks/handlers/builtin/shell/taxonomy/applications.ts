/** Commands that wipe what an application keeps, and signals to processes (taxonomy 0.4). */
import { rows } from "./row.ts";

const SQL_CLIENTS = ["mysql", "mariadb", "psql", "sqlite3"];

export const APPLICATIONS = [
  ...rows("app-reset", "high", "n8n db:reset", "bench new-site ...--force", "bench drop-site", "rails db:drop"),
  ...rows("app-reset", "medium", "n8n user-management:reset"),
  ...rows("app-reset", "high", "rails db:reset", "rails db:schema:load", "manage.py flush"),
  ...rows("app-reset", "high", "prisma migrate reset", "sequelize db:drop"),
  ...rows("kv-flush", "high", "redis-cli ...flushall", "redis-cli ...flushdb"),
  ...rows("proc-signal", "medium", "pkill <pattern>", "killall <name>"),
  ...SQL_CLIENTS.flatMap((client) => [
    ...rows("sql-drop", "high", `${client} ...drop database`, `${client} ...drop schema`, `${client} ...drop table`),
    ...rows("sql-truncate", "high", `${client} ...truncate table`),
    ...rows("sql-delete", "medium", `${client} ...delete from`),
  ]),
];
