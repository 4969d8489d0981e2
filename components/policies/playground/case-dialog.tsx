"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { CaseDraft } from "@/components/policies/playground/case-draft";
import { readInput } from "@/components/policies/playground/read-input";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { type CaseExpectation, type JudgeReply, type PolicyCase, policyCase } from "@/server/playground/schema";

export interface CaseDialogProps {
  policyId: string;
  draft: CaseDraft | null;
  onClose: () => void;
}

/** A test case: what goes in, what judges answer, and what is expected to come of it. */
export function CaseDialog({ policyId, draft, onClose }: CaseDialogProps) {
  return (
    <Dialog
      open={draft !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      size="lg"
      title={draft?.caseId === undefined ? "Save as test case" : "Edit test case"}
    >
      {draft ? <Editing policyId={policyId} draft={draft} onClose={onClose} /> : null}
    </Dialog>
  );
}

const ANY = "any";
const VERDICTS = [
  { value: ANY, label: "any" },
  { value: "deny", label: "denied" },
  { value: "ask", label: "a person is asked" },
  { value: "allow", label: "allowed" },
  { value: "none", label: "nothing decided" },
] as const;
const SAID = [
  "not_run",
  "deny",
  "block",
  "ask",
  "allow",
  "rewrite",
  "summary",
  "context",
  "metadata",
  "message",
  "failed",
  "nothing",
];

function Editing({ policyId, draft, onClose }: { policyId: string; draft: CaseDraft; onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [one, setOne] = useState<PolicyCase>(draft.one);
  const [isTried, setTried] = useState(false);
  const save = useMutation(trpc.bench.saveCase.mutationOptions());
  const put = (part: Partial<PolicyCase>) => setOne((before) => ({ ...before, ...part }));
  const expectation = (part: Partial<Record<keyof CaseExpectation, unknown>>) => {
    const next = Object.entries({ ...one.expect, ...part }).filter(([, value]) => value !== undefined);
    put({ expect: Object.fromEntries(next) as CaseExpectation }); // holds: keys and values come from controls of their types
  };
  const complaint = isTried ? complaintOf(one) : null;
  const submit = async () => {
    setTried(true);
    if (complaintOf(one) !== null) return;
    await save.mutateAsync({ ...one, policyId, ...(draft.caseId === undefined ? {} : { caseId: draft.caseId }) });
    await queries.invalidateQueries({ queryKey: trpc.bench.cases.queryKey({ policyId }) });
    toast.success(`The test case "${one.name}" is saved`);
    onClose();
  };
  const judges = one.judgeReplies;
  const setJudge = (at: number, next: JudgeReply | null) =>
    put({ judgeReplies: judges.flatMap((reply, index) => (index === at ? (next ? [next] : []) : [reply])) });
  const hooks = Object.entries(one.expect.hooks ?? {});
  const setHooks = (next: [string, string][]) =>
    expectation({ hooks: next.length === 0 ? undefined : Object.fromEntries(next) });
  return (
    <form
      className="flex flex-col gap-4 pb-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit().catch(() => undefined);
      }}
    >
      <Field label="Name" help="What it holds the policy to: deletes of the build folder are denied.">
        <Input value={one.name} maxLength={120} onChange={(event) => put({ name: event.target.value })} />
      </Field>
      <Section title="Expected" aside="every expectation must hold">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Verdict">
            <Select
              value={one.expect.verdict ?? ANY}
              onChange={(next) => expectation({ verdict: next === ANY ? undefined : next })}
              options={VERDICTS}
            />
          </Field>
          <Field label="May it go on">
            <Select
              value={one.expect.allowed === undefined ? ANY : one.expect.allowed ? "yes" : "no"}
              onChange={(next) => expectation({ allowed: next === ANY ? undefined : next === "yes" })}
              options={[
                { value: ANY, label: "any" },
                { value: "yes", label: "yes" },
                { value: "no", label: "no" },
              ]}
            />
          </Field>
          <Field label="Message contains" aside="optional">
            <Input
              value={one.expect.message ?? ""}
              onChange={(event) => expectation({ message: event.target.value || undefined })}
            />
          </Field>
          <Field label="Context contains" aside="optional">
            <Input
              value={one.expect.context ?? ""}
              onChange={(event) => expectation({ context: event.target.value || undefined })}
            />
          </Field>
        </div>
        <Rewritten value={one.expect.rewritten} onValue={(rewritten) => expectation({ rewritten })} />
        {hooks.map(([name, said], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a hook's name is what is being typed
          <div key={at} className="flex items-end gap-2">
            <Field label="Hook" className="min-w-0 flex-1">
              <Input
                value={name}
                onChange={(event) =>
                  setHooks(hooks.map((pair, index) => (index === at ? [event.target.value, said] : pair)))
                }
              />
            </Field>
            <Field label="does">
              <Select
                value={said}
                onChange={(next) => setHooks(hooks.map((pair, index) => (index === at ? [name, next] : pair)))}
                options={SAID.map((value) => ({ value, label: value.replaceAll("_", " ") }))}
              />
            </Field>
            <IconButton
              icon={Trash2}
              label={`Expect nothing of ${name}`}
              onClick={() => setHooks(hooks.filter((_, index) => index !== at))}
            />
          </div>
        ))}
        <Button className="self-start" onClick={() => setHooks([...hooks, [`hook ${hooks.length + 1}`, "deny"]])}>
          <Plus aria-hidden />
          Expect something of a hook
        </Button>
      </Section>
      <Section title="Judges" aside="answered with these replies, never asked">
        {judges.map((judge, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a judge's name is what is being typed
          <div key={at} className="flex items-start gap-2">
            <Field label="Hook" className="w-40 shrink-0">
              <Input value={judge.hook} onChange={(event) => setJudge(at, { ...judge, hook: event.target.value })} />
            </Field>
            <Field label={"fails" in judge ? "fails with" : "replies"} className="min-w-0 flex-1">
              {"fails" in judge ? (
                <Input value={judge.fails} readOnly />
              ) : (
                <Textarea
                  mono
                  rows={2}
                  value={judge.reply}
                  placeholder='{"decision": "deny", "reason": "…"}'
                  onChange={(event) => setJudge(at, { hook: judge.hook, reply: event.target.value })}
                />
              )}
            </Field>
            <IconButton
              icon={Trash2}
              label={`Forget the reply of ${judge.hook}`}
              onClick={() => setJudge(at, null)}
              className="mt-6"
            />
          </div>
        ))}
        <div className="flex gap-2">
          <Button onClick={() => put({ judgeReplies: [...judges, { hook: "judge", reply: "" }] })}>
            <Plus aria-hidden />
            Add a reply
          </Button>
          <Button onClick={() => put({ judgeReplies: [...judges, { hook: "judge", fails: "timeout" }] })}>
            Add a judge that times out
          </Button>
        </div>
      </Section>
      <Field label={`Input of ${one.event}`}>
        <Textarea
          mono
          rows={6}
          spellCheck={false}
          value={one.input}
          onChange={(event) => put({ input: event.target.value })}
        />
      </Field>
      <Checkbox
        checked={one.keepsSecrets}
        onChange={(keepsSecrets) => put({ keepsSecrets })}
        label="Keep what looks like a secret"
        help="Only for made-up secrets. Otherwise they are masked before the case is stored."
      />
      <Checkbox
        checked={one.runsAgentHooks}
        onChange={(runsAgentHooks) => put({ runsAgentHooks })}
        label="Run agent-side hooks too"
      />
      {complaint === null ? null : <ErrorLine>{complaint}</ErrorLine>}
      {save.error ? <ErrorLine>{failureSentence(save.error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={save.isPending}>
          Save test case
        </Button>
      </div>
    </form>
  );
}

/** The error in the case, in a sentence; null when it can be stored. */
function complaintOf(one: PolicyCase): string | null {
  const input = readInput(one.input).problems[0];
  if (input) return `Input: ${`${input.pointer} ${input.message}`.trim()}`;
  const issue = policyCase.safeParse(one).error?.issues[0];
  return issue ? `${issue.path.join(" ")}: ${issue.message}` : null;
}

function Rewritten({ value, onValue }: { value: unknown; onValue: (value: unknown) => void }) {
  const [text, setText] = useState(() =>
    value === undefined || value === null ? "{}" : JSON.stringify(value, null, 2),
  );
  const [failure, setFailure] = useState<string | null>(null);
  const kind = value === undefined ? ANY : value === null ? "not" : "to";
  const take = (next: string) => {
    setText(next);
    try {
      onValue(JSON.parse(next));
      setFailure(null);
    } catch {
      setFailure("This is not valid JSON; the case keeps the value before it.");
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <Field label="Payload">
        <Select
          value={kind}
          onChange={(next) => onValue(next === ANY ? undefined : next === "not" ? null : {})}
          options={[
            { value: ANY, label: "rewritten or not" },
            { value: "not", label: "not rewritten" },
            { value: "to", label: "rewritten to" },
          ]}
        />
      </Field>
      {kind === "to" ? (
        <Field label="Rewritten payload" {...(failure === null ? {} : { error: failure })}>
          <Textarea mono rows={3} value={text} onChange={(event) => take(event.target.value)} />
        </Field>
      ) : null}
    </div>
  );
}
