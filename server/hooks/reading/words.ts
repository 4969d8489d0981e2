/** Display names of classes, accesses and kinds of unreadable parts. One table for form and reading. */
import type { HostClass } from "../calls/hosts.ts";
import type { PathAccess, PathClass } from "../calls/path-class-names.ts";
import type { SafetyLabel } from "../calls/safety/label-names.ts";
import type { OpaqueKind } from "../calls/shell/shell-reading.ts";
import type { ExtensionKind } from "../contract/extension-kinds.ts";
import type { ToolKind } from "../contract/tool-kinds.ts";

export const ACCESS_WORDS = {
  read: "read",
  write: "written",
  delete: "deleted",
  execute: "run",
} as const satisfies Record<PathAccess, string>;

export const CLASS_WORDS = {
  project: "project",
  outside: "outside the project",
  home: "home",
  system: "system",
  temporary: "temporary",
  credentials: "credentials",
  version_control: "version control",
  dependencies: "dependencies",
  build_output: "build output",
  device: "device",
  everything: "everything",
} as const satisfies Record<PathClass, string>;

export const HOST_CLASS_WORDS = {
  private: "private network",
  metadata: "cloud metadata",
} as const satisfies Record<HostClass, string>;

export const OPAQUE_WORDS = {
  unknown: "known at run time only",
  download: "downloaded and run",
  encoded: "decoded and run",
  language: "code in another language",
  unreadable: "not readable",
  too_long: "too long or too deep",
  misleading: "misleading characters",
} as const satisfies Record<OpaqueKind, string>;

export const EXTENSION_WORDS = {
  skill: "skills",
  plugin: "plugins",
  command: "slash commands",
  mcp_server: "MCP servers",
} as const satisfies Record<ExtensionKind, string>;

export const LABEL_WORDS = {
  safe: "known to only read",
  unknown: "not known",
  destructive: "deletes or overwrites",
} as const satisfies Record<SafetyLabel, string>;

export const KIND_WORDS = {
  shell: "shell commands",
  read: "file reads",
  write: "file writes",
  edit: "file edits",
  search: "searches",
  fetch: "web requests",
  mcp: "MCP tools",
  agent: "sub-agents",
  other: "other tools",
} as const satisfies Record<ToolKind, string>;
