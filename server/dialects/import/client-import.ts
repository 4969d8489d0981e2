/**
 * The result of an import. Each rule and hook of a client's file is either in the policy with a note, or listed with its line and
 * the reason.
 */
import type { HookDefinition, MatcherEntry } from "@quarterdeck/hooks/contract/config";
import { contractOf, type EventName, type Profile } from "@quarterdeck/hooks/contract/events";
import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import { stringify } from "yaml";
import type { CarriedLine, NotCarriedLine } from "../import-schema.ts";
import { type SettingsMember, type SettingsObject, type SettingsValue, unreadable } from "./settings-text.ts";

export interface ClientImport {
  readonly policyYaml: string;
  readonly carried: readonly CarriedLine[];
  readonly notCarried: readonly NotCarriedLine[];
}

/** Reads a client's file and never runs any of it. Errors: `invalid_input` with a message if the file cannot be read. */
export type ImportSettings = (text: string) => ClientImport;

export interface ImportedHook {
  readonly event: EventName;
  readonly matcher?: string | undefined;
  /** Runs first, even if the client skips questions. */
  readonly isPreempting?: boolean;
  readonly hook: HookDefinition;
}

export interface ImportDraft {
  readonly add: (hook: ImportedHook) => void;
  readonly carry: (line: number, text: string, note: string) => void;
  readonly leave: (line: number, text: string, reason: string) => void;
  readonly finish: (title: string) => ClientImport;
}

const ENTRIES_MAX = 1_000;
const TEXT_CHARACTERS_MAX = 300;

/** A draft for a policy with this profile; by default, the profile of new policies. */
export function createImportDraft(profile: Profile = NEWEST_PROFILE): ImportDraft {
  const hooks = new Map<EventName, (MatcherEntry | HookDefinition)[]>();
  const carried: CarriedLine[] = [];
  const notCarried: NotCarriedLine[] = [];
  const count = () => {
    if (carried.length + notCarried.length >= ENTRIES_MAX)
      throw unreadable(`A file to import has at most ${ENTRIES_MAX} rules, hooks and settings. Split it.`);
  };
  return {
    add: ({ event, matcher, isPreempting = false, hook }) => {
      const entries = hooks.get(event) ?? [];
      entries.push(
        contractOf(event, profile).matchesTools
          ? { matcher: matcher ?? "*", ...(isPreempting && { preempt_yolo: true }), hooks: [hook] }
          : hook,
      );
      hooks.set(event, entries);
    },
    carry: (line, text, note) => {
      count();
      carried.push({ line, text: shortened(text), note });
    },
    leave: (line, text, reason) => {
      count();
      notCarried.push({ line, text: shortened(text), reason });
    },
    finish: (title) => ({
      policyYaml: [
        `# Imported from ${title}: ${carried.length} carried, ${notCarried.length} not carried.`,
        stringify({ profile, hooks: Object.fromEntries(hooks) }, { lineWidth: 0, aliasDuplicateObjects: false }),
      ].join("\n"),
      carried: inOrder(carried),
      notCarried: inOrder(notCarried),
    }),
  };
}

const inOrder = <T extends { readonly line: number }>(lines: readonly T[]): T[] =>
  lines.toSorted((one, other) => one.line - other.line);

/** Shortens a text to one line that a page can show and a database can store. */
export function shortened(text: string): string {
  const line = [...text.slice(0, TEXT_CHARACTERS_MAX * 2)]
    .map((character) => (/[\p{C}\p{Zl}\p{Zp}]/u.test(character) ? " " : character))
    .join("")
    .trim();
  const characters = [...line];
  return characters.length <= TEXT_CHARACTERS_MAX ? line : `${characters.slice(0, TEXT_CHARACTERS_MAX - 1).join("")}…`;
}

/** The effective members of an object. For a repeated key, clients read the last member; the others are reported. */
export function effectiveMembers(object: SettingsObject, draft: ImportDraft, path = ""): SettingsMember[] {
  const lastByKey = new Map(object.members.map((member) => [member.key, member]));
  return object.members.filter((member) => {
    const isLast = lastByKey.get(member.key) === member;
    if (!isLast)
      draft.leave(
        member.line,
        path + member.key,
        "The key is written again below, and the client reads that one only.",
      );
    return isLast;
  });
}

export function memberOf(object: SettingsObject, key: string): SettingsValue | undefined {
  return object.members.findLast((member) => member.key === key)?.value;
}

export function textMember(object: SettingsObject, key: string): string | undefined {
  const value = memberOf(object, key);
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
}

export function numberMember(object: SettingsObject, key: string): number | undefined {
  const value = memberOf(object, key);
  return value?.kind === "scalar" && typeof value.value === "number" ? value.value : undefined;
}

export function isTrue(object: SettingsObject, key: string): boolean {
  const value = memberOf(object, key);
  return value?.kind === "scalar" && value.value === true;
}
