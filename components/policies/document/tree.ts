/** The hooks of a text as a form shows them: events, matcher entries and hooks, each with the path to edit it by. */

import {
  contractOf,
  type EventContract,
  isEventName,
  PROFILES,
  type Profile,
} from "@quarterdeck/hooks/contract/events";
import { SHAPE_EXAMPLES } from "@quarterdeck/hooks/contract/shape-examples";
import { type Fields, isFields } from "@/components/policies/document/intent";
import { type RuleList, rulesOf } from "@/components/policies/document/rules";
import { type Path, type YamlTree, yamlTree } from "@/components/policies/document/yaml-tree";

export interface HookNode {
  readonly path: Path;
  /** Where problems say it is: `hooks.stop[0]`. */
  readonly where: string;
  readonly fields: Fields;
  /** Null if the hook has no rules. */
  readonly rules: RuleList | null;
}

export interface EntryNode {
  readonly path: Path;
  readonly where: string;
  readonly fields: Fields;
  readonly hooks: readonly HookNode[];
}

export interface EventNode {
  readonly event: string;
  readonly path: Path;
  readonly where: string;
  /** Null for a name that the profile does not know. */
  readonly contract: EventContract | null;
  readonly entries: readonly EntryNode[];
  readonly hooks: readonly HookNode[];
  /** Something here is not a hook: only the text shows it. */
  readonly isOdd: boolean;
}

export interface PolicyForm {
  /** The reason that only the text can be edited now; null when the form may. */
  readonly locked: string | null;
  /** The path of the mapping of events. */
  readonly base: Path;
  readonly profile: Profile;
  readonly events: readonly EventNode[];
  /** The evaluators of the text by name, and its routing. */
  readonly evaluators: Fields;
  readonly routing: Fields;
}

/** With more hooks than this, the text is easier to read than cards. */
const HOOKS_MAX = 400;

export function policyForm(text: string): PolicyForm {
  const tree = yamlTree(text);
  const sections = { evaluators: {}, routing: {} };
  const nothing: PolicyForm = { locked: null, base: ["hooks"], profile: PROFILES[0], events: [], ...sections };
  if (tree.locked !== null) return { ...nothing, locked: tree.locked };
  const root = tree.value;
  if (root === null || root === undefined) return nothing;
  if (!isFields(root)) return { ...nothing, locked: "Start the policy with the line `hooks:`." };
  const isWrapped = "hooks" in root || Object.keys(root).length === 0;
  const profile = PROFILES.find((known) => known === root.profile) ?? PROFILES[0];
  const block = isWrapped ? (root.hooks ?? {}) : root;
  if (!isFields(block))
    return {
      ...nothing,
      locked: `\`hooks:\` must be a mapping of events to hooks, such as \`${SHAPE_EXAMPLES.hooks}\`. Correct the YAML.`,
    };
  const areEvents = isWrapped || Object.keys(block).some((key) => PROFILES.some((one) => isEventName(key, one)));
  if (!areEvents)
    return {
      ...nothing,
      locked: "The policy has no `hooks:` line. Add that line. If the text is an agent file, import the file instead.",
    };
  const base: Path = isWrapped ? ["hooks"] : [];
  const events = Object.entries(block).map(([event, list]) => eventOf(tree, event, list, [...base, event], profile));
  const count = events.reduce(
    (sum, { hooks, entries }) => sum + hooks.length + entries.reduce((of, one) => of + one.hooks.length, 0),
    0,
  );
  if (count > HOOKS_MAX)
    return { ...nothing, base, profile, locked: `${count} hooks are too many for the form. Edit the YAML instead.` };
  const { evaluators, routing } = isWrapped ? root : sections;
  return {
    ...{ locked: null, base, profile, events },
    evaluators: isFields(evaluators) ? evaluators : {},
    routing: isFields(routing) ? routing : {},
  };
}

function eventOf(tree: YamlTree, event: string, list: unknown, path: Path, profile: Profile): EventNode {
  const contract = isEventName(event, profile) ? contractOf(event, profile) : null;
  const where = `hooks.${event}`;
  const items = itemsOf(tree, list, path, where);
  const isScoped = contract?.matchesTools ?? items.nodes.some(({ fields }) => "hooks" in fields);
  if (!isScoped) return { event, path, where, contract, entries: [], hooks: items.nodes, isOdd: items.isOdd };
  const found = items.nodes.map((entry) => ({
    entry,
    inside: itemsOf(tree, entry.fields.hooks, [...entry.path, "hooks"], `${entry.where}.hooks`),
  }));
  const entries = found.map(({ entry, inside }) => ({ ...entry, hooks: inside.nodes }));
  return {
    event,
    path,
    where,
    contract,
    entries,
    hooks: [],
    isOdd: items.isOdd || found.some(({ inside }) => inside.isOdd),
  };
}

/** The mappings of a list; a single mapping counts as a list of one. */
function itemsOf(tree: YamlTree, list: unknown, path: Path, where: string): { nodes: HookNode[]; isOdd: boolean } {
  if (list === null || list === undefined) return { nodes: [], isOdd: false };
  if (isFields(list)) return { nodes: [hookOf(tree, path, `${where}[0]`, list)], isOdd: false };
  if (!Array.isArray(list)) return { nodes: [], isOdd: true };
  const nodes = list.flatMap((fields: unknown, at): HookNode[] =>
    isFields(fields) || fields === null ? [hookOf(tree, [...path, at], `${where}[${at}]`, fields ?? {})] : [],
  );
  return { nodes, isOdd: nodes.length < list.length };
}

function hookOf(tree: YamlTree, path: Path, where: string, fields: Fields): HookNode {
  const rules = fields.rules === undefined ? null : rulesOf(tree, [...path, "rules"], `${where}.rules`, fields.rules);
  return { path, where, fields, rules };
}
