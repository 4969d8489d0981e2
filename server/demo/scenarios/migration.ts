import { INCLUDED, LARGE } from "../models.ts";
import { type Scenario, tool } from "../scenario.ts";

/** Moves a table to a new shape, carefully. */
export const migration: Scenario = {
  agent: "demo-migrations",
  cwd: "/workspace/ledger",
  model: INCLUDED,
  historyEveryMinutes: 120,
  runs: [
    {
      prompt: "Split `address` out of the `customer` table without downtime. Plan it first.",
      contextTokens: 125_400,
      steps: [
        tool(
          "list_directory",
          { path: "migrations" },
          "I'll see how earlier migrations were written.",
          "0001_init.sql\n0002_customer.sql\n1003_index.sql",
          { approval: "readonly_hint", tokens: 350 },
        ),
        tool(
          "edit_file",
          { path: "migrations/0002_customer.sql", edits: [{ oldText: "address text", newText: "" }] },
          "The column is declared in 0002. I'd take it out there.",
          "",
          { gate: "deny" },
        ),
        tool(
          "write_file",
          {
            path: "migrations/1004_address_expand.sql",
            content: "create table address (customer_id bigint primary key references customer, line text not null);\n",
          },
          "Applied migrations stay as they are. Expand first: a new table beside the column.",
          "Wrote migrations/1004_address_expand.sql",
          { approval: "user_approved", tokens: 260 },
        ),
        {
          does: "delegate",
          agent: "demo-reviewer",
          model: LARGE,
          task: "Review 1004 for locks on a table of 20 million rows.",
          steps: [
            tool(
              "read_file",
              { path: "migrations/1004_address_expand.sql" },
              "Reading the migration.",
              "create table address (customer_id bigint primary key references customer, line text not null);",
              { approval: "readonly_hint", tokens: 200 },
            ),
          ],
          answer:
            "The foreign key takes a SHARE ROW EXCLUSIVE lock on customer for an instant only. Backfill in batches of 5,000.",
        },
        tool(
          "shell",
          { cmd: "./scripts/backfill.sh --table address --batch 5000 --dry-run" },
          "The reviewer agrees. A dry run of the backfill.",
          "would copy 20,114,902 rows in 4,023 batches",
          { approval: "user_approved", tokens: 320 },
        ),
        {
          does: "compact",
          reason: "overflow",
          summary:
            "address moves out of customer by expand, backfill (batches of 5,000), switch, contract. 1004 is written and reviewed; the backfill's dry run is fine. Snapshots are taken with AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE.",
        },
        tool(
          "shell",
          { cmd: "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE ./scripts/snapshot.sh customer" },
          "A snapshot before the real run.",
          "",
          { gate: "deny" },
        ),
        tool(
          "shell",
          { cmd: "./scripts/snapshot.sh customer" },
          "The script finds its credentials by itself.",
          "snapshot customer-0412 complete",
          { approval: "user_approved", tokens: 90 },
        ),
      ],
      answer:
        "The plan: expand (1004, reviewed), backfill in 4,023 batches, switch reads, then contract in a later release. A snapshot was taken; the backfill waits for your word.",
    },
    {
      prompt: "Why did last night's backfill stop after 312 batches?",
      contextTokens: 18_900,
      steps: [
        tool(
          "shell",
          { cmd: "tail -n 40 logs/backfill.log" },
          "The log first.",
          'batch 312: ERROR: null value in column "line" violates not-null constraint',
          { approval: "readonly_hint", tokens: 1_200 },
        ),
        tool(
          "shell",
          { cmd: 'psql "$REPLICA_URL" -c "select count(*) from customer where address is null"' },
          "Some customers have no address. How many?",
          "count\n-----\n 1883",
          { approval: "user_approved", tokens: 120 },
        ),
        { does: "steer", messages: ["Leave those out; they are test accounts."] },
        tool(
          "edit_file",
          {
            path: "scripts/backfill.sh",
            edits: [{ oldText: "from customer", newText: "from customer where address is not null" }],
          },
          "Then the backfill skips them.",
          "1 edit applied to scripts/backfill.sh",
          { approval: "user_approved", tokens: 140 },
        ),
        tool(
          "shell",
          { cmd: "rm -fr /var/lib/ledger/backfill-state" },
          "It remembers where it stopped; I'll clear that.",
          "",
          { gate: "deny" },
        ),
        tool(
          "shell",
          { cmd: "./scripts/backfill.sh --table address --resume" },
          "It can resume from there instead.",
          "resumed at batch 312; 3,711 to go",
          { approval: "user_approved", tokens: 200 },
        ),
      ],
      answer:
        "1,883 test accounts have no address and broke batch 312. They are skipped now, and the backfill goes on.",
    },
  ],
};
