"use client";

import { compileMatcher } from "@quarterdeck/hooks/contract/matcher";
import { useState } from "react";
import { useSeenTools } from "@/components/policies/form/use-seen-tools";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Mark } from "@/components/ui/mark";
import { TOOL_COUNT_MAX } from "@/server/policies/schema";

/** Tests a matcher on the recorded tools, and on a typed one. */
export function MatcherTester({ pattern }: { pattern: string }) {
  const tools = useSeenTools();
  const [typed, setTyped] = useState("");
  const matcher = compileMatcher(pattern);
  if (!matcher.ok) return <p className="text-deny">This pattern does not compile: {matcher.message}</p>;
  const seen = [...(tools ?? [])].sort((a, b) => b.count - a.count);
  const sides = [
    { title: "Selected", isSelected: true },
    { title: "Not selected", isSelected: false },
  ].map((side) => ({ ...side, tools: seen.filter(({ name }) => matcher.matches(name) === side.isSelected) }));
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-end gap-2">
        <Field label="Try a tool name" className="min-w-0 flex-1">
          <Input
            mono
            placeholder="mcp__github__create_issue"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <span aria-live="polite" className="flex h-8 items-center">
          {typed === "" ? null : matcher.matches(typed) ? (
            <Mark tone="allow" label="Selected" />
          ) : (
            <Mark tone="canceled" label="Not selected" />
          )}
        </span>
      </div>
      {tools === null ? (
        <p className="text-faint text-sm">Loading the tools in use…</p>
      ) : tools.length === 0 ? (
        <p className="text-faint text-sm">No tool calls in the last 30 days. Tools that agents call appear here.</p>
      ) : (
        <div className="grid grid-cols-2 gap-3">
          {sides.map(({ title, tools: listed, isSelected }) => (
            <section key={title} aria-label={title} className="min-w-0">
              <h3 className="mb-1 text-muted text-sm">
                {title}, {listed.length} of {seen.length}
              </h3>
              {listed.length === 0 ? (
                <p className="text-faint text-sm">{isSelected ? "No tools." : "All tools."}</p>
              ) : (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
                <ul tabIndex={0} aria-label={`${title} tools`} className="max-h-48 overflow-y-auto text-sm">
                  {listed.map(({ name, count }) => (
                    <li key={name} className="flex justify-between gap-2">
                      <code className="truncate" title={name}>
                        {name}
                      </code>
                      <span className="text-faint">{count >= TOOL_COUNT_MAX ? `${TOOL_COUNT_MAX}+` : count}</span>
                    </li>
                  ))}
                </ul>
              )}
            </section>
          ))}
        </div>
      )}
      <p className="text-faint text-xs">Counts are calls in the last 30 days.</p>
    </div>
  );
}
