/** `type: rules`: conditions on a call's effects, evaluated in process. */
import { mcpToolOf, type ReadCall, readCall } from "../../calls/call.ts";
import { extensionKindsOf } from "../../calls/extensions.ts";
import type { ExtensionKind } from "../../contract/extension-kinds.ts";
import type { HookInput } from "../../contract/input.ts";
import type { HookOutput } from "../../contract/output.ts";
import type { Condition, Rule } from "../../contract/rules/schema.ts";
import { toolKindOf } from "../../contract/tool-kinds.ts";
import type { HandlerCall, HandlerKind, HandlerReply } from "../../engine/ports.ts";
import { evaluateRules, type RuleMatch } from "./evaluate.ts";

/** The port of rules with marks. A rejection is a failure of the hook, which denies. */
export interface SessionMarks {
  /** The seconds since each of these marks was set on the call's session; absent if not set. */
  ages(call: HandlerCall, marks: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Resolves when every later call of the session sees the marks. */
  set(call: HandlerCall, marks: readonly string[]): Promise<void>;
}

/** The port of rules with `unaccepted`. A rejection is a failure of the hook, which denies. */
export interface AcceptedExtensions {
  /** The kinds of extensions that the call uses in a version that no person has accepted, or that is not known. */
  unacceptedBy(call: HandlerCall): Promise<ReadonlySet<ExtensionKind>>;
}

/**
 * Without `marks`, as in the playground, no mark is read or stored. Without `extensions`, no version counts as accepted.
 */
export function rulesKind(marks?: SessionMarks, extensions: AcceptedExtensions = NOTHING_ACCEPTED): HandlerKind {
  const callOf = createReader();
  return {
    type: "rules",
    build: ({ rules }) => {
      const asked = [...new Set((rules ?? []).flatMap(marksAskedFor))];
      const needsExtensions = (rules ?? []).some(asksForExtensions);

      async function judge(call: HandlerCall, all: readonly Rule[]): Promise<HandlerReply> {
        const ages = marks && asked.length > 0 ? await marks.ages(call, asked) : NO_MARKS;
        const unaccepted = needsExtensions ? await extensions.unacceptedBy(call) : NO_EXTENSIONS;
        const read = callOf(call.input);
        const { matches, decisive } = evaluateRules(all, {
          call: read,
          // The input may claim any name. Only the playground has no credential.
          agent: call.asker ? (call.asker.name ?? "") : (call.input.agent_name ?? ""),
          tags: call.asker?.tags ?? [],
          secondsSince: (mark) => ages.get(mark) ?? null,
          unaccepted,
        });
        const set = [...new Set(matches.flatMap(({ mark }) => (mark === null ? [] : [mark])))];
        if (marks && set.length > 0) await marks.set(call, set);
        // Rules on a partial reading have not judged the whole call.
        if (decisive?.verdict !== "deny" && read.opaque.some(({ kind }) => kind === "too_long"))
          return failed("The call is longer or deeper than what is read. Split it.");
        return { kind: "answered", output: decisive && outputOf(call, decisive) };
      }

      return {
        failsClosed: true,
        async run(call) {
          if (!rules) return failed("a rules hook has no rules");
          if (
            call.event === "pre_tool_use" &&
            call.input.tool_input == null &&
            needsArguments(call.input.tool_name ?? "")
          )
            return failed("The call could not be read: it has no arguments.");
          try {
            return await judge(call, rules);
          } catch (error) {
            return failed(`The call could not be judged: ${error instanceof Error ? error.message : String(error)}`);
          }
        },
      };
    },
  };
}

const NO_MARKS: ReadonlyMap<string, number> = new Map();
const NO_EXTENSIONS: ReadonlySet<ExtensionKind> = new Set();
const NOTHING_ACCEPTED: AcceptedExtensions = {
  unacceptedBy: ({ input }) => Promise.resolve(extensionKindsOf(input.tool_name ?? "", input.tool_input)),
};

/** True if the condition, or one below it, is about accepted versions. */
export const asksForExtensions = ({ unaccepted, all = [], any = [], not }: Condition): boolean =>
  unaccepted !== undefined || [...all, ...any, ...(not ? [not] : [])].some(asksForExtensions);

const failed = (message: string): HandlerReply => ({ kind: "failed", message });

function marksAskedFor({ after, all = [], any = [], not }: Condition | Rule): string[] {
  const inner = [...all, ...any, ...(not ? [not] : [])].flatMap(marksAskedFor);
  return after === undefined ? inner : [after, ...inner];
}
/** A client's own tool without effects, such as one that lists tasks, may have no arguments. */
const needsArguments = (tool: string): boolean =>
  toolKindOf(tool) !== "other" || mcpToolOf(tool) !== null || /sql|query|command|exec|shell/i.test(tool);

/**
 * Reads a call once for all of its rules hooks. Only the latest reading is cached: a weak map would keep each of them until the
 * next full garbage collection, and every earlier collection would copy them.
 */
function createReader(): (input: HookInput) => ReadCall {
  let newest: { readonly of: readonly unknown[]; readonly call: ReadCall } | null = null;
  return ({ tool_name, tool_input, cwd }) => {
    const of = [tool_name, tool_input, cwd];
    if (newest?.of.every((part, at) => part === of[at])) return newest.call;
    const call = readCall({ tool: tool_name ?? "", input: tool_input, place: { workingDirectory: cwd || null } });
    newest = { of, call };
    return call;
  };
}

function outputOf({ event }: HandlerCall, { verdict, reason }: RuleMatch): HookOutput | null {
  if (verdict === null) return null;
  return {
    hook_specific_output: { hook_event_name: event, permission_decision: verdict, permission_decision_reason: reason },
  };
}
