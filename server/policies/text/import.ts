/**
 * Reads an imported file as a policy's text: a docker-agent agent file, user settings, a hooks block, or a bundle of
 * this project. A single block is taken unchanged, comments included. Each part that is not taken is reported in words.
 * Pure.
 */
import { isDeepStrictEqual } from "node:util";
import { agentFlags, flagProblems, type HooksConfig, withFlags } from "@quarterdeck/hooks/contract/config";
import { isEventName } from "@quarterdeck/hooks/contract/events";
import { DEFAULT_PROFILE, PROFILES, type Profile } from "@quarterdeck/hooks/contract/profiles";
import { readPolicyText } from "@quarterdeck/hooks/contract/text/policy-text";
import { yamlErrorText } from "@quarterdeck/hooks/contract/text/yaml-errors";
import { yamlShapeProblem } from "@quarterdeck/hooks/contract/text/yaml-shape";
import { repeatedKeys } from "@quarterdeck/hooks/contract/text/yaml-text";
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  visit,
  type YAMLMap,
} from "yaml";
import { importProfile, saferShellNote } from "../../dialects/docker-agent/index.ts";
import { AppError } from "../../errors/app-error.ts";
import { readBundle } from "./bundle.ts";
import { expandedSize } from "./expanded-size.ts";
import { type Fields, isFields, versionNotes } from "./import-version-notes.ts";

export interface ImportRequest {
  readonly source: string;
  /** One agent of an agent file; every agent's hooks otherwise. */
  readonly agent?: string | undefined;
  /** `--hook-*` flags: shell commands per event, appended behind everything else. */
  readonly commands?: Readonly<Record<string, readonly string[]>> | undefined;
}

export interface Imported {
  /** The text of a policy; it may still have problems, which the check names. */
  readonly source: string;
  /** The name that a bundle gives itself. */
  readonly name: string | null;
  /** The agents of the file, whether they have hooks or not. */
  readonly agents: readonly string[];
  /** The notes on the imported and the omitted parts, one sentence each. */
  readonly notes: readonly string[];
}

interface Block {
  /** Its path in the file: `agents.root.hooks`. */
  readonly from: string;
  /** As plain values. */
  readonly value: Fields;
  /** The original lines, without their margin; null if they are not valid on their own. */
  readonly text: string | null;
}

/** Errors: `invalid_input` in words, with the line when it is the YAML. */
export function readImport({ source, agent, commands = {} }: ImportRequest): Imported {
  const bundle = readBundle(source);
  if (bundle) {
    const { text, name, revision, note } = bundle;
    const said = note === "" ? "" : ` Its note: ${note}`;
    return { source: text, name, agents: [], notes: [`Revision ${revision} of ${name}, byte for byte.${said}`] };
  }
  const { root, map } = readRoot(source);
  const agents = isFields(root.agents) ? Object.keys(root.agents) : [];
  if (agent !== undefined && !agents.includes(agent)) {
    const known = agents.length === 0 ? "The file has no agents." : `It has ${agents.join(", ")}.`;
    throw refusal(`There is no agent "${agent}" in this file. ${known}`);
  }
  const file: ReadFile = { source, root, map, agent, commands };
  const { text, notes } = policyOf(file);
  return { source: text, name: null, agents, notes };
}

interface ReadFile {
  readonly source: string;
  readonly root: Fields;
  readonly map: YAMLMap;
  readonly agent: string | undefined;
  readonly commands: Readonly<Record<string, readonly string[]>>;
}

interface PolicyDraft {
  readonly text: string;
  readonly notes: readonly string[];
}

/**
 * The policy in the profile that its file states, else in the newest one that reads it: an import is a new policy, in which a gate that
 * fails denies. A file whose `safer_shell` may be a gate is read by the newest profile that keeps it one.
 */
function policyOf(file: ReadFile): PolicyDraft {
  const stated = PROFILES.find((known) => known === file.root.profile);
  if (stated !== undefined) return draftIn(stated, file);
  const wanted = importProfile(file.root);
  const profiles = PROFILES.slice(1, PROFILES.indexOf(wanted) + 1).toReversed();
  for (const profile of profiles) {
    const draft = draftIn(profile, file);
    // The check reports what this server cannot run: that is no reason for an older profile.
    if (readPolicyText(draft.text, NOTHING_RUNS).hooks !== null) return draft;
  }
  return draftIn(null, file);
}

