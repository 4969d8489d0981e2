/** The schema for imports of a client's own file, for the page, the command line and the procedure. */
import { z } from "zod";

/** The clients whose files can be imported, with the names of those files. */
export const IMPORTED_CLIENTS = {
  "docker-agent": {
    title: "docker-agent",
    files: "an agent file, config.yaml or a file of hooks.d: hooks and permission lists",
  },
  "claude-code": { title: "Claude Code", files: "settings.json: hooks and permission rules" },
  codex: { title: "Codex", files: "hooks.json, config.toml or requirements.toml: hooks" },
  copilot: { title: "GitHub Copilot CLI", files: "a file of .github/hooks, or settings.json: hooks" },
  cursor: { title: "Cursor", files: "hooks.json" },
} as const;
export type ImportedClient = keyof typeof IMPORTED_CLIENTS;
export const IMPORTED_CLIENT_NAMES = Object.keys(IMPORTED_CLIENTS) as [ImportedClient, ...ImportedClient[]];

export const carriedLine = z.strictObject({
  line: z.number().describe("In the file, from 1."),
  text: z.string().describe("The rule or hook, shortened."),
  note: z.string().describe("The form it has in the policy, a sentence or more."),
});
export type CarriedLine = z.infer<typeof carriedLine>;

export const notCarriedLine = z.strictObject({
  line: z.number().describe("In the file, from 1."),
  text: z.string().describe("The rule, hook or key, shortened."),
  reason: z.string().describe("The reason, and where there is one the thing to do instead."),
});
export type NotCarriedLine = z.infer<typeof notCarriedLine>;
