/**
 * The names of rules as an agent reads them. Reasons name a hook without a name by its command. A model should know
 * which calls are checked, but not how to pass a check, so such a hook is named by its path.
 */
interface RevisionHooks {
  readonly policy: string;
  readonly revision: number;
  readonly hooks: unknown;
}

interface Place {
  readonly policy: string;
  readonly revision: number;
  /** `hooks.pre_tool_use[0].hooks[1]`. */
  readonly path: string;
}

const UNKNOWN = "a command without a name";

/** Returns a function from a rule's path, stored name and text to the versions that an agent may read. */
export function ruleNames(revisions: readonly RevisionHooks[]) {
  const hooksByRevision = new Map(revisions.map((one) => [`${one.policy} ${one.revision}`, one.hooks]));
  return (place: Place | null, hook: string, words: string): { readonly rule: string; readonly words: string } => {
    const definition = place && memberAt(hooksByRevision.get(`${place.policy} ${place.revision}`), place.path);
    if (mayBeRead(definition)) return { rule: hook, words };
    const rule = place === null ? UNKNOWN : `${UNKNOWN} (${place.path})`;
    return { rule, words: words.replaceAll(hook, UNKNOWN) };
  };
}

/** A hook with a name, a builtin, a judge or rules, whose words are their reasons. One that is not found any more could be a command. */
function mayBeRead(definition: unknown): boolean {
  if (!isObject(definition)) return false;
  const { name, type } = definition;
  return (typeof name === "string" && name !== "") || type === "builtin" || type === "model" || type === "rules";
}

/** The stored block is the value of the first `hooks`. */
function memberAt(block: unknown, path: string): unknown {
  let found = block;
  for (const name of path
    .replace(/^hooks\./, "")
    .split(/[.[\]]+/)
    .filter((one) => one !== ""))
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