const NOTHING_RUNS = { builtins: [], models: false } as const;

/** The draft in a profile; with null, the text names no profile and the check reports the problems. */
function draftIn(profile: Profile | null, file: ReadFile): PolicyDraft {
  const { source, root, map } = file;
  const blocks: Block[] = [];
  const notes: string[] = [...versionNotes(root)];
  const added: HooksConfig[] = [];
  const take = (path: readonly string[], value: unknown) => {
    if (isFields(value) && Object.keys(value).length > 0)
      blocks.push({ from: path.join("."), value, text: standingAlone(linesOf(source, map, path), value) });
  };

  if (isFields(root.agents))
    for (const [name, stated] of Object.entries(root.agents)) {
      if (file.agent !== undefined && name !== file.agent) continue;
      if (!isFields(stated)) continue;
      take(["agents", name, "hooks"], stated.hooks);
      const flags = ofFlags(stated, profile ?? DEFAULT_PROFILE);
      added.push(flags.hooks);
      notes.push(...flags.notes.map((note) => `Agent ${name}: ${note}`));
      const rest = Object.keys(stated).filter((key) => !TAKEN_OF_AGENT.has(key));
      if (rest.length > 0) notes.push(`Agent ${name}: not taken, because no hook says it: ${listed(rest)}.`);
    }
  if (isFields(root.settings)) {
    take(["settings", "hooks"], root.settings.hooks);
    if (root.settings.snapshot === true)
      added.push(without(withFlags({}, { redact_secrets: false }, { snapshot: true })));
  }
  if (isFields(root.hooks)) take(["hooks"], root.hooks);
  else if (Object.keys(root).some(isEvent)) blocks.push({ from: "the file", value: root, text: indented(source) });
  const rest = Object.keys(root).filter((key) => !TAKEN_OF_FILE.has(key) && !isEvent(key));
  if (rest.length > 0) notes.push(`Not taken from the file: ${listed(rest)}.`);

  const flags = ofCommands(file.commands);
  const extra = [...added, flags].filter((one) => Object.keys(one).length > 0);
  if (blocks.length === 0 && extra.length === 0)
    throw refusal("This file has no hooks: not under agents, settings or hooks, and no switch that adds hooks.");
  const text = written(blocks, extra, notes);
  notes.push(...saferShellNotes([...blocks.map(({ value }) => value), ...extra], profile));
  return { text: profile === null ? text : withProfile(text, profile), notes };
}

/** The meaning of `safer_shell` in the draft, where it has one. */
function saferShellNotes(blocks: readonly object[], profile: Profile | null): string[] {
  const hasOne = blocks.some((block) =>
    Object.values(block).some(
      (entries) => Array.isArray(entries) && entries.flatMap(commandsOf).includes("safer_shell"),
    ),
  );
  return hasOne && profile !== null ? [saferShellNote(profile)] : [];
}

const TAKEN_OF_AGENT = new Set(["hooks", "add_date", "add_environment_info", "add_prompt_files", "redact_secrets"]);
const TAKEN_OF_FILE = new Set(["agents", "settings", "hooks", "version", "profile"]);
const isEvent = (key: string) => PROFILES.some((profile) => isEventName(key, profile));
const refusal = (says: string) => new AppError("invalid_input", undefined, { says });

const NAMED_MAX = 12;
function listed(keys: readonly string[]): string {
  const named = keys.slice(0, NAMED_MAX).join(", ");
  return keys.length > NAMED_MAX ? `${named} and ${keys.length - NAMED_MAX} more` : named;
}

/** Names that repeat a place are few in a file that people wrote. */
const ALIASES_MAX = 100;
const EXPANDED_VALUES_MAX = 100_000;

