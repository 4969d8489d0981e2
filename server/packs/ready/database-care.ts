import { gateScript, SHELL_TOOLS } from "@quarterdeck/hooks/contract/gate-scripts";
import { indentBlock, type Pack } from "../pack.ts";

const RULES = String.raw`
text=$(printf '%s\n' "$text" | LC_ALL=C tr '[:lower:]\t' '[:upper:] ') || say deny "The call could not be judged, so it is refused."
when deny '(^|[^A-Z_])DROP +(DATABASE|SCHEMA|TABLE|COLUMN|OWNED)([^A-Z_]|$)' "Tables and databases are dropped by a migration that a person reviewed."
when deny '(^|[^A-Z_])TRUNCATE +(TABLE +)?[A-Z_]' "Tables are emptied by people."
when deny '(^|[^A-Z_])(FLUSHALL|FLUSHDB|DROPDB |DROPDATABASE)' "Databases are emptied by people."
where=$(printf '%s\n' "$text" | LC_ALL=C grep -Ec 'WHERE|JOIN')
case $where in
  0) when deny '(^|[^A-Z_])(DELETE +FROM +[A-Z_."]+|UPDATE +[A-Z_."]+ +SET )' "This changes every row. Say which rows with WHERE." ;;
  [1-9]*) ;;
  *) say deny "The call could not be judged, so it is refused." ;;
esac
when ask '(^|[^A-Z_])(ALTER +TABLE|GRANT|REVOKE) +[A-Z_]' "This changes a schema or rights: a person decides."
`;

export const databaseCare: Pack = {
  id: "database-care",
  title: "Database care",
  version: 3,
  promise: "No table is dropped, emptied or changed as a whole by a statement that slipped through.",
  denies: "DROP of tables, schemas, columns and databases, TRUNCATE, FLUSHALL, and DELETE or UPDATE without WHERE.",
  asks: "ALTER TABLE, GRANT and REVOKE.",
  changes: "",
  passes: "everything else, in the shell and in tools that query databases.",
  limits:
    "It reads words, not SQL: `WHERE true` and a statement in a file get by, several statements in one call share a WHERE, and `git grep 'drop table'` is refused too. The account's rights are the wall.",
  source: `# Statements that cannot be taken back, in a shell or in a database tool.
profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: "${SHELL_TOOLS}|(?i:.*(sql|query|database|postgres|mysql|mongo|redis).*)"
      preempt_yolo: true
      hooks:
        - name: database care
          type: command
          timeout: 10
          command: |
            ${indentBlock(12, gateScript(RULES))}
`,
};
