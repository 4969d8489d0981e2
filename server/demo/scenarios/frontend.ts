import { LARGE } from "../models.ts";
import { type Scenario, tool } from "../scenario.ts";

/** Works on a web page with Claude Code, whose tools have names of their own. */
export const frontend: Scenario = {
  agent: "demo-frontend",
  client: "claude-code",
  cwd: "/workspace/shop",
  model: LARGE,
  historyEveryMinutes: 50,
  runs: [
    {
      prompt: "The basket shows the old price after a voucher is removed.",
      contextTokens: 8_000,
      steps: [
        tool(
          "Read",
          { file_path: "/workspace/shop/src/basket.tsx" },
          "I'll read the component.",
          "export function Basket() ...",
        ),
        tool("Bash", { command: "npx vitest run src/basket" }, "Now its tests.", "1 failed | 11 passed", {
          fails: true,
        }),
        tool(
          "Edit",
          { file_path: "/workspace/shop/src/basket.tsx", old_string: "useMemo(total, [])", new_string: "total()" },
          "The total was computed once.",
          "The file was updated.",
        ),
        tool("Bash", { command: "rm -rf .cache && npx vitest run src/basket" }, "With a clean cache.", "", {
          gate: "deny",
        }),
        tool("Bash", { command: "npx vitest run src/basket" }, "Then without.", "12 passed"),
      ],
      answer: "The basket recomputes its total when a voucher changes. 12 tests pass.",
    },
    {
      prompt: "Publish the fix as a branch.",
      contextTokens: 5_000,
      steps: [
        tool("Bash", { command: "git status --short" }, "I'll see what changed.", " M src/basket.tsx"),
        tool("Bash", { command: "git commit -am 'Recompute the total'" }, "One commit.", "1 file changed"),
        tool("Bash", { command: "git push --force origin fix/basket" }, "I'll push it.", "", { gate: "deny" }),
        tool("Bash", { command: "git push origin fix/basket" }, "Without force.", "branch created", {
          ...{ gate: "ask", approval: "user_approved" },
        }),
      ],
      answer: "The branch fix/basket is pushed.",
    },
  ],
};