function readRoot(source: string): { root: Fields; map: YAMLMap } {
  const lines = new LineCounter();
  const notYaml = (at: number, says: string) =>
    refusal(`The file is not YAML. Line ${lines.linePos(at).line}: ${says}`);
  const shape = yamlShapeProblem(source);
  if (shape) throw refusal(`The file is too much to read. Line ${lineAt(source, shape.at)}: ${shape.says}`);
  // Repeated keys are looked for below: the parser compares every key with every other.
  const document = parseDocument(source, {
    uniqueKeys: false,
    prettyErrors: false,
    stringKeys: true,
    merge: true,
    lineCounter: lines,
  });
  const error = document.errors[0];
  if (error) throw notYaml(error.pos[0], yamlErrorText(error));
  visit(document, (_key, node, path) => {
    const [repeated] = isMap(node) ? repeatedKeys(node) : [];
    if (repeated) throw notYaml(repeated[0][0], `The key "${repeated[1]}" is repeated.`);
    if (isAlias(node) && path.some((around) => isNode(around) && "anchor" in around && around.anchor === node.source))
      throw notYaml(
        node.range?.[0] ?? 0,
        `*${node.source} refers to a value that contains it. Replace it with the value.`,
      );
  });
  const tooLarge = () => refusal("The file uses too many aliases and would become too large. Write the hooks in full.");
  if (expandedSize(document) > EXPANDED_VALUES_MAX) throw tooLarge();
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: ALIASES_MAX });
  } catch {
    throw tooLarge();
  }
  if (!isFields(value) || !isMap(document.contents))
    throw refusal("The file is empty, or not a mapping. Give an agent file, settings, a hooks block or a bundle.");
  return { root: value, map: document.contents };
}

const lineAt = (source: string, at: number): number => source.slice(0, at).split("\n").length;

/** The hooks that the agent's flags in the file turn on. */
function ofFlags(agent: Fields, profile: Profile): { hooks: HooksConfig; notes: string[] } {
  const parsed = agentFlags.safeParse(agent);
  if (!parsed.success) {
    const wrong = [...new Set(parsed.error.issues.map(({ path }) => String(path[0])))];
    return { hooks: {}, notes: [`its switches are not of the right type and were not taken: ${wrong.join(", ")}.`] };
  }
  const flags = parsed.data;
  const problems = flagProblems(flags, profile).map(({ message }) => `${message}; that switch was not taken.`);
  // Redaction is on at the agent unless it says no; a policy gets it only if the file asks for it.
  const taken = { ...flags, redact_secrets: flags.redact_secrets === true };
  const hooks = without(withFlags({}, taken, {}, profile));
  const names = [...new Set(Object.values(hooks).flatMap((entries) => entries.flatMap(commandsOf)))];
  const named = names.length === 0 ? [] : [`its switches became hooks: ${names.join(", ")}.`];
  return { hooks, notes: [...named, ...problems] };
}

/** Removes the hooks that docker-agent adds to every agent itself. */
function without(hooks: HooksConfig): HooksConfig {
  const kept = Object.entries(hooks).map(([event, entries]) => [
    event,
    entries.filter((entry) => !commandsOf(entry).includes("limit_large_tool_results")),
  ]);
  return Object.fromEntries(kept.filter(([, entries]) => (entries?.length ?? 0) > 0));
}

function commandsOf(entry: unknown): string[] {
  if (typeof entry !== "object" || entry === null) return [];
  if ("hooks" in entry && Array.isArray(entry.hooks)) return entry.hooks.flatMap(commandsOf);
  return "command" in entry && typeof entry.command === "string" ? [entry.command] : [];
}

/** docker-agent's `--hook-*` flags and their events. */
export const COMMAND_FLAGS = [
  "pre_tool_use",
  "post_tool_use",
  "session_start",
  "session_end",
  "on_user_input",
  "stop",
] as const;

function ofCommands(commands: Readonly<Record<string, readonly string[]>>): HooksConfig {
  const hooks: Record<string, object[]> = {};
  for (const event of COMMAND_FLAGS) {
    const given = (commands[event] ?? []).filter((command) => command.trim() !== "");
    const list = given.map((command) => ({ type: "command", command }));
    if (list.length > 0) hooks[event] = event.endsWith("_tool_use") ? [{ hooks: list }] : list;
  }
  return hooks as HooksConfig; // holds: entries for the two tool events, hooks for the four others
}

