"use client";

import { compileMatcher } from "@quarterdeck/hooks/contract/matcher";
import { TopicLink } from "@/components/layout/help/topic-link";
import { setKey, unsetKey } from "@/components/policies/document/edits";
import type { EntryNode } from "@/components/policies/document/tree";
import { ENTRY_ORDER } from "@/components/policies/form/fields";
import { problemAt, useForm } from "@/components/policies/form/form-context";
import { ToolKindField } from "@/components/policies/form/tool-kind-field";
import { TypedText } from "@/components/policies/form/typed-text";
import { MatcherTester } from "@/components/policies/playground/matcher-tester";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { plural } from "@/components/ui/format/count";
import { Popover } from "@/components/ui/popover";
import { type PolicyProblem, TOOL_COUNT_MAX } from "@/server/policies/schema";

const SHOWN_MAX = 8;

/** The tools that an entry is about, tried at once on the tools that were really used. */
export function MatcherField({ entry, problems }: { entry: EntryNode; problems: readonly PolicyProblem[] }) {
  const { edit, tools } = useForm();
  const pattern = typeof entry.fields.matcher === "string" ? entry.fields.matcher : "";
  const matcher = compileMatcher(pattern);
  const error =
    problemAt(problems, `${entry.where}.matcher`) ??
    (matcher.ok ? undefined : `This pattern does not compile: ${matcher.message}`);
  const selected = matcher.ok ? (tools ?? []).filter(({ name }) => matcher.matches(name)) : [];
  const put = (next: string) =>
    void edit(
      (text) =>
        next === "" ? unsetKey(text, entry.path, "matcher") : setKey(text, entry.path, "matcher", next, ENTRY_ORDER),
      true,
    );
  return (
    <div className="flex flex-col gap-1.5">
      <ToolKindField matcher={pattern} onMatcher={put} />
      <Field
        label="Tools"
        aside={<TopicLink topic="toolKinds" />}
        {...(error === undefined ? {} : { error })}
        help="A full tool name, several separated by |, or a pattern such as mcp__.*. Empty: every tool."
      >
        <TypedText mono value={pattern} placeholder="every tool" onText={put} />
      </Field>
      {matcher.ok && tools !== null ? (
        <p className="text-sm" aria-live="polite">
          {tools.length === 0 ? (
            <span className="text-faint">No tool calls in the last 30 days to try this pattern on.</span>
          ) : selected.length === 0 ? (
            <span className="text-ask">Selects 0 of {plural(tools.length, "tool")} seen in the last 30 days.</span>
          ) : (
            <>
              <span className="text-muted">
                Selects {selected.length} of {plural(tools.length, "tool")} seen:{" "}
              </span>
              {selected.slice(0, SHOWN_MAX).map(({ name, count }, at) => (
                <span key={name}>
                  {at > 0 ? ", " : ""}
                  <code>{name}</code>{" "}
                  <span className="text-faint">{count >= TOOL_COUNT_MAX ? `${TOOL_COUNT_MAX}+` : count}</span>
                </span>
              ))}
              {selected.length > SHOWN_MAX ? `, and ${selected.length - SHOWN_MAX} more` : null}
            </>
          )}
        </p>
      ) : null}
      {matcher.ok ? (
        <Popover
          label="Try this pattern"
          align="start"
          className="w-110 max-w-[calc(100vw-24px)]"
          trigger={
            <Button variant="ghost" size="sm" className="self-start">
              Try names…
            </Button>
          }
        >
          <MatcherTester pattern={pattern} />
        </Popover>
      ) : null}
    </div>
  );
}
