/** The hooks of older versions of docker-agent's configuration. Each is a part of the newest, which reads them all. */
const FIRST = ["pre_tool_use", "post_tool_use", "session_start", "session_end"];
const SEVEN = [...FIRST, "on_user_input", "stop", "notification"];

/** Events by the version from which on they were accepted. */
const EVENTS: readonly (readonly [until: number, events: readonly string[]])[] = [
  [5, FIRST],
  [6, [...FIRST, "on_user_input"]],
  [7, SEVEN],
];
const OLD_FIELDS = ["type", "command", "timeout", "hooks", "matcher"];

export type Fields = Record<string, unknown>;
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The notes on an old file that a person should read before it binds an agent. */
export function versionNotes(root: Fields): string[] {
  const version = Number(root.version);
  if (!Number.isInteger(version) || version > 7 || version < 1) return [];
  const known = EVENTS.find(([until]) => version <= until)?.[1] ?? [];
  const blocks = [
    root.hooks,
    ...Object.values(isFields(root.agents) ? root.agents : {}).map((agent) => (isFields(agent) ? agent.hooks : null)),
  ].filter(isFields);
  const strange = [...new Set(blocks.flatMap((block) => Object.keys(block)).filter((event) => !known.includes(event)))];
  const later =
    strange.length === 0
      ? []
      : [`Version ${version} does not know ${strange.join(", ")}; taken as the newest version reads it.`];
  const fields = [...new Set(blocks.flatMap(fieldsOf).filter((field) => !OLD_FIELDS.includes(field)))];
  const newer =
    fields.length === 0
      ? []
      : [`Version ${version} has no ${fields.join(", ")} on hooks; taken as the newest version reads it.`];
  const changed = `The file is of version ${version}. Since then post_tool_use also fires when a tool failed and may stop the run, and a pre_tool_use hook that times out or cannot start denies.`;
  return [changed, ...later, ...newer];
}

function fieldsOf(value: unknown): string[] {
  const items = isFields(value) ? Object.values(value).flat() : [];
  return items
    .filter(isFields)
    .flatMap((item) => [
      ...Object.keys(item),
      ...(Array.isArray(item.hooks) ? item.hooks.filter(isFields).flatMap((hook) => Object.keys(hook)) : []),
    ]);
}