/** A single block keeps its text; several are concatenated per event, as docker-agent joins them. */
function written(blocks: readonly Block[], extra: readonly HooksConfig[], notes: string[]): string {
  const [first] = blocks;
  if (first && blocks.length === 1 && first.text !== null) {
    const more = joined(extra);
    const isApart = Object.keys(more).every((event) => !Object.hasOwn(first.value, event));
    const text = first.text.endsWith("\n") ? first.text : `${first.text}\n`;
    if (isApart && isBlockStyle(text)) {
      notes.unshift(`The hooks of ${first.from}, as they are written.`);
      if (Object.keys(more).length === 0) return text;
      const step = stepOf(text);
      return text + yaml(more).replace(/^(?=.)/gm, step);
    }
  }
  if (first)
    notes.unshift(
      blocks.length === 1
        ? `The hooks of ${first.from}, written anew: comments are not kept, because ${first.text === null ? "they do not stand in lines of their own" : "its switches add to events it has"}.`
        : `The hooks of ${blocks.map(({ from }) => from).join(", ")}, one list after the other. Comments of several blocks are not kept.`,
    );
  return yaml({ hooks: joined([...blocks.map(({ value }) => value), ...extra]) });
}

const yaml = (value: unknown) => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
const isBlockStyle = (text: string) => !/^hooks:[^\S\n]*[{]/m.test(text);
const stepOf = (text: string) => /^hooks:[^\n]*\n(?:[^\S\n]*(?:#[^\n]*)?\n)*([^\S\n]+)\S/m.exec(text)?.[1] ?? "  ";

/** Per event, one list after the other. A single mapping counts as a list of one. Duplicate items are dropped. */
function joined(blocks: readonly object[]): Record<string, unknown[]> {
  const all = new Map<string, { readonly items: unknown[]; readonly known: Set<string> }>();
  for (const block of blocks)
    for (const [event, value] of Object.entries(block)) {
      const { items, known } = all.get(event) ?? { items: [], known: new Set<string>() };
      all.set(event, { items, known });
      const listed: unknown[] = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
      const texts = listed.map((item) => JSON.stringify(item));
      for (const [at, item] of listed.entries()) if (!known.has(texts[at] ?? "")) items.push(item);
      for (const text of texts) known.add(text);
    }
  return Object.fromEntries([...all].map(([event, { items }]) => [event, items]));
}

/** The lines of `path`'s block from its key on, moved to the margin; null when it leans on names of the rest of the file. */
function linesOf(source: string, root: YAMLMap, path: readonly string[]): string | null {
  let map: Node | null = root;
  let pair: Pair | undefined;
  for (const key of path) {
    if (!isMap(map) || map.flow) return null;
    pair = map.items.find((one) => isScalar(one.key) && one.key.value === key);
    map = isNode(pair?.value) ? pair.value : null;
  }
  if (!pair || !isNode(pair.key) || !map || !pair.key.range || !map.range || leansOnNames(map)) return null;
  const start = pair.key.range[0];
  const lineStart = start === 0 ? 0 : source.lastIndexOf("\n", start - 1) + 1;
  const margin = source.slice(lineStart, start);
  if (margin.trim() !== "") return null;
  const comments = above(source, lineStart, margin);
  const said = lineStart + source.slice(lineStart, map.range[1]).trimEnd().length;
  const lineEnd = source.indexOf("\n", said);
  const end = lineEnd === -1 ? source.length : lineEnd + 1;
  const lines = source.slice(comments, end).split("\n");
  // Lines of a block scalar may be empty, and comments may have a smaller indent: the part of the margin that exists is
  // removed.
  return lines.map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line.trimStart())).join("\n");
}

/** The lines, if they have the same meaning on their own. */
function standingAlone(text: string | null, value: Fields): string | null {
  if (text === null) return null;
  const document = parseDocument(text, { uniqueKeys: false });
  return document.errors.length === 0 && isDeepStrictEqual(document.toJS(), { hooks: value }) ? text : null;
}

/** Start of the comment lines right above, as far to the right. */
function above(source: string, lineStart: number, margin: string): number {
  let from = lineStart;
  while (from > 0) {
    const before = from === 1 ? 0 : source.lastIndexOf("\n", from - 2) + 1;
    if (!source.slice(before, from).startsWith(`${margin}#`)) break;
    from = before;
  }
  return from;
}

function leansOnNames(node: Node): boolean {
  let leans = false;
  visit(node, (_key, inside) => {
    if (!isAlias(inside)) return undefined;
    leans = true;
    return visit.BREAK;
  });
  return leans;
}

/** A block without its `hooks:`, under one. */
function indented(source: string): string {
  return `hooks:\n${source.replace(/^(?=[^\r\n])/gm, "  ")}`;
}

function withProfile(text: string, profile: Profile): string {
  return /^profile:/m.test(text) ? text : `profile: "${profile}"\n${text}`;
}
