"use client";

import { useState } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { formatCount, plural } from "@/components/ui/format/count";
import { Input } from "@/components/ui/input";
import { Loading, SkeletonText } from "@/components/ui/skeleton";

export interface MemberChoice {
  readonly id: string;
  readonly name: string;
}

export interface MembersProps {
  agents: readonly MemberChoice[];
  status: "pending" | "error" | "success";
  /** The reason that the agents could not be loaded. */
  wrong: string | null;
  members: ReadonlySet<string>;
  onToggle: (id: string, isIn: boolean) => void;
}

/** Names that are drawn at once; the rest are found by typing. */
const SHOWN = 100;

/** The agents of a workspace as boxes to check, found by a part of their names. */
export function Members({ agents, status, wrong, members, onToggle }: MembersProps) {
  const [text, setText] = useState("");
  const found = agents.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const shown = found.toSorted((a, b) => Number(members.has(b.id)) - Number(members.has(a.id))).slice(0, SHOWN);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-sm">Agents</legend>
      {status === "pending" ? (
        <Loading label="the agents">
          <SkeletonText lines={3} />
        </Loading>
      ) : wrong !== null ? (
        <ErrorLine>{wrong}</ErrorLine>
      ) : agents.length === 0 ? (
        <p className="text-muted">The workspace has no enrolled agents yet.</p>
      ) : (
        <>
          {agents.length > SHOWN ? (
            <Field
              label="Find agents"
              help={`${formatCount(members.size)} of ${plural(agents.length, "agent")} chosen.`}
            >
              <Input value={text} autoComplete="off" onChange={(event) => setText(event.target.value)} />
            </Field>
          ) : null}
          <ul className="flex max-h-64 flex-col gap-1.5 overflow-y-auto rounded-md border p-3">
            {shown.map(({ id, name }) => (
              <li key={id}>
                <Checkbox checked={members.has(id)} onChange={(isIn) => onToggle(id, isIn)} label={name} />
              </li>
            ))}
            {found.length > shown.length ? (
              <li className="text-faint text-sm">{formatCount(found.length - shown.length)} more. Type to search.</li>
            ) : null}
          </ul>
        </>
      )}
    </fieldset>
  );
}
