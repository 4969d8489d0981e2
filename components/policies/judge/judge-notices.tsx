"use client";

import { eventTitle } from "@quarterdeck/hooks/contract/event-titles";
import { contractOf, EVENTS, type EventName, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import { type JudgeLabel, judgeLabel, parseJudgeLabel } from "@quarterdeck/hooks/contract/judge-prompt";
import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";
import { useMutation, useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import type { RefObject } from "react";
import { useWatch } from "react-hook-form";
import { z } from "zod";
import { eventOption } from "@/components/layout/event-title";
import type { Edit } from "@/components/policies/document/change";
import type { EditorHandle } from "@/components/policies/editor/yaml-editor";
import { ToolKindField } from "@/components/policies/form/tool-kind-field";
import {
  added,
  type JudgedHook,
  type JudgeRevision,
  judgedHooks,
  taken,
} from "@/components/policies/judge/judged-hooks";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";

interface JudgeNoticesProps {
  text: string;
  editor: RefObject<EditorHandle | null>;
  /** Takes the text when the editor is not there to take changes. */
  onText: (text: string) => void;
}

/** The revisions the policy's judges could take: newer ones of their prompts, and the one named in the URL. */
export function JudgeNotices({ text, editor, onText }: JudgeNoticesProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const mayHaveAny = text.includes("judge:");
  const prompts = useQuery({ ...trpc.prompts.list.queryOptions(), enabled: mayHaveAny });
  const [coming, setComing] = useQueryState("judge", parseAsString);
  const label = coming === null ? null : parseJudgeLabel(coming);
  const edit = (make: (text: string) => Edit): boolean => {
    let done = editor.current?.edit(make, false) ?? null;
    if (done === null) {
      done = make(text);
      if (done.ok) onText(done.text);
    }
    if (!done.ok) toast.error("The draft was not changed", { description: done.why });
    return done.ok;
  };
  const update = useMutation({
    mutationFn: async ({ path, newer }: { path: JudgedHook["path"]; newer: JudgeLabel }) => ({
      path,
      revision: revisionOf(newer, (await client.prompts.labelled.query(newer)).text),
    }),
    onSuccess: ({ path, revision }) => edit((now) => taken(now, path, revision)),
    onError: (error) =>
      toast.error("The prompt's revision was not added to the draft", { description: failureSentence(error) }),
  });
  const behind = mayHaveAny
    ? judgedHooks(text).flatMap((hook) => {
        const latest = prompts.data?.find(({ name }) => name === hook.label?.name)?.latestRevision ?? 0;
        return hook.label && latest > hook.label.revision ? [{ hook, held: hook.label, latest }] : [];
      })
    : [];
  return (
    <>
      {behind.map(({ hook, held, latest }) => (
        <Notice
          key={hook.path.join(".")}
          className="m-3 mb-0"
          action={
            <Button
              size="sm"
              busy={update.isPending}
              onClick={() => update.mutate({ path: hook.path, newer: { name: held.name, revision: latest } })}
            >
              Update to revision {latest}
            </Button>
          }
        >
          {hook.title} uses {judgeLabel(held)}. Revision {latest} is available.
        </Notice>
      ))}
      <Dialog
        open={label !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : void setComing(null))}
        size="sm"
        title={`Add ${coming ?? ""} to this policy`}
        description="The revision's prompt, model and schema are added to the draft. Review the draft, then publish it."
      >
        {label ? <Placing label={label} text={text} edit={edit} onDone={() => void setComing(null)} /> : null}
      </Dialog>
    </>
  );
}

const revisionOf = (
  label: JudgeLabel,
  { template, model, schema }: { template: string; model: string; schema: string },
): JudgeRevision => ({ label, prompt: template, model, schema });

const EVENT_NAMES = Object.keys(EVENTS) as EventName[]; // holds: its own keys
const NEW = "new";

const placingForm = z.object({ where: z.string(), event: z.enum(EVENT_NAMES), matcher: z.string().max(512) });

interface PlacingProps {
  label: JudgeLabel;
  text: string;
  edit: (make: (text: string) => Edit) => boolean;
  onDone: () => void;
}

function Placing({ label, text, edit, onDone }: PlacingProps) {
  const trpc = useTRPC();
  const found = useQuery(trpc.prompts.labelled.queryOptions(label));
  const hooks = judgedHooks(text);
  const same = hooks.findIndex((hook) => hook.label?.name === label.name);
  const form = useForm(placingForm, {
    where: same === -1 ? NEW : String(same),
    event: "pre_tool_use",
    matcher: kindMatcher("shell"),
  });
  const [where, event, matcher] = useWatch({ control: form.control, name: ["where", "event", "matcher"] });
  const isNew = where === NEW;
  const put = ({ matcher: chosen }: z.infer<typeof placingForm>) => {
    if (!found.data) return;
    const revision = revisionOf(label, found.data.text);
    const hook = hooks[Number(where)];
    if (!edit((now) => (isNew || !hook ? added(now, event, chosen, revision) : taken(now, hook.path, revision))))
      return;
    toast.success(`${judgeLabel(label)} added to the draft`);
    onDone();
  };
  return (
    <Form form={form} onSubmit={put} action="Add to draft" onCancel={onDone} disabled={!found.data}>
      <FormField form={form} name="where" label="Hook">
        {(field) => (
          <Select
            {...field}
            options={[
              { value: NEW, label: "A new hook" },
              ...hooks.map((hook, at) => ({ value: String(at), label: hook.title, aside: eventTitle(hook.event) })),
            ]}
          />
        )}
      </FormField>
      {isNew ? (
        <FormField form={form} name="event" label="Event">
          {(field) => <Select {...field} options={EVENT_NAMES.map(eventOption)} />}
        </FormField>
      ) : null}
      {isNew && contractOf(event, WIDEST_PROFILE).matchesTools ? (
        <ToolKindField matcher={matcher} onMatcher={(next) => form.setValue("matcher", next)} />
      ) : null}
      {isNew && contractOf(event, WIDEST_PROFILE).matchesTools ? (
        <FormField
          form={form}
          name="matcher"
          label="Tools"
          help="Pattern for the full tool name. * matches every tool."
        >
          {(field) => <Input {...field} mono maxLength={512} />}
        </FormField>
      ) : null}
      {found.error ? <ErrorLine>{failureSentence(found.error)}</ErrorLine> : null}
    </Form>
  );
}
