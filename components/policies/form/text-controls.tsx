/** The controls of a hook's fields that hold one text or number, each with the help below it. */
import { BUILTIN_NAMES, builtinFacts, isBuiltinIn } from "@quarterdeck/hooks/contract/builtins";
import type { EventContract, Profile } from "@quarterdeck/hooks/contract/events";
import { ON_ERROR } from "@quarterdeck/hooks/contract/hook";
import { GUARD_DECISION, PRE_TOOL_USE_DECISION } from "@quarterdeck/hooks/contract/judge";
import { PROFILE_RULES } from "@quarterdeck/hooks/contract/profiles";
import type { ReactNode } from "react";
import type { Value } from "@/components/policies/document/write";
import { type Control, meaningOf } from "@/components/policies/form/fields";
import { ModelField } from "@/components/policies/form/model-field";
import { failureWords } from "@/components/policies/form/purpose";
import { TypedText } from "@/components/policies/form/typed-text";
import { Select, type SelectOption } from "@/components/ui/select";

interface TextContext {
  readonly key: string;
  readonly text: string;
  readonly event: string;
  readonly contract: EventContract | null;
  readonly profile: Profile;
  put(next: Value | undefined, isTyping?: boolean): void;
}

type TextControl = Exclude<Control, "flag" | "list" | "pairs" | "rules" | "evaluator" | "verdicts" | "routes">;

/** Plain functions, not components: the field stays the same element when its control changes. */
export const TEXT_CONTROLS: Readonly<
  Record<TextControl, (context: TextContext) => { readonly help: string; readonly input: ReactNode }>
> = {
  line: ({ key, text, put }) => ({
    help: meaningOf(key),
    input: (
      <TypedText value={text} onText={(next) => put(next === "" ? undefined : next, true)} mono={key !== "name"} />
    ),
  }),
  model: ({ key, text, put }) => ({
    help: meaningOf(key),
    input: <ModelField value={text} onText={(next) => put(next === "" ? undefined : next, true)} />,
  }),
  script: ({ key, text, contract, put }) => {
    // A block scalar ends with a newline that was not typed. It is kept but not shown.
    const tail = text.endsWith("\n") ? "\n" : "";
    return {
      help: scriptHelp(key, contract),
      input: (
        <TypedText
          lines
          mono
          value={tail === "" ? text : text.slice(0, -1)}
          onText={(next) => put(next === "" ? undefined : next + (tail || (next.includes("\n") ? "\n" : "")), true)}
        />
      ),
    };
  },
  seconds: ({ key, text, put }) => ({
    help: meaningOf(key),
    input: (
      <TypedText
        inputMode="numeric"
        placeholder="60"
        value={text}
        onText={(next) => put(next === "" ? undefined : /^\d{1,7}$/.test(next) ? Number(next) : next, true)}
      />
    ),
  }),
  builtin: ({ text, event, profile, put }) => {
    const facts = isBuiltinIn(text, profile) ? builtinFacts(text) : undefined;
    const options = [
      ...(text !== "" && !facts ? [{ value: text, label: `${text} (unknown)` }] : []),
      ...byFit(event, profile).map((name) => ({
        value: name as string,
        label: name,
        aside: fits(name, event) ? "recommended" : "",
      })),
    ];
    const change = facts?.changes?.[profile];
    const changed = change ? ` ${change}` : "";
    const where = facts && !facts.places.includes("server") ? " Runs on the agent's machine." : "";
    return {
      help: facts ? facts.says + changed + where : "Built-in check, no script needed.",
      input: <Select value={text === "" ? undefined : text} onChange={(next) => put(next)} options={options} />,
    };
  },
  failure: (context) => ({
    help: failureWords(context.text, context.contract, context.profile),
    input: select(context, "warn, by default", toOptions(ON_ERROR)),
  }),
  place: (context) => ({
    help: meaningOf(context.key),
    input: select(context, "default", [
      { value: "server", label: "the server" },
      { value: "agent", label: "agent's machine" },
    ]),
  }),
  schema: (context) => ({
    help: REPLIES[context.text]?.help ?? "This kind of reply is not available in this profile.",
    input: select(context, "as context", [
      ...PROFILE_RULES[context.profile].replySchemas.map((value) => ({ value, label: REPLIES[value]?.label ?? value })),
      ...toOptions(
        PROFILE_RULES[context.profile].replySchemas.includes(context.text) ? [] : [context.text].filter(Boolean),
      ),
    ]),
  }),
};

const REPLIES: Readonly<Record<string, { readonly label: string; readonly help: string }>> = {
  "": { label: "as context", help: "The hook's reply is added to the model's context." },
  [PRE_TOOL_USE_DECISION]: {
    label: "as a decision",
    help: "The reply is a decision: allow, ask or deny, with a reason.",
  },
  [GUARD_DECISION]: { label: "as allow or deny", help: "The reply is allow or deny, with a reason." },
};

const ABSENT = "(default)";

/** A choice whose first option is the absence of the field. */
const select = ({ text, put }: TextContext, absent: string, options: readonly SelectOption<string>[]) => (
  <Select
    value={text === "" ? ABSENT : text}
    onChange={(next) => put(next === ABSENT ? undefined : next)}
    options={[{ value: ABSENT, label: absent }, ...options]}
  />
);
const toOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

const fits = (name: (typeof BUILTIN_NAMES)[number], event: string): boolean =>
  (builtinFacts(name)?.madeFor ?? []).some((one) => one === event);
const byFit = (event: string, profile: Profile) =>
  BUILTIN_NAMES.filter((name) => isBuiltinIn(name, profile)).sort(
    (a, b) => Number(fits(b, event)) - Number(fits(a, event)),
  );

function scriptHelp(key: string, contract: EventContract | null): string {
  if (key === "system_prompt") return meaningOf(key);
  if (key === "prompt")
    return "A Go template with values of the call, such as {{ .ToolName }} or {{ fenced .ToolInput }}.";
  const end = contract?.canBlock
    ? " Exit code 2 blocks. The agent reads stderr as the reason."
    : " The answer cannot block on this event.";
  return `A shell command that reads the call as JSON from stdin.${end}`;
}
