import { INCLUDED, LARGE } from "../models.ts";
import { type Scenario, tool } from "../scenario.ts";

/** Finds and mends a rounding fault in an invoice service. */
export const bugfix: Scenario = {
  agent: "demo-bugfix",
  cwd: "/workspace/invoices",
  model: LARGE,
  historyEveryMinutes: 70,
  runs: [
    {
      prompt:
        "Invoice totals are off by one cent when a discount is split over several lines. Find out why and fix it.",
      contextTokens: 14_200,
      steps: [
        tool(
          "search_files_content",
          { pattern: "discount", path: "src" },
          "I'll look at where discounts are applied.",
          "src/invoice/discount.ts:12: export function split(discount: Cents, lines: Line[])\nsrc/invoice/total.ts:30: total -= split(discount, lines)[i]",
          { approval: "readonly_hint", tokens: 900 },
        ),
        tool(
          "read_file",
          { path: "src/invoice/discount.ts" },
          "The split happens in one function. Let me read it.",
          "export function split(discount: Cents, lines: Line[]): Cents[] {\n  return lines.map((line) => Math.round((discount * line.net) / sum(lines)));\n}",
          { approval: "readonly_hint", tokens: 1_400 },
        ),
        tool(
          "shell",
          { cmd: "npx vitest run src/invoice --reporter=dot" },
          "Each part is rounded on its own, so the parts need not add up. First I want to see it fail.",
          "FAIL src/invoice/discount.test.ts > parts add up to the whole\nexpected 999 to be 1000",
          { fails: true, tokens: 2_100 },
        ),
        tool(
          "shell",
          { cmd: "rm -rf node_modules/.vite dist && npx vitest run src/invoice" },
          "The cache may be stale; I'll clear it and run again.",
          "",
          { gate: "deny" },
        ),
        tool(
          "edit_file",
          {
            path: "src/invoice/discount.ts",
            edits: [{ oldText: "return lines.map(", newText: "return largestRemainder(discount, lines.map(" }],
          },
          "No need to delete anything. I'll give the remainder to the largest parts.",
          "1 edit applied to src/invoice/discount.ts",
          { approval: "user_approved", tokens: 700 },
        ),
        tool(
          "shell",
          { cmd: "npx vitest run src/invoice --reporter=dot" },
          "Now the tests again.",
          "Test Files 4 passed, Tests 37 passed",
          { tokens: 600 },
        ),
        {
          does: "compact",
          reason: "manual",
          summary:
            "Split discounts did not add up since each part was rounded alone; src/invoice/discount.ts now uses the largest remainder. 37 tests pass. To do: changelog.",
        },
        tool("shell", { cmd: "git push --force origin fix/discount-split" }, "I'll push the branch.", "", {
          gate: "deny",
        }),
        tool(
          "shell",
          { cmd: "git push origin fix/discount-split" },
          "Then without force, as a new branch.",
          "remote: Create a pull request for 'fix/discount-split'",
          { gate: "ask", approval: "user_approved", tokens: 200 },
        ),
      ],
      answer:
        "The parts of a split discount were rounded one by one, so they could miss the whole by a cent. They are now cut by the largest-remainder method; a test holds that the parts add up.",
    },
    {
      prompt: "The nightly export times out since Tuesday. Have a look?",
      contextTokens: 178_600,
      steps: [
        tool(
          "shell",
          { cmd: "git log --oneline --since='last monday' -- src/export" },
          "I'll see what changed in the export since then.",
          "4be1d02 export: include archived customers\n91f0c77 export: stream rows",
          { approval: "readonly_hint", tokens: 500 },
        ),
        { does: "fail", message: "model failed: 529 overloaded_error; trying again" },
        tool(
          "shell",
          { cmd: "psql \"postgresql://export:winter-2024@db.internal/prod\" -c 'explain select * from customer'" },
          "Archived customers were added. I'll look at the plan of that query.",
          "",
          { gate: "deny" },
        ),
        tool(
          "shell",
          { cmd: "psql \"$DATABASE_URL\" -c 'explain select * from customer'" },
          "With the address from the environment, then.",
          "Seq Scan on customer  (cost=0.00..918233.00 rows=21200000)",
          { approval: "user_approved_tool", tokens: 1_100 },
        ),
        { does: "steer", messages: ["Only read from the replica, please."] },
        {
          does: "delegate",
          agent: "demo-reviewer",
          model: INCLUDED,
          task: "Review the export's query and say which index it needs.",
          steps: [
            tool(
              "read_file",
              { path: "src/export/customers.sql" },
              "Reading the query first.",
              "select * from customer where archived_at is null or archived_at > $1 order by id",
              { approval: "readonly_hint", tokens: 300 },
            ),
            tool(
              "search_files",
              { pattern: "*.sql", path: "migrations" },
              "And which indexes exist.",
              "migrations/0041_customer.sql\nmigrations/0057_archived.sql",
              { approval: "readonly_hint", tokens: 250 },
            ),
          ],
          answer: "A partial index on (id) where archived_at is null serves most of it; the rest is small.",
        },
        tool(
          "write_file",
          {
            path: "migrations/1058_customer_live.sql",
            content: "create index concurrently customer_live on customer (id) where archived_at is null;\n",
          },
          "I'll add the index the reviewer proposes.",
          "Wrote migrations/1058_customer_live.sql",
          { approval: "user_approved", tokens: 150 },
        ),
        {
          does: "compact",
          reason: "threshold",
          summary:
            "The export became slow with archived customers (4be1d02): a full scan. migrations/1058_customer_live.sql adds a partial index. Read only from the replica.",
        },
      ],
      answer:
        "Since Tuesday the export also reads archived customers, which made it scan the whole table. A partial index brings it back under a minute; the migration is ready for review.",
    },
  ],
};
