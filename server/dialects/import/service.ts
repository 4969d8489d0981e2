/** The importer for each client's own files. Separate from the dialects, which also run on agents' machines. */
import { importClaudeCode } from "../claude-code/import.ts";
import { importCodex } from "../codex/import.ts";
import { importCopilot } from "../copilot/import.ts";
import { importCursor } from "../cursor/import.ts";
import { importDockerAgent } from "../docker-agent/import.ts";
import type { ImportedClient } from "../import-schema.ts";
import type { ImportSettings } from "./client-import.ts";

export const CLIENT_IMPORTS: Readonly<Record<ImportedClient, ImportSettings>> = {
  "docker-agent": importDockerAgent,
  "claude-code": importClaudeCode,
  codex: importCodex,
  copilot: importCopilot,
  cursor: importCursor,
};
