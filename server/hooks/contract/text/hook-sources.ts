/** Merges the hooks of one agent from all sources: its own file, the user's settings, drop-in files and the command line. */
import type { HookDefinition, HooksConfig, MatcherEntry } from "../hook.ts";
import { parseHooks } from "../parse.ts";
import { describeProblem } from "../problem.ts";
import type { Profile } from "../profiles.ts";
import { readYaml } from "./yaml-text.ts";

/** Parsed hooks blocks, and the text of drop-ins by file name. */
export interface HookSources {
  readonly agent?: unknown;
  readonly settings?: unknown;
  readonly cli?: unknown;
  readonly drop_ins?: Readonly<Record<string, string>> | undefined;
}

export interface MergedHooks {
  readonly hooks: HooksConfig;
  /** The skipped drop-ins, each with its first problem. */
  readonly skipped: readonly { readonly file: string; readonly why: string }[];
}

const DROP_INS_MAX = 1_000;
const DROP_IN_CHARS_MAX = 1_048_576;

/**
 * Joins the lists of all sources for each event, in the order agent, settings, drop-ins by name, command line. Errors: throws the
 * first problem of a source other than a drop-in. A bad drop-in is skipped as a whole.
 */
export function mergeHookSources(sources: HookSources, profile: Profile): MergedHooks {
  const skipped: { file: string; why: string }[] = [];
  const dropIns = dropInFiles(sources.drop_ins ?? {}).flatMap(([file, text]) => {
    const read = readDropIn(text, profile);
    if (typeof read !== "string") return [read];
    skipped.push({ file, why: read });
    return [];
  });
  const blocks = [
    readBlock(sources.agent, profile),
    readBlock(sources.settings, profile),
    ...dropIns,
    readBlock(sources.cli, profile),
  ];
  return { hooks: joinHooks(blocks), skipped };
}

/** The YAML files directly in the directory, sorted by the bytes of their names. */
function dropInFiles(files: Readonly<Record<string, string>>): (readonly [string, string])[] {
  const named = Object.entries(files).filter(([name]) => /^[^/]*\.ya?ml$/.test(name));
  if (named.length > DROP_INS_MAX) throw new Error(`more than ${DROP_INS_MAX} drop-in files`);
  return named.sort(([a], [b]) => compareBytes(a, b));
}

const encoder = new TextEncoder();

function compareBytes(a: string, b: string): number {
  const [left, right] = [encoder.encode(a), encoder.encode(b)];
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
}

/** The hooks of a drop-in, or the reason to skip the whole file. */
function readDropIn(text: string, profile: Profile): HooksConfig | string {
  if (text.length > DROP_IN_CHARS_MAX) return `longer than ${DROP_IN_CHARS_MAX} characters`;
  const yaml = readYaml(text);
  const [broken] = yaml.problems;
  if (broken) return broken.message;
  const parsed = parseHooks(yaml.value(), profile);
  const [first] = parsed.ok ? [] : parsed.problems;
  if (first) return describeProblem(first);
  return parsed.ok ? parsed.hooks : {};
}

function readBlock(block: unknown, profile: Profile): HooksConfig {
  const parsed = parseHooks(block, profile);
  if (parsed.ok) return parsed.hooks;
  throw new Error(parsed.problems.slice(0, 1).map(describeProblem).join(""));
}

/** Joins the lists. No block replaces or suppresses another. */
function joinHooks(blocks: readonly HooksConfig[]): HooksConfig {
  const joined = new Map<string, (MatcherEntry | HookDefinition)[]>();
  for (const block of blocks)
    for (const [event, list] of Object.entries(block)) joined.set(event, [...(joined.get(event) ?? []), ...list]);
  return Object.fromEntries(joined) as HooksConfig; // holds: each list was read for its event
}
