/** Commands that wipe an application's data, and signals to processes (taxonomy 0.4). */
import { createTaxonomyRows } from "./row.ts";

const SQL_CLIENTS = ["mysql", "mariadb", "psql", "sqlite3"];

export const APPLICATIONS = [
  ...createTaxonomyRows(
    "app-reset",
    "high",
    "n8n db:reset",
    "bench new-site ...--force",
    "bench drop-site",
    "rails db:drop",
  ),
  ...createTaxonomyRows("app-reset", "medium", "n8n user-management:reset"),
  ...createTaxonomyRows("app-reset", "high", "rails db:reset", "rails db:schema:load", "manage.py flush"),
  ...createTaxonomyRows("app-reset", "high", "prisma migrate reset", "sequelize db:drop"),
  ...createTaxonomyRows("kv-flush", "high", "redis-cli ...flushall", "redis-cli ...flushdb"),
  ...createTaxonomyRows("proc-signal", "medium", "pkill <pattern>", "killall <name>"),
  ...SQL_CLIENTS.flatMap((client) => [
    ...createTaxonomyRows(
      "sql-drop",
      "high",
      `${client} ...drop database`,
      `${client} ...drop schema`,
      `${client} ...drop table`,
    ),
    ...createTaxonomyRows("sql-truncate", "high", `${client} ...truncate table`),
    ...createTaxonomyRows("sql-delete", "medium", `${client} ...delete from`),
  ]),
];
