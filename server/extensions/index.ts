/** The skills, plugins, slash commands and MCP servers on the machines of agents (docs/extensions.md). */
export { type AcceptedVersions, createAcceptedVersions } from "./accepted-extensions.ts";
export { countChanged, countUnaccepted } from "./repository.ts";
export { accept, list, report } from "./service.ts";
