import type { ExtensionKind } from "@quarterdeck/hooks/contract/extension-kinds";
import type { ExtensionView } from "@/server/extensions/schema";

export const KIND_WORDS: Readonly<Record<ExtensionKind, string>> = {
  skill: "skill",
  plugin: "plugin",
  command: "slash command",
  mcp_server: "MCP server",
};

/** The digits of a digest that a table shows. */
const SHOWN_DIGITS = 12;
export const shortDigest = (digest: string): string => digest.slice(0, SHOWN_DIGITS);

/** "1.2.0", else the first digits of the digest. */
export const versionWords = (version: string | null, digest: string | null): string =>
  version ?? (digest === null ? "an unread version" : shortDigest(digest));

export const extensionName = ({ kind, name }: Pick<ExtensionView, "kind" | "name">): string =>
  `${KIND_WORDS[kind]} ${name}`;
