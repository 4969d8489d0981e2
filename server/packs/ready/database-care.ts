import type { Pack } from "../pack.ts";

export const databaseCare: Pack = {
  id: "database-care",
  version: 5,
  title: "Database care",
  promise: "Blocks statements that drop, empty or change whole tables.",
  denies: "DROP of tables, schemas, columns and databases, TRUNCATE, FLUSHALL, and DELETE or UPDATE without WHERE.",
  asks: "ALTER TABLE, GRANT and REVOKE.",
  changes: "",
  passes: "everything else, in the shell and in tools that query databases.",
  limits:
    "It does not see statements in files or built at run time, or a `WHERE` that is true for every row. Limit the rights of the database account as well.",
  source: `# Statements that cannot be taken back, in a shell or in a database tool.
profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      preempt_yolo: true # also where the agent may skip questions
      hooks:
        - name: database care
          type: rules
          rules:
            - deny: Tables and databases are dropped by a migration that a person reviewed.
              sql: { statement: ["drop table", "drop database", "drop schema", "drop column", "drop owned", "drop collection"] }
            - deny: Tables are emptied by people.
              sql: { statement: [truncate, empty] }
            - deny: This changes every row. Say which rows with WHERE.
              sql: { statement: [delete, update], without_where: true }
            - ask: "This changes a schema or rights: a person decides."
              sql: { statement: ["alter table", grant, revoke] }
`,
};
