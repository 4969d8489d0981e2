/** The kinds of what a client on an agent's machine loads. */
export const EXTENSION_KINDS = ["skill", "plugin", "command", "mcp_server"] as const;
export type ExtensionKind = (typeof EXTENSION_KINDS)[number];
